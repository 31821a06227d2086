"""Files of the Hugging Face hub: out of its cache on this machine, or fetched once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from niah.errors import UserError

_PATIENCE_S = 10.0
_may_fetch: ContextVar[bool] = ContextVar("may_fetch", default=True)


@contextmanager
def nothing_fetched() -> Iterator[None]:
    """No hub is asked in here: another person's file must not decide what this machine calls."""
    token = _may_fetch.set(False)
    try:
        yield
    finally:
        _may_fetch.reset(token)


def cached_or_fetched(repository: str, name: str, folder: Path | None = None, sha256: str = "") -> Path:
    """The file ``name`` of "owner/name", in a folder or Hugging Face's cache. What is there is not asked for.

    Raises UserError where the hub cannot be reached, must not be asked, or has no such file for this user.
    """
    import httpx
    from huggingface_hub import errors, get_hf_file_metadata, hf_hub_download, hf_hub_url
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()  # they would draw over niah's own
    remedy = "Check the name, or run `hf auth login`."
    try:
        try:
            return Path(hf_hub_download(repository, name, local_dir=folder, local_files_only=True))
        except errors.LocalEntryNotFoundError:
            if not _may_fetch.get():
                problem, remedy = "is not in the cache, and a run file has no hub asked", "Fetch it once."
                raise UserError(f"the Hugging Face hub's {repository!r} {problem}.", remedy) from None
        # Asked once: a download's own client would try six times where there is no network.
        digest = get_hf_file_metadata(hf_hub_url(repository, name), timeout=_PATIENCE_S).etag or ""
        if sha256 and len(digest) == len(sha256) and digest != sha256:  # small files have another digest
            problem = f"has another {name}"
        else:
            return Path(hf_hub_download(repository, name, local_dir=folder))
    except errors.GatedRepoError:
        problem, remedy = "is gated", "Ask for access on its page, and run `hf auth login`."
    except errors.RepositoryNotFoundError:
        problem = "is not there, or private"
    except errors.EntryNotFoundError:
        problem, remedy = f"has no {name}", f"Give the path of a {name}."
    except (httpx.HTTPError, OSError, errors.HFValidationError) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        problem, remedy = f"cannot be reached ({said})", f"Go online once, or give the path of a {name}."
    raise UserError(f"the Hugging Face hub's {repository!r} {problem}.", remedy) from None
