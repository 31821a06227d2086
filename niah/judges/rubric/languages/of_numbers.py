"""The languages of a text's numbers in words: "cuatro mil" is Spanish, whatever else a short text shows."""

from __future__ import annotations

import re
from functools import lru_cache

from niah.judges.rubric.languages.detect import Language, letter_words

# Words of numbers from twenty up that are no words of English, nor of its names.
_LARGE = """
es: mil ciento doscientos doscientas trescientos trescientas cuatrocientos cuatrocientas quinientos quinientas
es: seiscientos seiscientas setecientos setecientas ochocientos ochocientas novecientos novecientas treinta
es: cuarenta cincuenta sesenta setenta ochenta noventa veinte veintiuno veintiún veintidós veintitrés
es: veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve
pt: mil cento duzentos duzentas trezentos trezentas quatrocentos quatrocentas quinhentos quinhentas seiscentos
pt: seiscentas setecentos setecentas oitocentos oitocentas novecentos novecentas vinte trinta quarenta
pt: cinquenta sessenta setenta oitenta noventa
fr: mille vingt vingts trente quarante cinquante soixante septante nonante
it: mille venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento
"""
_SMALL = """
es: cuatro cinco seis siete ocho nueve diez doce trece catorce dieciséis diecisiete dieciocho diecinueve
pt: duas três quatro sete oito nove dez doze treze catorze quatorze dezesseis dezasseis dezessete dezassete
pt: dezoito dezenove dezanove
fr: deux quatre cinq huit neuf onze douze treize quatorze quinze
de: zwei drei vier fünf sechs sieben acht neun zehn zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn
de: achtzehn neunzehn
it: quattro cinque sette otto dieci undici dodici tredici quattordici quindici sedici diciassette diciotto
"""
_COMPOUND = re.compile(
    r"(?P<de>\w*(?:hundert|tausend)\w*|\w*und(?:zwan|drei(?:ss|ß)|vier|fünf|sech|sieb|acht|neun)zig"
    r"|(?:zwan|drei(?:ss|ß)|vier|fünf|sech|sieb|acht|neun)zig)"
    r"|(?P<it>\w+(?:mila|cento)\w*|(?:mille|cento)\w+"
    r"|(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)[ai]?(?:uno|due|tré|quattro|cinque|sei|sette|otto|nove))"
)
_IN_COMPOUNDS = ("hundert", "tausend", "zig", "mila", "mille", "cento", "nta", "nti", "nto")
_SHORT = 4
_ENGLISH = frozenset(
    ("the", "of", "and", "is", "are", "was", "were", "it", "that", "with", "by", "this", "from", "has")
)
"""Words of English alone. In its texts "due" and "once" are no numbers, whatever a name reads like."""


def _listed(lines: str) -> dict[str, tuple[Language, ...]]:
    listed: dict[str, tuple[Language, ...]] = {}
    for line in lines.strip().splitlines():
        language, _, words = line.partition(": ")
        for word in words.split():
            listed[word] = (*listed.get(word, ()), language)  # type: ignore[arg-type]
    return listed


_LARGE_WORDS, _SMALL_WORDS = _listed(_LARGE), _listed(_SMALL)


@lru_cache(maxsize=64)
def languages_of_number_words(text: str) -> tuple[Language, ...]:
    """The languages of a normalised text's numbers in words; small ones tell in a short text alone."""
    words = letter_words(text)
    if not _ENGLISH.isdisjoint(words):
        return ()
    found = [language for word in words for language in _LARGE_WORDS.get(word, ())]
    if len(words) <= _SHORT:
        found += [language for word in words for language in _SMALL_WORDS.get(word, ())]
    if any(part in text for part in _IN_COMPOUNDS):
        compounds = filter(None, map(_COMPOUND.fullmatch, words))
        found += ["de" if match["de"] else "it" for match in compounds]
    return tuple(dict.fromkeys(found))
