from __future__ import annotations

import numpy as np
import pytest

from niah.analysis.stats.surface import posterior
from niah.analysis.stats.surface.length_surface import fit_surface


def surface(scores: np.ndarray) -> np.ndarray:
    """Fitted to scores of shape (seeds, depths, lengths)."""
    seeds, depths, lengths = np.indices(scores.shape)
    return fit_surface(
        scores.ravel(),
        lengths.ravel(),
        depths.ravel(),
        seeds.ravel(),
        np.arange(scores.shape[2], dtype=np.float64),
        np.linspace(0, 1, scores.shape[1]),
        draws=400,
        seed=0,
    )


def test_what_is_left_out_as_unlikely_changes_no_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    scores = (rng.random((3, 11, 6)) < np.linspace(0.95, 0.1, 6)).astype(np.float64)
    quick = surface(scores)
    monkeypatch.setattr(posterior, "_NEGLIGIBLE", np.inf)
    np.testing.assert_array_equal(quick, surface(scores))


def test_one_depth_that_falls_early_is_told_from_its_neighbours() -> None:
    scores = np.ones((3, 11, 6))
    scores[:, :, 4:] = 0
    scores[:, 7, 2:] = 0
    means = surface(scores).mean(axis=0)
    assert means[7, 2] < 0.2
    assert (means[[6, 8], 2] > 0.8).all()


def test_of_very_many_depths_with_many_trials_no_weight_is_lost() -> None:
    """Products over 120 depths are small numbers; each depth still has its own threshold."""
    scores = np.ones((12, 120, 5))
    scores[:, ::2, 3:] = 0
    scores[:, 1::2, 2:] = 0
    means = surface(scores).mean(axis=0)
    assert (means[::2, 2] > 0.8).all()
    assert (means[1::2, 2] < 0.2).all()
