"""A published file from the Hugging Face hub, fetched for an import and forgotten after it.

``hub:OWNER/NAME/FILE`` is one file of a dataset, ``hub:OWNER/NAME`` its only JSON file. Plain HTTPS, without
the hub's own package; ``HF_ENDPOINT`` names another hub, as it does there.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.errors import UserError

if TYPE_CHECKING:
    import httpx

_PREFIX = "hub:"
_NAME = re.compile(r"hub:(?P<id>[\w.-]+/[\w.-]+)(?:/(?P<file>[^?#]+))?", re.ASCII)
_ENDPOINT = "https://huggingface.co"
_READ = (".jsonl", ".json")
_MOST_BYTES = 8 * 2**30
_MOST_NAMED = 8
_TIMEOUT_S = 60.0


def file_or_fetched(name: str) -> AbstractContextManager[Path]:
    """The file at that path, or, of a name that begins with "hub:", what ``fetched`` gives."""
    return fetched(name) if name.startswith(_PREFIX) else nullcontext(Path(name))


@contextmanager
def fetched(name: str) -> Iterator[Path]:
    """The file that ``name`` means on the hub, in a folder that is there only meanwhile.

    Raises UserError where the name means none, or it cannot be had.
    """
    import httpx

    dataset, file = _parts(name)
    endpoint = os.environ.get("HF_ENDPOINT") or _ENDPOINT
    with tempfile.TemporaryDirectory() as folder, _client(endpoint) as client:
        try:
            file = file or _only_file(client, name, dataset)
            path = Path(folder) / Path(file).name
            _download(client, name, f"/datasets/{dataset}/resolve/main/{file}", path)
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            reason = str(error) or type(error).__name__
            problem = f"{name} cannot be fetched from {endpoint}: {reason.rstrip('.')}."
            raise UserError(problem, "Try again, or download the file and import that.") from None
        yield path


def _client(endpoint: str) -> httpx.Client:
    import httpx

    if not endpoint.startswith(("https://", "http://")):
        problem = f"HF_ENDPOINT is {endpoint!r}, which is no web address."
        raise UserError(problem, "Write https://huggingface.co, or unset it.")
    return httpx.Client(base_url=endpoint, follow_redirects=True, timeout=_TIMEOUT_S)


def _parts(name: str) -> tuple[str, str]:
    """The dataset's id and the file in it; "" where the name says none. Raises UserError."""
    found = _NAME.fullmatch(name)
    if found is None or ".." in name.split("/"):
        raise UserError(f"{name!r} is no file on the hub.", "Write hub:OWNER/NAME or hub:OWNER/NAME/FILE.")
    return found["id"], found["file"] or ""


def _only_file(client: httpx.Client, name: str, dataset: str) -> str:
    """The dataset's only file that can be read here. Raises UserError, which names some of several."""
    response = client.get(f"/api/datasets/{dataset}")
    _check(response, name)
    listed: Any = response.json()
    siblings = listed.get("siblings", []) if isinstance(listed, dict) else []
    files = [str(each.get("rfilename")) for each in siblings if isinstance(each, dict)]
    readable = [file for file in files if file.endswith(_READ)]
    if len(readable) == 1:
        return readable[0]
    some = ", ".join(readable[:_MOST_NAMED])
    more = f" and {len(readable) - _MOST_NAMED} more" if len(readable) > _MOST_NAMED else ""
    if readable:
        raise UserError(f"{name} has {len(readable)} JSON files: {some}{more}.", f"Name one: {name}/FILE.")
    raise UserError(f"{name} has no JSON file.", "Download it, and write its rows as JSON lines.")


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
