"""An endpoint whose summaries, gists and choices are known, and which counts by niah's own tokenizer."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from niah.text.tokenizer import count, get_tokenizer
from tests.loopback import Post, Reply, completion, replying

_TOKENIZER = get_tokenizer("cl100k")


@dataclass
class ScriptedModel:
    """What it was asked, and how.

    Attributes:
        asked: every prompt that got a reply, with its tokens and the reply's.
        failing: a text; prompts that hold it get an error.
        delay_s: before each reply.
        reports: so many times the tokens that there are.
    """

    base_url: str = ""
    asked: list[tuple[str, int, int]] = field(default_factory=list)
    failing: str = ""
    delay_s: float = 0.0
    reports: int = 1
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def prepared(self) -> list[tuple[str, int, int]]:
        """All but readers' questions."""
        return [each for each in self.asked if said(each[0]) != ANSWER]

    def reply(self, post: Post) -> Reply:
        prompt = post.body["messages"][-1]["content"]
        if self.failing and self.failing in prompt:
            return Reply({"error": {"message": "I choke on this."}}, 400)
        text = said(prompt)
        tokens = count(_TOKENIZER, prompt), count(_TOKENIZER, text)
        time.sleep(self.delay_s)
        with self.lock:
            self.asked.append((prompt, *tokens))
        return Reply(completion(text, *(self.reports * each for each in tokens)))


ANSWER = "violet, I think"


def said(prompt: str) -> str:
    """The reply to a prompt: it depends on nothing else."""
    if "QUERY: " in prompt:
        return "n"
    if prompt.rstrip().endswith("Summary:"):
        return "Summary of " + " ".join(prompt.split()[40:130])
    if "mark places where one could pause" in prompt:
        places = re.findall(r"<(\d+)>", prompt)[1:]
        return f"<{places[len(places) // 2]}>"
    if "Shorten the passage" in prompt:
        return "Gist: " + " ".join(prompt.split()[22:110])
    if "Which pages do you look up?" in prompt:
        return "[1, 2, 3, 4, 5, 6]"
    if "Which page do you look up next?" in prompt:
        return f"[{len(_looked_up(prompt)) + 1}]"
    return "1" if "passages or summaries of one document" in prompt else ANSWER


def _looked_up(prompt: str) -> list[int]:
    """Pages that stand in full in a prompt which asks for one more."""
    listed = re.search(r"those that you have looked up are there in full: ([\d, ]+)", prompt)
    return [int(page) for page in listed[1].split(",")] if listed else []


@contextmanager
def scripted() -> Iterator[ScriptedModel]:
    """Serve one."""
    model = ScriptedModel()
    with replying(model.reply) as address:
        model.base_url = f"{address}/v1"
        yield model
