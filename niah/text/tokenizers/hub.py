"""Tokenizers of the Hugging Face hub: out of its cache on this machine, or fetched into it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from niah.errors import UserError

_FILE = "tokenizer.json"
_PATIENCE_S = 10.0
_may_fetch: ContextVar[bool] = ContextVar("may_fetch", default=True)


def hub_file(repository: str) -> Path:
    """The tokenizer.json of ``owner/name``. What is in the cache is not asked for again.

    Raises:
        UserError: the hub cannot be reached, must not be asked, or has no such file for this user.
    """
    import httpx
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        try:
            return Path(hf_hub_download(repository, _FILE, local_files_only=True))
        except LocalEntryNotFoundError:
            if not _may_fetch.get():
                raise _unasked(repository) from None
            _check_reachable(repository)
        return Path(hf_hub_download(repository, _FILE))
    except (httpx.HTTPError, OSError, HFValidationError) as error:
        raise _refused(repository, error) from None


@contextmanager
def nothing_fetched() -> Iterator[None]:
    """No hub is asked in here: what somebody else's file names must not decide whom this machine calls."""
    token = _may_fetch.set(False)
    try:
        yield
    finally:
        _may_fetch.reset(token)


def _unasked(repository: str) -> UserError:
    problem = f"tokenizer {repository!r} is not in Hugging Face's cache, and a run file has no hub asked."
    return UserError(problem, "Ask for it yourself once: niah generate SUITE with that tokenizer.")


def _check_reachable(repository: str) -> None:
    """Ask once: the hub's own client would try six times, half a minute in all."""
    import httpx
    from huggingface_hub import get_session, hf_hub_url

    try:
        get_session().head(hf_hub_url(repository, _FILE), timeout=_PATIENCE_S)
    except (httpx.HTTPError, OSError) as error:  # OSError: HF_HUB_OFFLINE is set
        raise _unreachable(repository, _first_line(error)) from None


def _unreachable(repository: str, why: str) -> UserError:
    return UserError(
        f"tokenizer {repository!r} is not in Hugging Face's cache, and its hub cannot be reached ({why}).",
        f"Go online once, or give the path of the model's {_FILE}.",
    )


def _refused(repository: str, error: Exception) -> UserError:
    from huggingface_hub.errors import EntryNotFoundError, GatedRepoError, RepositoryNotFoundError

    if isinstance(error, GatedRepoError):
        problem, remedy = "is gated", "Ask for access on its page, and run `hf auth login`."
    elif isinstance(error, RepositoryNotFoundError):
        problem, remedy = "is not there, or private", "Check the name; for a private one run `hf auth login`."
    elif isinstance(error, EntryNotFoundError):
        problem = f"has no {_FILE}"
        remedy = "Make one with transformers: AutoTokenizer.from_pretrained(NAME).save_pretrained(FOLDER)."
    else:
        problem, remedy = f"cannot be fetched ({_first_line(error)})", "Try again later."
    return UserError(f"the Hugging Face hub's {repository!r} {problem}.", remedy)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
