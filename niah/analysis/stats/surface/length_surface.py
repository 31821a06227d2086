"""How score falls with context length, depth by depth, where cells hold too few trials to be read alone.

A mean score at length L and depth d is modelled as a share of the scale (0 the lowest score, 1 the highest),

    p(L, d) = top * (floor_d + (1 - floor_d) / (1 + exp(slope * (log2 L - threshold_d)))),

one top and one slope for all depths. Either depth makes no difference, and one threshold and one floor serve
all depths (a point null with a share of the prior: Jeffreys 1961, chapter 5). Or thresholds are drawn
together: threshold_d is normal around a mean, with a spread that is estimated too (a hierarchical
psychometric function: Kuss, Jaekel and Wichmann 2005). So a depth with three trials borrows from the others,
and one that fails early still shows. Or it is normal around a dip, so that neighbours fail early together, or
one depth alone (``niah.analysis.stats.surface.depth_dips``). floor_d is what is left however long the context
is, often nothing: a reader that falls by half at 16k, and no further, has a cliff and not a gentle slope. All
depths have one floor, or each its own.

Trials of a cluster share luck. The likelihood is raised to the power of 1 / design effect, which is estimated
from the clusters' residuals, and drawn towards ``_TYPICAL_EFFECT`` where clusters are few. Scores between the
ends of their scale vary less than ones and tens, and count for more. Not so for whether depth makes a
difference: luck that a cluster's trials share at all depths hides none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.stats.surface.curves import curves_over, log_likelihood
from niah.analysis.stats.surface.posterior import drawn, posterior_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_TYPICAL_EFFECT, _TYPICAL_CLUSTERS = 1.7, 2.0
"""The design effect that is expected before anything is seen, and how many clusters say so."""
_FIRST_DRAWS = 100
"""To know what is expected; the design effect needs no more, and no dips."""
_LEAST_EFFECT, _GREATEST_EFFECT = 0.4, 20.0


def fit_surface(
    shares: Floats,
    lengths: NDArray[np.intp],
    depths: NDArray[np.intp],
    clusters: NDArray[np.int64],
    doublings: Floats,
    along: Floats,
    *,
    draws: int,
    seed: int,
) -> Floats:
    """Draws from the posterior of the mean shares: shape (draws, depths, lengths), of the scale.

    Args:
        shares: shape (n,), scores as shares of their scale.
        lengths, depths, clusters: shape (n,), numbered from 0.
        doublings: shape (lengths,), the binary logarithms of the context lengths, rising.
        along: shape (depths,), where in the context they lie, from 0 to 1.
        draws: from the posterior.
        seed: of the draws.
    """
    rng = np.random.default_rng(seed)
    curves = curves_over(tuple(doublings.tolist()))
    likelihood = log_likelihood(curves, shares, lengths, depths)
    typical = posterior_of(curves, along, likelihood / _TYPICAL_EFFECT, with_dips=False)
    first = drawn(curves, typical, typical.probabilities(), _FIRST_DRAWS, rng)
    effect = _design_effect(shares, first.mean(axis=0)[depths, lengths], clusters)
    posterior = posterior_of(curves, along, likelihood / effect)
    unhidden = posterior if effect <= 1 else posterior_of(curves, along, likelihood)
    return drawn(curves, posterior, unhidden.probabilities(), draws, rng)


def _design_effect(shares: Floats, expected: Floats, clusters: NDArray[np.int64]) -> float:
    """How trials vary, ones and tens the most, times squares of clusters' residuals over such trials' own.

    Luck that a cluster's trials share makes it vary more, never less. Residuals of trials would say less than
    the scores: the fit has seen them.
    """
    binary = np.bincount(clusters, weights=expected * (1 - expected))
    varied = max(1 - (shares * (1 - shares)).sum() / binary.sum(), _LEAST_EFFECT)
    independent = varied * binary
    residuals = np.bincount(clusters, weights=shares - expected)
    typical = _TYPICAL_CLUSTERS * independent[independent > 0].mean()
    shared = ((residuals**2).sum() + _TYPICAL_EFFECT * typical) / (independent.sum() + typical)
    return float(min(varied * max(shared, 1.0), _GREATEST_EFFECT))
