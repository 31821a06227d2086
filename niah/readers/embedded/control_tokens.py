"""Control tokens of a chat template that stand in a prompt's text, read as text.

llama.cpp takes "<|im_end|>" in a message for the control token, and ends the user's turn there. A prompt that
has such text is sent as token ids: the template's with its control tokens, the messages' without.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener
from urllib.request import Request as HttpRequest

import orjson

from niah.readers.embedded.server_process import ServerProcess
from niah.readers.http.dialect import chat_messages, is_plain, plain_text, template_switch
from niah.readers.reader import Request

_CONTROL = 3
"""The kind of vocabulary entry (gguf.TokenType) that llama.cpp reads in templates only."""
_NOTHING = re.compile(r"(?!)")
_PLACE = "niah-message-{}-text"
_LIMIT_S = 60.0


@lru_cache(maxsize=4)
def control_tokens(model: Path) -> re.Pattern[str]:
    """A pattern that finds the control tokens of a GGUF model in a text."""
    from niah.text.tokenizers.gguf.gguf_vocabulary import gguf_vocabulary

    tokens = [token for _, token in gguf_vocabulary(model).of_kind(_CONTROL) if token]
    return re.compile("|".join(map(re.escape, tokens))) if tokens else _NOTHING


async def as_token_ids(request: Request, server: ServerProcess) -> Request:
    """The request with its prompt as token ids, which no text in it can end.

    It comes back as it is where the template leaves a message out or changes it. Raises OSError.
    """
    ids: list[int] = []
    for text, is_template in await asyncio.to_thread(lambda: list(_parts(request, server))):
        asked = {"content": text, "parse_special": is_template, "add_special": not ids}
        ids += (await asyncio.to_thread(_post, server, "/tokenize", asked))["tokens"]
    if not ids:
        return request
    schema = {"json_schema": dict(request.schema)} if request.schema else {}
    extra = {**request.extra_body, **schema, "prompt": ids}
    return replace(request, mode="completion", schema=None, thinking_tokens=None, extra_body=extra)


def _parts(request: Request, server: ServerProcess) -> Iterator[tuple[str, bool]]:
    """The whole prompt in parts, each with whether the template wrote it; none where they cannot be told."""
    if is_plain(request):
        yield plain_text(request), False
        return
    messages = chat_messages(request, frozenset())
    places = [_PLACE.format(number) for number in range(len(messages))]
    marked = [{**message, "content": place} for message, place in zip(messages, places, strict=True)]
    asked = {"messages": marked, **template_switch(request)}
    rest: str = _post(server, "/apply-template", asked)["prompt"]
    if any(rest.count(place) != 1 for place in places):
        return
    for place, message in zip(places, messages, strict=True):
        before, _, rest = rest.partition(place)
        yield before, True
        yield message["content"], False
    yield rest, True


def _post(server: ServerProcess, path: str, asked: dict[str, Any]) -> Any:
    headers = {"Authorization": f"Bearer {server.api_key}", "Content-Type": "application/json"}
    http = HttpRequest(server.base_url.removesuffix("/v1") + path, orjson.dumps(asked), headers)
    with build_opener(ProxyHandler({})).open(http, timeout=_LIMIT_S) as reply:
        return orjson.loads(reply.read())
