"""Real HTTP servers on this machine's loopback, and what an endpoint of OpenAI's form replies."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# Python's own half second is waited for, once a test, where a server is shut down.
_POLL_S = 0.01


@dataclass(frozen=True)
class Post:
    """What a server was sent; ``body`` is read as JSON."""

    path: str
    headers: Message
    body: Any


@dataclass(frozen=True)
class Reply:
    """What a server sends back: bytes as they are, anything else as JSON."""

    body: object
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


def completion(
    content: str, prompt_tokens: int = 7, completion_tokens: int = 3, *, finish_reason: str = "stop"
) -> dict[str, Any]:
    """A chat completion that says ``content``."""
    message = {"role": "assistant", "content": content}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }


def verdict(quoted: Iterable[str] = (), **more: object) -> str:
    """What a model says that judges: these elements are there, and nothing is missing or wrong."""
    evidence = [{"element": name, "quotation": name} for name in quoted]
    lists = {"evidence": evidence, "reason": "As I see it.", "missing": [], "wrong": []}
    return json.dumps(lists | {"refused": False, "self_doubt": False, "score": 10} | more)


def claude_message(text: str, usage: Mapping[str, int], stop_reason: str = "end_turn") -> dict[str, Any]:
    """What Anthropic's endpoint of messages says."""
    about = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "usage": dict(usage)}
    return about | {"content": [{"type": "text", "text": text}], "stop_reason": stop_reason}


@contextmanager
def replying(reply: Callable[[Post], Reply | None]) -> Iterator[str]:
    """Serve what ``reply`` makes of each post, in threads; the address, without a slash at its end.

    Of None the connection is closed without a word.
    """

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            made = reply(Post(self.path, self.headers, json.loads(body)))
            if made is None:
                self.close_connection = True
                return
            data = made.body if isinstance(made.body, bytes) else json.dumps(made.body).encode()
            self.send_response(made.status)
            headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **made.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with serving(Handler) as address:
        yield address


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # of Python's own 5 a run's many connections at once wait seconds for a place


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve on a free port, in threads; the address, without a slash at its end."""
    server = _Server(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, args=(_POLL_S,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
