"""Claims in words: sentences of an answer's own, and the formats that models answer in."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from niah.cases.sample import AnswerKey
from niah.judges.audit.claims import Claim

Words = Callable[[Sequence[Claim], AnswerKey], str]
"""Says the claims as one answer."""


@dataclass(frozen=True)
class Frame:
    """A sentence, or lines, with room for claims.

    Attributes:
        whole: the answer; ``{list}`` stands for the claims, ``{answers}`` for "answer is" or "answers are".
        item: one claim; ``{name}`` stands for the element.
        keyed: one claim where elements have keys; ``{key}`` stands for "the copper gate".
        between, last: what stands between two claims, and before the last one.
        alias: whether to write an element's first alias, where it has one.
    """

    whole: str
    item: str = "{name}"
    keyed: str = "{name} for {key}"
    between: str = ", "
    last: str = " and "
    alias: bool = False

    def __call__(self, claims: Sequence[Claim], answer_key: AnswerKey) -> str:
        """The claims in this frame."""
        listed = self._list([self._item(claim, answer_key) for claim in claims])
        return self.whole.replace("{answers}", "answer is" if len(claims) == 1 else "answers are").replace(
            "{list}", listed
        )

    def _item(self, claim: Claim, answer_key: AnswerKey) -> str:
        aliases = claim.element.aliases if self.alias else ()
        name = aliases[0] if aliases else claim.name
        item = self.keyed.replace("{key}", said_key(claim.key, answer_key)) if claim.key else self.item
        return item.replace("{name}", name)

    def _list(self, items: list[str]) -> str:
        if len(items) < 2:
            return "".join(items)
        return self.between.join(items[:-1]) + self.last + items[-1]


def said_key(key: str, answer_key: AnswerKey) -> str:
    """The key with its article, if the question writes one: "the copper gate", "Corrow"."""
    return f"the {key}" if f"the {key}" in answer_key.question else key


PLAIN = Frame("The {answers} {list}.")

PARAPHRASES: dict[str, Frame] = {
    "text names": Frame("Going by the passages, the text names {list}."),
    "come across": Frame("If you read from beginning to end, you come across {list}."),
    "one by one": Frame(
        "I went through it all. {list}",
        item="The text has {name}.",
        keyed="For {key} it is {name}.",
        between=" ",
        last=" ",
    ),
    "behind": Frame("{list}: so it stands in the text.", keyed="{name} ({key})"),
    "stated clearly": Frame("The text states it clearly, and what it states is {list}."),
    "chatty": Frame("Good question! After a careful look I can tell you that it comes down to {list}."),
    "aliases": Frame("According to the text: {list}.", alias=True),
    "as well as": Frame("What you are after is {list}.", last=" as well as "),
    "no doubt": Frame("There is no doubt about it: {list}."),
    "none other": Frame("What the text gives is none other than {list}."),
    "both ends": Frame("{list}, and with that everything the text has to tell about it has been told."),
    "in the passages": Frame(
        "{list}",
        item="One passage speaks of {name}.",
        keyed="One passage has {name} for {key}.",
        between=" Then, ",
        last=" Later on, ",
    ),
    "key first": Frame("Here it is: {list}.", keyed="{key} has {name}", between="; ", last="; "),
}

_BULLETS = Frame("{list}", item="- {name}", keyed="- {key}: {name}", between="\n", last="\n")


def _numbered(claims: Sequence[Claim], answer_key: AnswerKey) -> str:
    items = _BULLETS(claims, answer_key).splitlines()
    return "\n".join(f"{number}. {item.removeprefix('- ')}" for number, item in enumerate(items, 1))


def _json(claims: Sequence[Claim], answer_key: AnswerKey) -> str:
    rows = [{"for": claim.key, "answer": claim.name} if claim.key else claim.name for claim in claims]
    return json.dumps({"answer": rows}, ensure_ascii=False)


def _fenced_json(claims: Sequence[Claim], answer_key: AnswerKey) -> str:
    return f"```json\n{_json(claims, answer_key)}\n```"


def _table(claims: Sequence[Claim], answer_key: AnswerKey) -> str:
    head = ["For", "Answer"] if claims and claims[0].key else ["Answer"]
    rows = [[claim.key, claim.name] if claim.key else [claim.name] for claim in claims]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _upper_case(claims: Sequence[Claim], answer_key: AnswerKey) -> str:
    return PLAIN(claims, answer_key).upper()


def _after_reasoning(claims: Sequence[Claim], answer_key: AnswerKey) -> str:
    return (
        "<think>\nThe question wants me to go through the passages. I am not sure where it begins, so I read "
        f"on. The text does not say it in one place. Fine.\n</think>\n\n{PLAIN(claims, answer_key)}"
    )


FORMATS: dict[str, Words] = {
    "bullets": _BULLETS,
    "numbered": _numbered,
    "JSON": _json,
    "fenced JSON": _fenced_json,
    "table": _table,
    "semicolons": Frame("{list}", keyed="{key}: {name}", between="; ", last="; "),
    "commas": Frame("{list}", keyed="{key} {name}", between=", ", last=", "),
    "bold": Frame("The {answers} {list}.", item="**{name}**", keyed="**{name}** for {key}"),
    "bold bullets": Frame(
        "**Answer**\n\n{list}", item="* **{name}**", keyed="* **{key}**: {name}", between="\n", last="\n"
    ),
    "upper case": _upper_case,
    "heading": Frame(
        "## Answer\n{list}\n", item="### {name}", keyed="### {key}\n{name}", between="\n", last="\n"
    ),
    "quoted": Frame("It is “{list}”.", between="”, “", last="” and “"),
    "boxed": Frame(r"\boxed{{list}}"),
    "after reasoning": _after_reasoning,
    "final answer": Frame("Step by step, then.\n\nFinal answer: {list}"),
}
