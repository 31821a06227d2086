"""How near distractors come to needles, in the eyes of the embedded embedder."""

from __future__ import annotations

import sys
from functools import lru_cache

from niah.needles.needle_set import NeedleSet
from niah.text.embedding.embedder import get_embedder, nearest_similarity

EMBEDDER = "minilm"


@lru_cache(maxsize=256)
def similarities(needle_set: NeedleSet) -> dict[str, float]:
    """By distractor id: the cosine similarity, -1 to 1, to the needle that it is nearest to.

    Empty where there are no needles. Raises WeightsError if the embedder is not there and cannot be fetched.
    """
    if not needle_set.needles:
        return {}
    embedder = get_embedder(EMBEDDER, lambda line: print(line, file=sys.stderr))
    texts = [distractor.text for distractor in needle_set.distractors]
    found = nearest_similarity(embedder, texts, [needle.text for needle in needle_set.needles])
    return {
        distractor.id: float(cosine) for distractor, cosine in zip(needle_set.distractors, found, strict=True)
    }
