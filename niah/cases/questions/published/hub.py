"""Published files from the Hugging Face hub, fetched for an import and forgotten after it.

``hub:OWNER/NAME/FILE`` is one file of a dataset, ``hub:OWNER/NAME`` its only file that can be read;
``data/validation-*.parquet`` as FILE is all that match, by their names. ``hub:OWNER/NAME@REVISION/FILE`` is
of another revision, and ``@~parquet`` of the Parquet files that the hub makes of every dataset. Plain
HTTPS, without the hub's own package; ``HF_ENDPOINT`` names another hub, as it does there.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from niah.errors import UserError

if TYPE_CHECKING:
    import httpx

_PREFIX = "hub:"
_NAME = re.compile(r"hub:(?P<id>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w.~-]+))?(?:/(?P<file>[^?#]+))?", re.ASCII)
_ENDPOINT = "https://huggingface.co"
_READ = (".jsonl", ".json", ".parquet")
_MAIN = "main"
_REVISIONS = {"~parquet": "refs/convert/parquet"}
_MOST_BYTES = 8 * 2**30
_MOST_NAMED = 8
_TIMEOUT_S = 60.0


@contextmanager
def files_or_fetched(names: Sequence[str]) -> Iterator[list[Path]]:
    """The files at those paths; of a name that begins with "hub:", those that it means on the hub.

    What is fetched is there only meanwhile. Raises UserError where a name means none, or it cannot be had.
    """
    with tempfile.TemporaryDirectory() if any(map(_is_hub, names)) else nullcontext("") as folder:
        paths: list[Path] = []
        for number, name in enumerate(names):
            own = Path(folder) / str(number)
            paths += _fetched(name, own) if _is_hub(name) else [Path(name)]
        yield paths


def _is_hub(name: str) -> bool:
    return name.startswith(_PREFIX)


@dataclass(frozen=True)
class _HubName:
    """What ``name`` says: the dataset, its revision, and the file or files in it ("" for its only one)."""

    name: str
    dataset: str
    revision: str
    file: str

    @property
    def listing(self) -> str:
        """Where the hub lists the dataset's files."""
        plain = f"/api/datasets/{self.dataset}"
        return plain if self.revision == _MAIN else f"{plain}/revision/{quote(self.revision, safe='')}"

    def address(self, file: str) -> str:
        """Where a file of the dataset lies."""
        return f"/datasets/{self.dataset}/resolve/{quote(self.revision, safe='')}/{file}"


def _fetched(name: str, folder: Path) -> list[Path]:
    import httpx

    meant = _meant(name)
    endpoint = os.environ.get("HF_ENDPOINT") or _ENDPOINT
    with _client(endpoint) as client:
        try:
            paths = []
            for file in _files(client, meant):
                path = folder / file.lstrip("/")  # files of one name in several folders stay apart
                path.parent.mkdir(parents=True, exist_ok=True)
                _download(client, name, meant.address(file), path)
                paths.append(path)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            reason = str(error) or type(error).__name__
            problem = f"{name} cannot be fetched from {endpoint}: {reason.rstrip('.')}."
            raise UserError(problem, "Try again, or download the file and import that.") from None
    return paths


def _client(endpoint: str) -> httpx.Client:
    import httpx

    if not endpoint.startswith(("https://", "http://")):
        problem = f"HF_ENDPOINT is {endpoint!r}, which is no web address."
        raise UserError(problem, "Write https://huggingface.co, or unset it.")
    return httpx.Client(base_url=endpoint, follow_redirects=True, timeout=_TIMEOUT_S)


def _meant(name: str) -> _HubName:
    """What a name says. Raises UserError."""
    found = _NAME.fullmatch(name)
    if found is None or ".." in name.split("/"):
        raise UserError(f"{name!r} is no file on the hub.", "Write hub:OWNER/NAME or hub:OWNER/NAME/FILE.")
    revision = found["revision"] or _MAIN
    return _HubName(name, found["id"], _REVISIONS.get(revision, revision), found["file"] or "")


def _files(client: httpx.Client, meant: _HubName) -> list[str]:
    """The files of the dataset that are meant. Raises UserError, which names some where it is not clear."""
    if meant.file and "*" not in meant.file:
        return [meant.file]
    response = client.get(meant.listing)
    _check(response, meant.name)
    listed: Any = response.json()
    siblings = listed.get("siblings", []) if isinstance(listed, dict) else []
    files = [str(each.get("rfilename")) for each in siblings if isinstance(each, dict)]
    readable = sorted(file for file in files if file.endswith(_READ) and ".." not in file.split("/"))
    if meant.file:
        if matching := [file for file in readable if fnmatchcase(file, meant.file)]:
            return matching
        problem = f"{meant.name} matches none of {_some(readable)}."
        raise UserError(problem, "Name files that are there.")
    if len(readable) == 1:
        return readable
    if readable:
        problem = f"{meant.name} has {len(readable)} files to read: {_some(readable)}."
        raise UserError(problem, f"Name one: {meant.name}/FILE; with a * several.")
    remedy = (
        f"Try {_PREFIX}{meant.dataset}@~parquet, what the hub makes of it, or write its rows as JSON lines."
    )
    raise UserError(f"{meant.name} has no JSON and no Parquet file.", remedy)


def _some(files: Sequence[str]) -> str:
    more = f" and {len(files) - _MOST_NAMED} more" if len(files) > _MOST_NAMED else ""
    return f"{', '.join(files[:_MOST_NAMED]) or 'its files'}{more}"


def _download(client: httpx.Client, name: str, address: str, path: Path) -> None:
    with client.stream("GET", address) as response:
        _check(response, name)
        size = 0
        with path.open("wb") as file:
            for piece in response.iter_bytes():
                size += len(piece)
                if size > _MOST_BYTES:
                    problem = f"{name} is larger than {_MOST_BYTES / 2**30:.0f} GiB."
                    raise UserError(problem, "Download it, and import a part of it.")
                file.write(piece)


def _check(response: httpx.Response, name: str) -> None:
    """Raise UserError where the hub gives nothing."""
    if response.is_success:
        return
    if response.status_code in (401, 403):
        problem = f"{name} is not open to all, or not there (HTTP {response.status_code})."
        raise UserError(problem, "Accept its terms on the hub, download the file and import that.")
    if response.status_code == 404:
        raise UserError(f"{name} is not on the hub.", "Check owner, name and file; case counts.")
    problem = f"{name} cannot be fetched: HTTP {response.status_code}."
    raise UserError(problem, "Try again, or download the file and import that.")
