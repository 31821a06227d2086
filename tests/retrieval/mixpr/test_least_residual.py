from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from niah.retrieval.lexical import tfidf_rows
from niah.retrieval.mixpr.walk import least_residual
from tests.examples import of_all

Floats = NDArray[np.float64]

_WORDS = ["fox", "hen", "red", "sea", "the", "sun"]
_CHUNKS = st.lists(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5), min_size=2, max_size=12)


@settings(max_examples=of_all(300), deadline=None)
@given(_CHUNKS, st.floats(0.05, 1), st.integers(1, 6))
@example([["fox"], ["fox"]], 0.6, 3)  # the walk is at its end after a step
@example([["fox"], ["fox", "red"], ["red", "sea"], ["sea", "sun"], ["sun", "hen"]], 0.6, 4)
def test_the_weights_come_as_near_as_they_say_and_no_less_near_than_the_steps(
    chunks: list[list[str]], alpha: float, steps: int
) -> None:
    rows = tfidf_rows([" ".join(chunk) for chunk in chunks]).toarray()
    similar = rows @ rows.T
    sums = similar.sum(axis=0)
    a, w = similar / sums, sums / sums.sum()
    p = np.eye(len(sums))[-1]
    changes = [np.linalg.matrix_power(a, k) @ (p - w) for k in range(steps + 1)]
    moments = np.array([changes[k // 2] @ (changes[k - k // 2] / sums) for k in range(2 * steps + 1)])
    (weights, residual_weights), length = least_residual(moments, alpha)

    near = (1 - alpha) * w + alpha * p + weights @ np.stack(changes[1:])
    residual = residual_weights @ np.stack(changes[1:])
    end = alpha * np.linalg.solve(np.eye(len(p)) - (1 - alpha) * a, p)
    x = near - residual
    assert np.allclose(residual, alpha * p - x + (1 - alpha) * a @ x, atol=1e-12)
    exact = float(np.sqrt((residual**2 / sums).sum()))
    assert np.isclose(length, exact, atol=1e-7 * float(np.sqrt(moments[2])) + 1e-12)
    assert np.abs(near - end).max() <= (1 - alpha) / alpha * exact + 1e-12
    of_steps = alpha * (1 - alpha) ** steps * float(np.sqrt(moments[2 * steps]))
    assert exact <= of_steps * (1 + 1e-6) + 1e-9
