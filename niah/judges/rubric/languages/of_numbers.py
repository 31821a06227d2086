"""The languages of a text's numbers in words: "cuatro mil" is Spanish, whatever else a short text shows."""

from __future__ import annotations

from functools import lru_cache

from niah.judges.rubric.languages.detect import Language, letter_words
from niah.judges.rubric.lazy_pattern import lazy_pattern

# Words of numbers from twenty up that are no words of English, nor of its names.
_LARGE = """
es: mil ciento doscientos doscientas trescientos trescientas cuatrocientos cuatrocientas quinientos quinientas
es: seiscientos seiscientas setecientos setecientas ochocientos ochocientas novecientos novecientas treinta
es: cuarenta cincuenta sesenta setenta ochenta noventa veinte veintiuno veintiún veintidós veintitrés
es: veintiuna veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve
pt: mil cento duzentos duzentas trezentos trezentas quatrocentos quatrocentas quinhentos quinhentas seiscentos
pt: seiscentas setecentos setecentas oitocentos oitocentas novecentos novecentas vinte trinta quarenta
pt: cinquenta sessenta setenta oitenta noventa
fr: mille vingt vingts trente quarante cinquante soixante septante huitante octante nonante
it: mille venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento
nl: twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend
sv: tjugo trettio fyrtio femtio sextio sjuttio åttio nittio hundra tusen
pl: dwadzieścia dwudziestu trzydzieści trzydziestu czterdzieści czterdziestu pięćdziesiąt pięćdziesięciu
pl: sześćdziesiąt sześćdziesięciu siedemdziesiąt siedemdziesięciu osiemdziesiąt osiemdziesięciu
pl: dziewięćdziesiąt dziewięćdziesięciu sto stu dwieście trzysta czterysta pięćset sześćset siedemset osiemset
pl: dziewięćset tysiąc tysiące tysięcy
tr: yirmi otuz kırk elli altmış yetmiş seksen doksan yüz
"""
_SMALL = """
es: cuatro cinco seis siete ocho nueve diez doce trece catorce dieciséis diecisiete dieciocho diecinueve
pt: duas três quatro sete oito nove dez doze treze catorze quatorze dezesseis dezasseis dezessete dezassete
pt: dezoito dezenove dezanove
fr: deux quatre cinq huit neuf onze douze treize quatorze quinze
de: zwei drei vier fünf sechs sieben acht neun zehn zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn
de: achtzehn neunzehn
nl: twee drie vier vijf zeven acht negen tien twaalf dertien veertien vijftien zestien zeventien achttien
nl: negentien
sv: två fyra sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton
pl: dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście
pl: czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwóch trzech czterech pięciu
tr: iki üç dört beş altı yedi sekiz dokuz
it: quattro cinque sette otto dieci undici dodici tredici quattordici quindici sedici diciassette diciotto
"""
_COMPOUND = lazy_pattern(
    r"(?P<de>\w*(?:hundert|tausend)\w*|\w*und(?:zwan|drei(?:ss|ß)|vier|fünf|sech|sieb|acht|neun)zig"
    r"|(?:zwan|drei(?:ss|ß)|vier|fünf|sech|sieb|acht|neun)zig)"
    r"|(?P<it>\w+(?:mila|cento)\w*|(?:mille|cento)\w+"
    r"|(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)[ai]?(?:un[oa]?|due|tr[eé]|quattro|cinque|sei|sette|otto|nove))"
    r"|(?P<nl>\w*(?:honderd|duizend)\w*|\w{3,6}[eë]n(?:twin|der|veer|vijf|zes|zeven|tach|negen)tig)"
    r"|(?P<sv>\w*(?:hundra|tusen)\w*|(?:tju|tret|fyr|fem|sex|sjut|åt|nit)t?[gi]o(?:ett|en|två|tre|fyra|fem|sex|sju|åtta|nio))"
    r"|(?P<tr>(?:on|yirmi|otuz|kırk|elli|altmış|yetmiş|seksen|doksan|yüz)(?:bir|iki|üç|dört|beş|altı|yedi|sekiz|dokuz))"
)
_IN_COMPOUNDS = (
    *("hundert", "tausend", "zig", "mila", "mille", "cento", "nta", "nti", "nto", "ntun", "ntott", "ttantun"),
    *("honderd", "duizend", "tig", "hundra", "tusen", "ttio", "tjugo", "rtio", "mtio", "xtio"),
    *("bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"),
)
_JOINING: tuple[Language, ...] = ("de", "it", "nl", "sv", "tr")
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
        found += [language for match in compounds for language in _JOINING if match[language]]
    return tuple(dict.fromkeys(found))
