"""What the contract tests use: the command line, a loopback endpoint, and small worlds of files.

These tests know commands, files, exit codes and the documented Python calls, and nothing of the inside.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.loopback import Post, Reply, completion, replying

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@dataclass(frozen=True)
class Result:
    """What a command left: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The JSON lines of standard output."""
        return [json.loads(line) for line in self.out.splitlines() if line.strip()]


Niah = Callable[..., Result]


@dataclass
class Endpoint:
    """A loopback server of OpenAI's form; ``models`` maps a model's name to what it says to a prompt.

    A model's function gets the text of all messages and gives the answer's text, or a whole ``Reply``.
    ``posts`` are the chat requests so far, in order. Other paths are looked up in ``services``.
    """

    address: str = ""
    models: dict[str, Callable[[str], str | Reply]] = field(default_factory=dict)
    services: dict[str, Callable[[Any], object]] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def base(self) -> str:
        """What ``api_base`` and ``--api-base`` take."""
        return f"{self.address}/v1"

    def bodies(self, model: str) -> list[dict[str, Any]]:
        """The requests that ``model`` was sent, oldest first."""
        return [post.body for post in self.posts if post.body.get("model") == model]

    def reply(self, post: Post) -> Reply | None:
        """Answer one request."""
        if post.path in self.services:
            made = self.services[post.path](post.body)
            return made if isinstance(made, Reply) else Reply(made)
        with self._lock:
            self.posts.append(post)
        text = "\n".join(str(message["content"]) for message in post.body.get("messages", []))
        say = self.models.get(post.body.get("model"), read_closely)
        said = say(text or str(post.body.get("prompt", "")))
        return said if isinstance(said, Reply) else Reply(completion(said, len(text) // 4, 5))


_SENTENCE = re.compile(r"[^.?!\n]+[.?!]")
_SMALL = set(re.findall(r"\w+", "a an the of is are was what which where who does do in on at to and for by"))


def read_closely(prompt: str) -> str:
    """Quote the sentence of the prompt that shares most words with its question."""
    text, _, question = prompt.rpartition("Question:")
    asked = set(re.findall(r"\w+", question.lower())) - _SMALL
    sentences = [match[0].strip() for match in _SENTENCE.finditer(text)]
    shared = (len(asked & set(re.findall(r"\w+", each.lower()))) for each in sentences)
    return max(zip(shared, sentences, strict=True), key=lambda pair: pair[0], default=(0, "Unknown."))[1]


def blind(prompt: str) -> str:
    """Read a passage closely, and no whole context."""
    return read_closely(prompt) if len(prompt.split()) < 250 else "I do not know."


def run_niah(*args: object, cwd: Path, env: Mapping[str, str] | None = None) -> Result:
    """Run a command in this process; its exit code and its output."""
    from niah.cli.main import main

    before, folder = dict(os.environ), Path.cwd()
    # Files, as some commands write to their descriptors.
    out, err = (tempfile.TemporaryFile("w+", encoding="utf-8", newline="") for _ in range(2))  # noqa: SIM115
    os.environ.update(env or {})
    os.chdir(cwd)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(arg) for arg in args])
    finally:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(before)
    for stream in (out, err):
        stream.seek(0)
    with out, err:
        return Result(code, out.read(), err.read())


def start_niah(*args: object, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start a command as a process of its own: for kills, signals and file locks.

    It hears Ctrl-C where the tests themselves ignore it, as in the background of a shell.
    """
    hearing = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{hearing}; from niah.cli.main import entry; entry()", *map(str, args)]
    pipe, all_env = subprocess.PIPE, {**os.environ, **(env or {})}
    return subprocess.Popen(command, cwd=cwd, env=all_env, text=True, stdout=pipe, stderr=pipe)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty working folder with places for runs, plots and needles."""
    for name in ("runs", "needles", "plots"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.fixture
def niah(folder: Path) -> Niah:
    """The ``niah`` command in ``folder``, in this process."""
    return lambda *args, env=None: run_niah(*args, cwd=folder, env=env)


@contextlib.contextmanager
def answering(**models: Callable[[str], str | Reply]) -> Iterator[Endpoint]:
    """A server that answers like an OpenAI-compatible one, for fixtures of a wider scope."""
    made = Endpoint(models=dict(models))
    with replying(made.reply) as address:
        made.address = address
        yield made


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A server that answers like an OpenAI-compatible one."""
    with answering() as made:
        yield made


@pytest.fixture(scope="session")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """Headless Chromium; tests that need it are skipped only where it is not installed."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed")
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = binary
    profile = f"--user-data-dir={tmp_path_factory.mktemp('profile')}"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", profile):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=Service(driver))
    yield browser
    browser.quit()


LAMP = """\
question: What is the code of the lamp room?
answer: The code of the lamp room is 48213.
needles: [{text: The code of the lamp room is 48213., elements: ["48213"]}]
elements: [{name: "48213"}]
"""


def write(path: Path, text: str) -> Path:
    """Write ``text`` and give the path back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def lamp(folder: Path) -> Path:
    """One needle set with one fact, needles/lamp.yaml."""
    return write(folder / "needles" / "lamp.yaml", LAMP)
