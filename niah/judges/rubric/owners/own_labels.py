"""Labels with which an answer names itself: "Endgültige Antwort:", "Respuesta final:", "Final count:".

Such words tell nobody's thing, even where a distractor's text happens to have one of them.
"""

from __future__ import annotations

from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.reading.spans import without_spans

_ADJECTIVE = (
    r"(?:final|correct|right|short|direct|overall|full|resulting|endgültige[rsn]?|richtige[rsn]?|kurze|finale[rs]?"
    r"|définitive?|finale?|correcte?|bonne|corta|correct[oa]|definitiv[oa]|corrett[oa]|окончательный|итоговый|правильный)"
)
_NOUN = (
    r"(?:answers?|results?|counts?|numbers?|values?|solutions?|conclusion|response|reply|antwort(?:en)?|ergebnis(?:se)?"
    r"|lösung(?:en)?|anzahl|zahl|wert|fazit|respuestas?|resultados?|solución|número|valor|réponses?|résultats?|nombre"
    r"|respostas?|risposte?|risposta|risultat[oi]|soluzione|numero|valore|ответы?|результат|итог|число)"
)
_OWN_LABEL = lazy_pattern(
    r"(?:\A|(?<=[.!?\n]))[^\w\n]*(?:(?:so|thus|therefore|hence|also|donc|así|the|my|die|das|der|meine?|la|le|el|il|o|a|ma|mi)\s+){0,3}"
    rf"(?:{_ADJECTIVE}\s+){{0,2}}{_NOUN}(?:\s+{_ADJECTIVE})?\s*(?=[:=])"
)


def without_own_labels(text: str) -> str:
    """A masked text with spaces for the labels with which it names itself an answer."""
    if ":" not in text and "=" not in text:
        return text
    return without_spans(text, [label.span() for label in _OWN_LABEL.finditer(text)])
