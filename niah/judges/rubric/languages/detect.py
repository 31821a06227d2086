"""Which languages a text is written in, by its letters and its commonest words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Literal

from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.text.writing import HAN, HANGUL, HIRAGANA, KATAKANA

Language = Literal[
    "en", "de", "fr", "es", "pt", "it", "nl", "sv", "pl", "tr", "ru", "zh", "ja", "ko", "ar", "hi"
]
"""Languages whose refusals, denials and corrections the rubric knows."""

_WORD = re.compile(r"[^\W\d_]+")
_LETTERS_ALONE = bytes(code if _WORD.match(chr(code)) else ord(" ") for code in range(256))
"""Of the signs of Latin-1."""
_SHORTENED = re.compile(r"(?<=[^\W\d_])'(?:s|t|d|m|ll|re|ve)(?![^\W_])")
"""What English joins to a word: "the mill's" has no Czech "s"."""
_LATIN = re.compile("[a-z\u00df-\u024f\u1e00-\u1eff]")
_BEYOND_LATIN = re.compile("[^\x00-\u036f]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_NO_RUSSIAN = lazy_pattern("[\u0404\u0406\u0407\u0452-\u045f\u0490\u0491\u0454\u0456\u0457]")
_KANA = lazy_pattern(f"[{HIRAGANA}{KATAKANA}]")
_HANGUL = lazy_pattern(f"[{HANGUL}]")
_ARABIC = lazy_pattern("[\u0620-\u064a]")
_NO_ARABIC = lazy_pattern("[\u0679-\u06d3]")
"""Letters of Persian, Urdu and others that write in Arabic script."""
_DEVANAGARI = lazy_pattern("[\u0904-\u0939]")
_MARATHI = lazy_pattern("\u0933|(?:\u0906\u0939\u0947|\u0928\u093e\u0939\u0940)(?![\u0900-\u097f])")
"""A letter that Hindi has not, and two of the commonest words."""
_HAN = lazy_pattern(f"[{HAN}]")
_OTHER_SCRIPT = lazy_pattern("[\u0370-\u03ff\u0530-\u10ff\u1200-\u1cff\u1f00-\u1fff\ua800-\uabff]")

# The commonest words of each language.
_FUNCTION_WORDS = """
de: der das und ist nicht ein eine einen dem den des mit auf für von zu im wird sind auch aus sich wurde
de: werden kein
de: um am bei nach vor
de: keine aber oder nur ich es er sie nein ja hat war waren laut text antwort lautet als
de: dazu nichts steht hierzu darüber davon bleibt wurden diese dieser dieses nirgends zwar sondern dort
de: die dass wie wo wer als da doch noch schon hatte eines
fr: le la les des du et est une dans pour pas sont qui que sur au aux il elle ce cette mais ou je par n c
fr: avec ne un
fr: selon texte réponse été
fr: l d qu nulle aucun aucune rien jamais mais puis ses leur leurs même donc était étaient ont ces celui
fr: celle
de: wieviele wieviel viele welche welcher welches welchen
fr: combien quel quelle quels quelles
es: cuántas cuántos cuánto cuál quién quiénes cuáles
pt: quantas quantos quais quem todas
it: quante quanti quale quali
fr: votre vos vous nous dont cette cet notre également aussi hors très sous chez entre
es: también porque cuando donde dónde muy ya mi mis sus entre hasta
pt: também porque quando onde seu sua muito já minha meu entre até
it: anche perché quando dove suo sua molto già mio mia tra fino
es: el la los las del y es una un en para con no son que por se lo al como está pero según texto
es: respuesta su fue más
es: ese esa eso esto dato aparece nada ni sobre hay qué ningún ninguna sin pero sino fueron era le
pt: o a os as do da dos das e é uma um em no na não são que por para com se ao como está mas segundo
pt: texto foi mais
pt: resposta eu dia isso isto nada nem sobre há nenhum nenhuma sem mas pelo pela ao à ele ela foram era
it: il la i gli le di del della dei e è una un in nel nella non sono che per con si al come ma secondo
it: testo risposta
it: lo stato più
it: ho quanto quindi
it: questo questa nulla niente né su sul ci c nessun nessuna senza ma dal dalla alla erano era delle degli
nl: de het een en van is niet zijn dat die voor met op aan er worden wordt werd geen maar volgens tekst
nl: antwoord ik bij naar uit deze dit ook nog wel hij zij wij ze hun haar onze was waren heeft hebben had
nl: om kwart
nl: kan wie wat waar welke hoeveel omdat als dan toen over onder tegen tussen door nooit niets niemand
fr: attendez saurais saurait
de: ahnung keine
tr: bilinmiyor anlaşılmıyor belirtilmiyor
pl: brak nieznany nieznana
sv: aning
es: espera espere perdón
it: aspetta aspetti scusa scusi anzi
pt: espere desculpe aliás
nl: wacht
sv: vänta förlåt
pl: przepraszam czekaj
tr: bekle bekleyin
de: korrektur
nl: nee ja zoals volgens staat vermeld te om iets alleen
fr: de en se y s qu'il leur
es: de en se ha han fue eran fueron tiene tenía hubo cada todo todos
pt: de em se foi foram tem tinha cada todo não sim você pelos pelas nos nas num numa às aos
it: l dell all nell dall sull un uno di si se in al ai agli alle nei negli nelle sui sulle fu furono ha
it: hanno ogni tutto tutti lui
sv: och att det är som en på för av med inte den till ett har om var enligt svaret jag
sv: år klockan halv
sv: inga ingen inget finns eller men från när där hur vad vem vilka vilken han hon de dem sig efter nej
da: og det er en af til at på med for ikke den der et har som var ifølge svaret jeg
pl: i w na nie jest się z do to że są jak po za od przez oraz tekst odpowiedź jako co
pl: był była było były ale który która które dla ich jego jej lub albo przy pod nad kto gdzie kiedy ile tak
pl: roku dnia ze we o u być został została zostały zostało tym tego tej też więc
cs: a je v na se že s z do to není jsou který jako podle text odpověď
tr: ve bir bu için ile değil olarak olan da de çok daha metin göre cevap yok var
tr: yılında saat
tr: şu ne kadar gibi ama hayır evet kim nerede olduğu olduğunu oldu vardı yoktu en her hiç ya mi mı mu mü
tr: sonra önce tarafından ise ancak veya değildir bilgi metinde
ro: și este de în la cu nu sunt care pentru un o din pe ca textul răspunsul
hu: a az és hogy nem egy van is meg ez szöveg szerint válasz volt
fi: ja on ei että se tekstissä mukaan vastaus ovat oli mutta
id: dan yang di tidak dengan untuk dari adalah dalam ini itu ke pada teks jawaban menurut
vi: và là của không có trong được cho với các những này theo văn bản trả lời
en: the of and is are was were to in for that it not with as on by this from no i a or do me he she an at
en: be so has
"""
# Words of English too, or of its names ("Den Helder"), say nothing for another language.
_SAID_IN_ENGLISH = frozenset(
    re.findall(
        r"\w+",
        "den die war also text come see one dos per var over had was door met under men her we ale ai hon"
        " wat ten",
    )
)
_ENGLISH_ALONE = frozenset(
    re.findall(r"\w+", "the of and are were that not with by this from she he for has")
)
"""Of the commonest words of English those that are hardly any of other languages."""
_LISTED: dict[str, set[str]] = {}
for _line in _FUNCTION_WORDS.strip().splitlines():
    _code, _, _words = _line.partition(": ")
    _LISTED.setdefault(_code, set()).update(_words.split())
_ENGLISH = frozenset(_LISTED.pop("en")) | _SAID_IN_ENGLISH
_WORDS = {language: frozenset(words) - _ENGLISH for language, words in _LISTED.items()}
_LANGUAGES_OF_WORD = {
    word: tuple(language for language in _WORDS if word in _WORDS[language])
    for word in frozenset().union(*_WORDS.values())
}
_LANGUAGES_OF_ANY_WORD = {
    **_LANGUAGES_OF_WORD,
    **{
        word: tuple(language for language, words in _LISTED.items() if word in words)
        for word in _SAID_IN_ENGLISH.difference(("also", "text", "see", "one", "dos", "ai", "ten"))
    },
}
"""Those too that English has, but no short text of it without others."""
FUNCTION_WORDS = _ENGLISH.union(*_WORDS.values())
"""The commonest words of all languages: they name nothing."""


@cache
def commonest_words(language: Language) -> frozenset[str]:
    """The commonest words of one language, of which none names a thing."""
    return _ENGLISH - _SAID_IN_ENGLISH if language == "en" else frozenset(_LISTED.get(language, ()))


_UNKNOWN = {
    **{
        "da": "Danish or Norwegian",
        "cs": "Czech",
    },
    **{"ro": "Romanian", "hu": "Hungarian", "fi": "Finnish", "id": "Indonesian", "vi": "Vietnamese"},
}
_CLOSELY_READ: tuple[Language, ...] = ("de", "fr", "es", "pt", "it")
_ALSO_READ: tuple[Language, ...] = ("nl", "sv", "pl", "tr")
"""Languages that have a word or two of others: a text is in one of them if none has more of its words."""
_PARTICLES = frozenset(re.findall(r"\w+", "de la le du des da di del los las van der el y"))
"""Words that stand in names too: beside words of English alone they tell no language."""
_OWN_LETTERS: tuple[tuple[str, Language], ...] = (
    ("łąęśźżćń", "pl"),
    ("ığş", "tr"),
    ("ãõ", "pt"),
    ("ñ¿¡", "es"),
    ("å", "sv"),
)
_LEAST = 2
"""Commonest words of a language that must stand in a text; in a short one, one is enough."""
_SHORT = 4


@dataclass(frozen=True)
class Languages:
    """Languages of a text.

    Attributes:
        known: those that the rubric knows, English first, which is always among them, then the main one.
        unknown: names of those that it does not know, where nothing else is the text's main language:
            "Danish", "Thai script".
        main: of those with Latin letters, the ones that the text has most words of.
    """

    known: tuple[Language, ...]
    unknown: tuple[str, ...] = ()
    main: tuple[Language, ...] = field(default=(), compare=False)


def letter_words(text: str) -> list[str]:
    """The runs of letters in a text."""
    try:  # this is much faster
        letters = text.encode("latin-1").translate(_LETTERS_ALONE)
    except UnicodeEncodeError:
        return _WORD.findall(text)
    return letters.decode("latin-1").split()


def reads_as_english(tidied: str) -> bool:
    """Whether a casefolded text has some of the commonest words of English."""
    return len((_ENGLISH - _SAID_IN_ENGLISH).intersection(letter_words(tidied))) >= _LEAST


@lru_cache(maxsize=64)
def languages_of(tidied: str) -> Languages:
    """The languages of a casefolded text; a text that mixes them has several.

    A name or two in foreign letters do no harm: more languages only mean that more cues are looked for.
    """
    known: list[Language] = ["en"]
    unknown: list[str] = []
    if not tidied.isascii() and _BEYOND_LATIN.search(tidied):
        if _HANGUL.search(tidied):
            known.append("ko")
        if _KANA.search(tidied):
            known.append("ja")
        elif _HAN.search(tidied):
            known.append("zh")
        if _CYRILLIC.search(tidied):
            if _NO_RUSSIAN.search(tidied):
                unknown.append("a Cyrillic language other than Russian")
            else:
                known.append("ru")
        if _ARABIC.search(tidied) and not _NO_ARABIC.search(tidied):
            known.append("ar")
        if _DEVANAGARI.search(tidied) and not _MARATHI.search(tidied):
            known.append("hi")
        others = (unicodedata.name(sign, "") for sign in _OTHER_SCRIPT.findall(tidied))
        scripts = Counter(name.split()[0] for name in others if name)
        letters = sum(map(str.isalpha, tidied)) if scripts else 0
        read = {"ARABIC" if "ar" in known else "", "DEVANAGARI" if "hi" in known else ""}
        unknown += [
            f"{script.title()} script"
            for script, count in scripts.items()
            if 2 * count > letters and script not in read
        ]
    known_latin, unknown_latin, main = _latin_languages(tidied)
    return Languages((*known, *known_latin), (*unknown, *unknown_latin), main)


def _latin_languages(tidied: str) -> tuple[list[Language], list[str], tuple[Language, ...]]:
    """The languages with Latin letters, English left out; an unknown one only where it is the main one."""
    if not _LATIN.search(tidied):
        return [], [], ()
    said = letter_words(_SHORTENED.sub("", tidied) if "'" in tidied else tidied)
    is_english = not _ENGLISH_ALONE.isdisjoint(said)
    languages_of_word = _LANGUAGES_OF_WORD if is_english else _LANGUAGES_OF_ANY_WORD
    if languages_of_word.keys().isdisjoint(said):
        return _by_letters(tidied, said), [], ()
    listed = [word for word in said if word in languages_of_word]
    hits, kinds = _counted(listed, languages_of_word), _counted(set(listed), languages_of_word)
    most = max(hits.values())
    english = len([word for word in said if word in _ENGLISH]) if is_english else 0
    least = _LEAST if len(said) > _SHORT else 1
    enough = least if english else 1
    near = [
        language
        for language, count in hits.items()
        if kinds[language] >= enough and 2 * count > most and 3 * count >= english
    ]
    if english:
        words = (word for word in listed if word not in _PARTICLES)
        telling = {language for word in words for language in languages_of_word[word]}
        near = [language for language in near if language in telling]
    known: list[Language] = [language for language in _CLOSELY_READ if language in near]
    known += [language for language in _ALSO_READ if language in near and hits[language] == most]
    known.sort(key=lambda language: -hits[language])
    main = max(
        (language for language, count in hits.items() if count == most),
        key=lambda language: (kinds[language], language not in _UNKNOWN),
    )
    if main in _UNKNOWN and main in near and kinds[main] >= least and hits[main] > english:
        return known, [_UNKNOWN[main]], ()
    known = known or _by_letters(tidied, said)
    return known, [], tuple(language for language in known if hits[language] == most)


def _counted(words: Iterable[str], languages_of_word: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """How many of the words each language has."""
    counted = dict.fromkeys(_WORDS, 0)
    for word in words:
        for language in languages_of_word[word]:
            counted[language] += 1
    return counted


def _by_letters(tidied: str, said: list[str]) -> list[Language]:
    """The languages that letters of their own tell, in a text without common words of English alone."""
    if tidied.isascii() or not _ENGLISH_ALONE.isdisjoint(said):
        return []
    return [language for letters, language in _OWN_LETTERS if any(map(tidied.__contains__, letters))]
