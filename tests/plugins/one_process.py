"""Commands in a process of their own, one after the other: starting one for each takes seconds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

Done = dict[str, tuple[int, str, str]]

_COMMANDS = """
import json, sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from niah.cli.main import main
done = {}
for line in json.loads(sys.argv[1]):
    out, said = TextIOWrapper(BytesIO(), write_through=True), StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        code = main(line.split())
    done[line] = (code, out, said)
# Read at the end: a logger that one command has set up says there what later commands do.
for line, (code, out, said) in done.items():
    done[line] = (code, out.buffer.getvalue().decode(), said.getvalue())
print(json.dumps(done))
"""


def in_one_process(first: str, folder: Path, commands: Sequence[str], **environment: str) -> Done:
    """Exit code, output and errors of each command, behind some lines of Python; by "" what else was said."""
    command = [sys.executable, "-c", f"{first}\n{_COMMANDS}", json.dumps(commands)]
    all_of_it = os.environ | environment
    done = subprocess.run(command, cwd=folder, env=all_of_it, check=True, timeout=300, capture_output=True)
    found: Done = json.loads(done.stdout)
    return found | {"": (0, "", done.stderr.decode())}
