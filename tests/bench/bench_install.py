"""What installing niah takes: megabytes to download and on disk, and seconds, of the core and of extras.

    python -m tests.bench.bench_install [whole [WORK]]

Builds the sdist and from it the wheel, installs that into an empty environment, and runs a command there in
an empty folder: of the core, 130 MB to download; with "whole" of each set of extras too. A package index has
to be at hand.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.goals import beside_goal

ROOT = Path(__file__).parents[2]

COMMANDS = {
    "": ("generate", "quick", "--audit", "--out", "cases.jsonl"),
    "local": ("run", "quick", "--limit", "4"),
    "all": ("doctor",),
}
"""What is installed besides the core, and the command that is run then."""

_SIZES = """
import importlib.metadata, json
from pathlib import Path
sizes = {}
for one in importlib.metadata.distributions():
    files = [path for file in one.files or [] if (path := Path(one.locate_file(file))).is_file()]
    sizes[one.name] = [
        sum(path.stat().st_blocks * 512 for path in files),
        sum(path.stat().st_blocks * 512 for path in files if path.suffix == ".pyc"),
    ]
print(json.dumps(sizes))
"""
_LARGEST = 12
"""So many packages are printed."""


def built(folder: Path) -> Path:
    """The wheel, made from the sdist; both lie in the folder."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    print(f"sdist {sdist.stat().st_size / 1e6:.1f} MB, wheel {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
    return wheel


def installed(wheel: Path, extra: str, folder: Path) -> Path:
    """The Python of an empty environment with the wheel and the extra in it; prints what that took."""
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    constraints = ("-c", str(ROOT / "constraints.txt"))
    fetched_s = _fetched_s(python, "-d", str(folder / "wheels"), *constraints, wanted)
    files = [path for path in (folder / "wheels").iterdir() if path.name != wheel.name]
    found = ("--find-links", str(folder / "wheels"))
    installed_s = _seconds(python, "install", *found, *constraints, wanted)
    sizes = _sizes(python)
    disk, compiled = (sum(size[i] for size in sizes.values()) / 1e6 for i in (0, 1))
    name = f"niah[{extra}]" if extra else "niah"
    downloaded = sum(path.stat().st_size for path in files) / 1e6
    print(
        f"{name}: {len(sizes)} packages, {downloaded:.0f} MB downloaded in {fetched_s:.0f} s, "
        f"{disk:.0f} MB on disk ({disk - compiled:.0f} before Python compiles), "
        f"installed in {installed_s:.0f} s"
    )
    largest = sorted(sizes.items(), key=lambda item: -item[1][0])[:_LARGEST]
    print("  " + ", ".join(f"{each} {size[0] / 1e6:.0f}" for each, size in largest), flush=True)
    if not extra:
        print(beside_goal("core on disk", disk), flush=True)
    return python


def _fetched_s(python: Path, *pip: str) -> float:
    try:
        return _seconds(python, "download", *pip)
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode().strip().splitlines()
        print(f"skipped: needs a package index: {said[-1] if said else 'pip says nothing'}")
        sys.exit(0)


def _seconds(python: Path, *pip: str) -> float:
    started = time.perf_counter()
    subprocess.run([str(python), "-m", "pip", *pip, "--quiet"], check=True, capture_output=True)
    return time.perf_counter() - started


def _sizes(python: Path) -> dict[str, list[int]]:
    done = subprocess.run([str(python), "-c", _SIZES], check=True, capture_output=True, text=True)
    sizes: dict[str, list[int]] = json.loads(done.stdout)
    return {name: size for name, size in sizes.items() if name not in {"setuptools", "niah"}}


def tried(python: Path, command: Sequence[str], folder: Path) -> None:
    """Run a command of the environment in an empty folder, far from the source; prints how it ended."""
    folder.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    started = time.perf_counter()
    done = subprocess.run(
        [str(python.parent / "niah"), *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.perf_counter() - started
    print(f"  niah {' '.join(command)}: exit code {done.returncode}, {seconds:.0f} s", flush=True)
    if done.returncode:
        print(done.stdout + done.stderr)


def main() -> None:
    extras = COMMANDS if "whole" in sys.argv else ("",)
    with tempfile.TemporaryDirectory(prefix="niah-install-") as temporary:
        work = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(temporary)
        print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
        wheel = built(work / "dist")
        for extra in extras:
            folder = work / (extra or "core")
            folder.mkdir()
            tried(installed(wheel, extra, folder), COMMANDS[extra], folder / "empty")


if __name__ == "__main__":
    main()
