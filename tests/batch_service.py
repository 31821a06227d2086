"""A loopback provider of batches, in OpenAI's form and in Anthropic's, that misbehaves on request."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.loopback import Reply, claude_message, completion, serving

Step = Callable[[str, str], "Reply | str | None"]


@dataclass
class Batches:
    """What the service holds.

    ``step``, given method and path, may answer in its place: with a reply, or with "" where the connection is
    closed after the work, "!" before it.
    """

    answer: Callable[[str], str]
    form: str = ""
    delay_s: float = 0.0  # of each request
    rounds: int = 0  # so many looks at a batch find it under way
    step: Step = lambda method, path: None
    edit: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] = lambda lines: lines  # of results
    ending: str = "completed"  # or failed, expired, cancelled
    base: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    made: dict[str, dict[str, Any]] = field(default_factory=dict)  # batches, with "asked", their requests
    chats: list[Any] = field(default_factory=list)
    seen: list[tuple[str, str]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def asked(self) -> list[str]:
        """The prompts of all batches."""
        return [_prompt(each) for made in self.made.values() for each in made["asked"]]

    def handle(self, method: str, url: str, body: bytes) -> Reply:
        parts = urlsplit(url)
        path, query = parts.path.removeprefix("/v1"), parse_qs(parts.query)
        if path in ("/chat/completions", "/messages"):
            asked = json.loads(body)
            self.chats.append(asked)
            return Reply(self.completed(asked, is_openai=path != "/messages"))
        if path == "/files":
            name = f"file-{len(self.files)}"
            match = re.search(rb"\r\n\r\n(\{.*?\})\r?\n?\r\n--", body, re.S)
            assert match, body[:300]
            self.files[name] = match[1]
            return Reply({"id": name, "object": "file"})
        if path.startswith("/files/"):
            name = path.split("/")[2]
            return Reply(self.files[name]) if name in self.files else _no(404, f"No such File object: {name}")
        is_openai = path.startswith("/batches")
        rest = path.removeprefix("/messages").removeprefix("/batches").strip("/").split("/")
        if method == "POST":
            return Reply(self.create(json.loads(body), is_openai=is_openai))
        if rest == [""]:
            rows = [self.shown(each, look=True) for each in reversed(self.made.values())]
            after = query.get("after", query.get("after_id", [""]))[0]
            at = 1 + next((n for n, row in enumerate(rows) if row["id"] == after), -1)
            page = rows[at : at + 2]  # smaller than asked for
            return Reply({"data": page, "has_more": at + 2 < len(rows)})
        if rest[0] not in self.made:
            return _no(404, f"No batch found with id '{rest[0]}'")
        if rest[1:] == ["results"]:
            return Reply(self.results(self.made[rest[0]]))
        return Reply(self.shown(self.made[rest[0]], look=True))

    def create(self, asked: dict[str, Any], *, is_openai: bool) -> dict[str, Any]:
        lines = self.files[asked["input_file_id"]].splitlines() if is_openai else asked["requests"]
        rows = [json.loads(line) if is_openai else line for line in lines]
        name = f"{'batch' if is_openai else 'msgbatch'}_{len(self.made)}"
        own = {"id": name, "asked": rows, "left": self.rounds, "at": time.time(), "openai": is_openai}
        self.made[name] = own | {"input_file_id": asked.get("input_file_id")}
        return self.shown(self.made[name], look=False)

    def shown(self, batch: dict[str, Any], *, look: bool) -> dict[str, Any]:
        """A batch as its provider shows it; each look brings it nearer to its end."""
        batch["left"] -= look
        is_over, n = batch["left"] < 0, len(batch["asked"])
        if not batch["openai"]:
            at = datetime.fromtimestamp(batch["at"], UTC).isoformat().replace("+00:00", "Z")
            counts = {"processing": 0 if is_over else n, "succeeded": n if is_over else 0, "errored": 0}
            about = {"id": batch["id"], "request_counts": counts, "created_at": at}
            return about | {"processing_status": "ended" if is_over else "in_progress"}
        about = {key: batch[key] for key in ("id", "input_file_id")}
        about |= {"status": self.ending if is_over else "in_progress", "created_at": int(batch["at"])}
        if is_over and self.ending == "failed":
            return about | {"errors": {"data": [{"code": "invalid", "message": "Line 1 is invalid."}]}}
        if is_over and "output_file_id" not in batch:
            batch["output_file_id"] = f"out-{batch['id']}"
            self.files[batch["output_file_id"]] = self.results(batch)
        return about | {"output_file_id": batch.get("output_file_id"), "error_file_id": None}

    def results(self, batch: dict[str, Any]) -> bytes:
        rows = self.edit([self.result(each, is_openai=batch["openai"]) for each in batch["asked"]])
        return b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    def result(self, asked: dict[str, Any], *, is_openai: bool) -> dict[str, Any]:
        said = self.completed(asked["body" if is_openai else "params"], is_openai=is_openai)
        if is_openai:
            response = {"status_code": 200, "request_id": "r", "body": said}
            return {"id": "r", "custom_id": asked["custom_id"], "response": response, "error": None}
        return {"custom_id": asked["custom_id"], "result": {"type": "succeeded", "message": said}}

    def completed(self, body: dict[str, Any], *, is_openai: bool) -> dict[str, Any]:
        prompt = _prompt({"body": body})
        text, tokens = self.answer(prompt), len(prompt) // 4
        if is_openai:
            return completion(text, tokens, 5)
        return claude_message(text, {"input_tokens": tokens, "output_tokens": 5})


def _prompt(asked: dict[str, Any]) -> str:
    content = (asked.get("body") or asked["params"])["messages"][-1]["content"]
    return content if isinstance(content, str) else str(content[0]["text"])


def _no(status: int, message: str) -> Reply:
    return Reply({"error": {"message": message, "type": "invalid_request_error"}}, status)


@contextmanager
def serving_batches(service: Batches) -> Iterator[Batches]:
    """Serve it on loopback; ``base`` is its address with /v1."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if service.delay_s:
                time.sleep(service.delay_s)
            with service.lock:
                service.seen.append((self.command, self.path))
                made = service.step(self.command, urlsplit(self.path).path)
                reply = made if isinstance(made, Reply) else None
                if made != "!":
                    reply = reply or service.handle(self.command, self.path, body)
            if isinstance(made, str):
                self.close_connection = True
                return
            if service.delay_s:
                time.sleep(service.delay_s)
            assert reply is not None
            data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(data)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as address:
        service.base = f"{address}/v1"
        yield service
