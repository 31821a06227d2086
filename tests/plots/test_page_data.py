"""What the page has of a trial besides its numbers."""

from __future__ import annotations

import base64
import json
import zlib
from decimal import Decimal
from pathlib import Path
from typing import Any

from niah.plots.page_data import blocks
from niah.readers.reader import Usage
from niah.runs.file.read import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.trial import PreparationCall, rows_of
from tests.plots.simulated_run import Size, write_run


def test_the_drawer_says_what_models_were_asked_before_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    write_run(path, Size(lengths=(512,), depths=(0,), sets=("ferry-lanterns",), readers=("a",)))
    first, second, *_ = rows_of(read_run(path).trials)
    of_document = first.definition, first.context_sha256, ""
    of_question: tuple[str, str, str] = first.definition, first.context_sha256, first.trial_id
    with open_for_writing(path) as store:
        for (definition, document, trial_id), step, key in (
            (of_document, "gist", "1"),
            (of_document, "gist", "2"),
            (of_question, "look", "3"),
        ):
            paid = Usage(100, 20), Decimal("0.01"), False
            store.add_preparation(
                PreparationCall(
                    definition, document, trial_id, key, step, "helper", *paid, step == "gist", False
                )
            )
    run = read_run(path)
    ((_, packed),) = blocks([run], run.trials.assign(run=0))
    block: Any = json.loads(zlib.decompress(base64.b64decode(packed), -zlib.MAX_WBITS))
    turns = {
        record.trial_id: told["turns"]
        for record, told in zip(rows_of(run.trials), block["trials"], strict=True)
    }
    assert turns[first.trial_id] == [
        ["the document", "gist", "helper", 2, 240, 0.02, 0],
        ["this question", "look", "helper", 1, 120, 0.01, 1],
    ]
    assert turns[second.trial_id] == []
