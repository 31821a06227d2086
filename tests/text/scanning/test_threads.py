from __future__ import annotations

import os

import pytest

from niah.text.scanning.threads import together


def test_results_stand_in_the_order_of_the_tasks() -> None:
    assert together([lambda: 1, lambda: 2, lambda: 3]) == [1, 2, 3]
    assert together([lambda: 1]) == [1]


def test_what_a_task_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        together([lambda: 1, lambda: 1 // 0])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_has_threads_of_its_own() -> None:
    together([lambda: 1, lambda: 2])
    child = os.fork()
    if not child:
        os._exit(together([lambda: 1, lambda: 2])[1])
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
