"""Files of the Hugging Face hub: out of its cache on this machine, or fetched once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from niah.errors import UserError

_PATIENCE_S = 10.0
_may_fetch: ContextVar[bool] = ContextVar("may_fetch", default=True)


def cached_or_fetched(repository: str, name: str) -> Path:
    """The file ``name`` of "owner/name". What the cache has is not asked for again.

    Raises UserError where the hub cannot be reached, must not be asked, or has no such file for this user.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    with _refusals(repository, name):
        try:
            return Path(hf_hub_download(repository, name, local_files_only=True))
        except LocalEntryNotFoundError:
            if not _may_fetch.get():
                raise UserError(
                    f"{repository!r} is not in Hugging Face's cache, and a run file has no hub asked.",
                    "Fetch it once: niah generate SUITE with that tokenizer.",
                ) from None
        digest_at_hub(repository, name)
        return Path(hf_hub_download(repository, name))


def digest_at_hub(repository: str, name: str) -> str:
    """What the hub names the file's content by: the SHA-256 of a large file. Raises UserError.

    Asked once: a download's own client would try six times where there is no network.
    """
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    with _refusals(repository, name):
        return get_hf_file_metadata(hf_hub_url(repository, name), timeout=_PATIENCE_S).etag or ""


def download(repository: str, name: str, folder: Path) -> Path:
    """The file, fetched into a folder and not into the cache. Raises UserError."""
    from huggingface_hub import hf_hub_download
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()  # they would draw over niah's own
    with _refusals(repository, name):
        return Path(hf_hub_download(repository, name, local_dir=folder))


@contextmanager
def nothing_fetched() -> Iterator[None]:
    """No hub is asked in here: another person's file must not decide what this machine calls."""
    token = _may_fetch.set(False)
    try:
        yield
    finally:
        _may_fetch.reset(token)


@contextmanager
def _refusals(repository: str, name: str) -> Iterator[None]:
    """Raise UserError in place of the hub's own errors."""
    import httpx
    from huggingface_hub import errors

    try:
        yield
    except (httpx.HTTPError, OSError, errors.HFValidationError) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        match error:
            case errors.GatedRepoError():
                problem, remedy = "is gated", "Ask for access on its page, and run `hf auth login`."
            case errors.RepositoryNotFoundError():
                problem, remedy = "is not there, or private", "Check the name, or run `hf auth login`."
            case errors.EntryNotFoundError():
                problem, remedy = f"has no {name}", f"Give the path of a {name}."
            case errors.HfHubHTTPError() | errors.HFValidationError():
                problem, remedy = f"cannot be fetched ({said})", "Try again later."
            case _:
                problem = f"is not in the cache, and the hub cannot be reached ({said})"
                remedy = f"Go online once, or give the path of the model's {name}."
        raise UserError(f"the Hugging Face hub's {repository!r} {problem}.", remedy) from None
