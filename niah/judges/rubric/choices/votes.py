"""What became of what was to be approved, in other languages than English: "rechazó", "wurde genehmigt"."""

from __future__ import annotations

from typing import NamedTuple

from niah.judges.rubric.languages.detect import languages_of, reads_as_english
from niah.judges.rubric.lazy_pattern import lazy_pattern

_TURNED_DOWN = lazy_pattern(
    r"\b(?:abgelehnt|lehnten?\b[^.;,]*\bab|verwarf(?:en)?|verworfen|zurückgewiesen|rejet(?:é\w*|[aà]|tent|èrent)|rechaz(?:ó|ad[oa]s?|aron)"
    r"|rejeit(?:ou|ad[oa]s?|aram)|respint[oaie]|respinse|bocciat[oaie]|bocciò|verwierp(?:en)?|verworpen|afgewezen|wees\b[^.;,]*\baf|förkasta\w*"
    r"|avslog\w*|avslagi?t?|odrzuci\w+|reddet\w+|отклонил\w*|отклон[её]н\w*|отверг\w*)(?!\w)"
)
_LET_THROUGH = lazy_pattern(
    r"\b(?:genehmigt\w*|gebilligt|billigten?|zugestimmt|stimmten?\b[^.;,]*\bzu|angenommen|nahmen?\b[^.;,]*\ban|approuv\w+|accepté\w*"
    r"|aprob(?:ó|ad[oa]s?|aron)|aceptó|aprov(?:ou|ad[oa]s?|aram)|aceitou|approv(?:ò|at[oaie]|arono)|accettat[oaie]|goedgekeurd|keurden?\b[^.;,]*\bgoed"
    r"|godkän\w+|antog\w*|zatwierdzi\w+|zaakceptow\w+|onayla\w+|kabul\s+et\w+|одобри\w+|утверди\w+|принял\w*)(?!\w)"
)


class Vote(NamedTuple):
    """Whether something was turned down, and where a text says so or the contrary."""

    against: bool
    start: int
    end: int


def vote_elsewhere(text: str) -> Vote | None:
    """What a normalised text that is not in English says of a vote; None where it says both or none."""
    if reads_as_english(text) or len(languages_of(text).known) == 1:
        return None
    down, through = _TURNED_DOWN.search(text), _LET_THROUGH.search(text)
    said = down or through
    return None if said is None or (down and through) else Vote(down is not None, *said.span())
