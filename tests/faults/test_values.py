"""The form of a value decides: another unit, sign, power, currency or name is another value.

Each row is asked from outside. A right answer scores 10; a wrong one scores 1, whatever else it says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import niah as package
from tests.contract.conftest import Endpoint, Niah, write

pytestmark = pytest.mark.usefixtures("without_figures")

_WRONG = """
5 mg            | The daily dose of the Hask tonic is 5 µg.
5 mg            | 5 μg
5 µg            | 5 mg
5 μg            | The dose is 5 mg.
12 mm           | 12 µm
40 ms           | 40 µs
250 mA          | 250 µA
3 kg            | 3 g
60 km           | 60 m
-17             | The offset of the Perrow clock is 17.
-17             | +17
17              | -17
17              | It is −17.
-42.50 euros    | 42.50 euros
-3 °C           | 3 °C
1e-5            | 1e5
2.5e-3          | 2.5e3
2.5e3           | 2.5e-3
3.2 × 10^-4     | 3.2 × 10^4
€50             | $50
50 euros        | 50 pounds
£120            | 120 dollars
2.10            | v2.1
2.1             | 2.10.3
48213           | 148213
48213           | 482130
Ann             | Anna
Anna Berg       | Anna Bergstrom
Mark Twain      | Mark
North Hask      | South Hask
May             | It may have been June.
Will            | He will be called Tom.
US              | It tells us it was France.
WHO             | Anna, who lived there.
OR              | CA or WA
IT              | It belongs to the kitchen.
ON              | It is on the shelf.
"""

_RIGHT = r"""
5 µg            | The dose is 5 μg.
5 µg            | 5 micrograms
5 mg            | 5 milligrams
-17             | It is −17.
-17             | minus 17
-42.50 euros    | -42.50 euros
-3 °C           | -3 degrees Celsius
1e-5            | 1e-05
2.5e-3          | 2.5e-03
€50             | 50 euros
2.10            | v2.10
2.10            | It is version 2.10.
May             | In May.
Will            | The keeper is Will.
US              | It was the US.
WHO             | It belongs to the WHO
OR              | The state is OR.
IT              | It belongs to IT.
ON              | The province is ON.
C:\lock\log.txt | {"file": "C:\\lock\\log.txt"}
Café Rheia      | {"name": "Caf\u00e9 Rheia"}
the "Old" lamp  | {"answer": "the \"Old\" lamp"}
https://example.org/k7 | [The notice](https://example.org/k7)
8842            | 8842\n</think>\n
8842            | Perhaps 1234.</think>8842
8842            | \e[1m8842\e[0m
8842            | The code is \e[32;1m8842\e[0m.
"""


def _rows(table: str, score: int) -> Iterator[tuple[str, str, int]]:
    for line in table.strip().splitlines():
        value, answer = (part.strip() for part in line.split("|", 1))
        yield value, answer, score


def _gate(folder: Path, value: str) -> Path:
    """A needle set whose only element is ``value``."""
    name, text = json.dumps(value), json.dumps(f"The entry of the Hask gate is {value}.")
    facts = f"question: What is the entry of the Hask gate?\nanswer: {name}\nelements: [{{name: {name}}}]\n"
    return write(folder / "needles" / "gate.yaml", f"{facts}needles: [{{text: {text}}}]\n")


@pytest.mark.parametrize(("value", "answer", "score"), [*_rows(_WRONG, 1), *_rows(_RIGHT, 10)])
def test_a_value_is_read_in_its_own_form(folder: Path, value: str, answer: str, score: int) -> None:
    said = answer if "{" in answer else answer.replace("\\n", "\n").replace("\\e", "\x1b")
    assert package.judge(said, str(_gate(folder, value))).score == score


@pytest.mark.parametrize("name", ["IT", "WHO", "OR", "ON", "Will", "May", "US"])
def test_a_name_that_is_also_a_small_word_can_be_hidden(
    niah: Niah, endpoint: Endpoint, folder: Path, name: str
) -> None:
    endpoint.models["m"] = lambda prompt: f"It is {name}."
    fact = ("--needle", f"The lamp of the hall belongs to {name}.", "--question", "Whose is the lamp?")
    grid = ("--expect", name, "--lengths", "512", "--depths", "50")
    ran = niah("run", *fact, *grid, "--model", "m", "--api-base", endpoint.base, "--out", "x.sqlite")
    assert ran.code == 0, ran.err
    assert [row["score"] for row in niah("export", "x.sqlite").rows] == [10]
