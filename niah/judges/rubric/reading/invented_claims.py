"""A claim beside a refusal that nothing bears out: "The text omits it. She was called Rosalba."

Read only where the text does not answer and the answer says so. A sentence claims something of its own if it
speaks of what was asked about, does not deny, and has a number, a name or a "he was a ..." that no text of
the set has.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.abstention import refuses_somewhere
from niah.judges.rubric.languages.cues import cues_of
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.normalise import normalise
from niah.judges.rubric.reading.statements import asked_words

_SENTENCE = re.compile(r"[^.!?;\n]+(?:[.](?=\S)[^.!?;\n]+)*")
_BUT = re.compile(
    r"[,;]?\s+\b(?:but|yet|however|though|aber|doch|jedoch|mais|pero|mas|porém|ma|però|но|однако)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d.,']*\d|\b\d\b")
_NAME = lazy_pattern(r"(?<=[a-z\u00e0-\u024f,] )[A-Z\u00c0-\u00de][a-z\u00e0-\u024f]{2,}")
_WORD = re.compile(r"[^\W\d_]+")
_DENIES = re.compile(
    r"\b(?:not|no|never|nothing|none|nobody|nowhere|cannot|without|neither|nor|only)\b|n't\b"
)
_ASIDE = re.compile(
    r"\b(?:you|your|please|i|we|see|consult|source|text|passage|document|context|according|page|chapter|section)\b"
)
# "He was a clockmaker", "era relojero", "it was the plague that": said of what was asked about.
_IS_SOMETHING = lazy_pattern(
    r"\W*(?:(?:still|yet|but|however|nevertheless|that said|all the same|even so|in fact)\W+)?(?:"
    r"(?:he|she|it|they)\s+(?:was|were|worked\s+as|is|are)|(?:er|sie|es)\s+(?:war|ist|arbeitete\s+als)"
    r"|(?:il|elle|c')\s*(?:était|est|fut|travaillait\s+comme)|(?:(?:él|ella)\s+)?(?:era|fue|trabajaba\s+(?:como|de))"
    r"|(?:(?:ele|ela)\s+)?(?:era|foi|trabalhava\s+como)|(?:(?:lui|lei)\s+)?(?:era|fu|faceva)|(?:он|она)\s+был[аои]?"
    r")\s+(?:(?:an?|the|some|eine?|der|die|das|une?|le|la|un[ao]|el|uma?|o|il|lo)\s+|l')?(?P<what>[^\W\d_]{4,})"
)
_NO_CLAIM = frozenset(
    re.findall(
        r"\w+",
        """
        question mystery matter pity shame possible impossible different another other unclear
        unknown likely probably certainly clear true fair easy hard difficult said told mentioned
        named called given stated never only about because there therefore simply merely rather
        nicht pas mentionné posible possível possibile mencionado menzionato упомянут сказано
        названо
        """,
    )
)
# A sentence that is no more than a name of what was asked for, or a number.
_ALONE = lazy_pattern(
    r"\W*(?:(?:so|then|probably|perhaps|maybe|presumably|possibly|most\s+likely|likely|my\s+guess|answer|in)\W+){0,3}"
    r"(?:(?P<number>\d{3,}|\d{1,2}[:.]\d\d)(?:[\s,]+(?:i\s+(?:guess|think|suppose)|perhaps|maybe|probably|presumably))?|(?:the|an?)\s+(?P<what>[^\W\d_]{4,}(?:'s?)?)\s+(?P<kind>[^\W\d_]{4,}))\W*"
)
# "Larkspur.", "Probably Old Juno", "Answer: Larkspur".
_GUESSING = (
    r"(?:i\s+(?:guess|think|suppose|would\s+say|believe)|perhaps|maybe|probably|presumably|possibly"
    r"|(?:most\s+)?likely|my\s+guess)"
)
_PART = re.compile(r"[.!?;\n]+(?=\s|\Z|[)\]*\"'_])|\s[-\u2013\u2014]\s|[()\n]")
_BARE_NAME = lazy_pattern(
    r"(?:(?:(?:final\s+)?answer|name|antwort|réponse|nom|respuesta|nombre|risposta|resposta|nome)\s*:\s*)?"
    rf"(?:(?:so|but|then|still|{_GUESSING})[\s,:]+){{0,3}}(?-i:(?P<name>[A-Z\u00c0-\u00de][^\W\d_]{{2,}}(?:'s)?"
    rf"(?:\s(?:(?:of|the|von|van|de|di|da)\s)?[A-Z\u00c0-\u00de][^\W\d_]{{2,}}){{0,2}}))(?:[\s,]+{_GUESSING})?",
    re.IGNORECASE,
)
# "Probably painted by John Marsh", "it is likely a border collie".
_GUESSED = lazy_pattern(
    rf"\b(?:{_GUESSING}|i(?:'d|\s+would)\s+guess)\b[\s,]+(?P<what>[^.;:!?\n()]+)", re.IGNORECASE
)
_IS = (
    r"(?:(?:it|he|she|they|that|this|be|been|is|was|were|are|just|simply)\s+){0,3}"
    r"(?:(?:[^\W\d_]+\s+)?(?:by|of)\s+)?"
)
_GUESSED_NAME = lazy_pattern(
    rf"{_IS}(?P<name>[A-Z\u00c0-\u00de][^\W\d_]{{2,}}"
    r"(?:\s(?:(?:of|the|von|van|de|di|da)\s)?[A-Z\u00c0-\u00de][^\W\d_]{2,})*)"
)
_GUESSED_THING = lazy_pattern(rf"{_IS}an?\s+(?P<kind>(?:[^\W\d_]{{3,}}\s+){{0,2}}[^\W\d_]{{4,}})\s*\Z")
# What a text lacks, and why: "likely an omission", "probably a detail of another chapter".
_OF_TEXTS = frozenset(
    re.findall(
        r"\w+",
        """
        omission detail details gap mistake error typo oversight misunderstanding reference question passage
        page chapter section part text story fiction case matter mix confusion trick hallucination assumption
        guess different separate missing another other later earlier coincidence reason secret
        """,
    )
)
_LEAST_NAME = 4
_ASKS_FOR_NO_NAME = lazy_pattern(
    r"\b(?:how|when|why|year|date|yes|wann|warum|wie\s+(?:viel|hoch|lange|alt|oft)|jahr|quand|pourquoi|combien|année|cuándo|cuánt\w+"
    r"|año|quando|quant\w+|ano|anno|perché|сколько|когда|почему)\b"
)
_STOCK = frozenset(
    re.findall(
        r"\w+",
        """
        sorry apologies unfortunately thanks thank regards cheers hope unknown unnamed unclear unspecified
        unstated unanswerable unavailable undetermined undisclosed anonymous insufficient missing information
        data details answer answers question context text texts passage passages document source sources
        explanation reasoning reason analysis note notes conclusion summary result evidence confidence
        certainty high medium low none nothing nobody never not null false true done end final refused silence
        correct indeed exactly certainly absolutely understood noted okay sure well however therefore thus
        nevertheless still anyway alas regrettably simply good best kind warm wishes day luck question
        available given named stated mentioned specified found provided told said known listed identified
        recorded impossible inconclusive indeterminate undefined empty blank omitted withheld
        leider unbekannt unklar angabe angaben information fehlanzeige ende danke gruss gruß grüße viele
        freundliche antwort frage quelle begründung hinweis fazit ergebnis keine kein
        nicht nichts bedauerlicherweise
        désolé désolée malheureusement inconnu inconnue information réponse merci cordialement conclusion
        précisé mentionné aucun aucune rien indéterminé
        verdict outcome assessment response reply remark caveat disclaimer interpretation search review check
        clarification overview background facts findings finding recommendation
        lamentablemente desgraciadamente desconocido desconocida
        respuesta gracias saludos ninguno ninguna nada
        infelizmente desconhecido desconhecida resposta obrigado obrigada nenhum nenhuma
        purtroppo sconosciuto sconosciuta ignoto ignota risposta grazie nessuno nessuna niente
        helaas onbekend onduidelijk geen niets antwoord tyvärr okänd okänt oklart inget svar niestety nieznany
        nieznana nieznane brak odpowiedź maalesef bilinmiyor belirtilmemiş bilinmemekte yok cevap
        """,
    )
)
_SHORT_NUMBER = re.compile(r"(?P<number>\d{1,2})(?P<what>)(?P<kind>)")
"""The end of an answer; a list's own number stands before something."""
_OF_A_KIND = lazy_pattern(r"\bthe\s+(?P<what>[^\W\d_]{4,}(?:'s?)?)(?=\s+(?P<kind>[^\W\d_]{4,}))")
_GUESSES = lazy_pattern(r"\b(?:perhaps|maybe|probably|presumably|possibly|likely|guess|must have been)\b")
_THAT = r"(?:,?\s+(?:dass|that|que|che|что)|\s+qu'|,\s+что)\s*"
_TELLS = (
    r"(?:mentions?|says?|states?|indique|mentionne|précise|dit|signale|menciona|dice|indica|señala|afirma|diz|informa|riporta|menziona"
    r"|erwähnt|gesagt|sagt|nennt|berichtet|mitgeteilt|angegeben|erzählt|упомина\w+|сообща\w+|говорит\w*|сказано)"
)
_SOLELY = (
    r"(?:lediglich|nur|bloss|ausschliesslich|seulement|uniquement|solo|sólo|solamente|únicamente|apenas|somente|só|soltanto|solamente"
    r"|только|лишь)"
)
# "Erwähnt wird lediglich, dass ...", "il indique seulement que ...", "solo menciona que ...".
_ONLY_TOLD = lazy_pattern(
    rf"\W*(?:[^\W\d]+\s+){{0,4}}?(?:{_TELLS}\s+(?:[^\W\d]+\s+)?{_SOLELY}|{_SOLELY}\s+(?:[^\W\d]+\s+)?{_TELLS}){_THAT}(?P<what>.*)"
)
# "It does say that the county paid 40% of it".
_SHARE_TOLD = lazy_pattern(
    r"\W*(?:it|the\s+\w+)\s+(?:does\s+)?(?:say|mention|state)s?\s+that\s+(?P<what>[^%]*\d\s?(?:%|percent|per\s+cent)\s+of\b.*)"
)
# "Dass es 12 Mark waren", and a number that is claimed at once.
_PRONOUN = lazy_pattern(
    r"\d|(?:er|sie|es|ihr\w*|il|elle|ils|elles|él|ella|ell[oa]s|ele|ela|lui|lei|он|она|оно)\b"
)
_ESTIMATE = lazy_pattern(
    r"\b(?:likely|probably|presumably|perhaps|possibly|maybe|(?:(?:best|educated|my|rough|own|reasonable)\s+)+(?:guess|estimate)"
    r"|(?:i(?:'d|\s+would|\s+might)|would|could)\s+(?:\w+ly\s+)?(?:put|place|estimate|guess|say|assume|suppose)|i\s+(?:guess|estimate|assume|suspect)"
    r"|vermutlich|wahrscheinlich|schätzungsweise|probablement|vraisemblablement|sans\s+doute|probablemente|seguramente|provavelmente"
    r"|probabilmente|вероятно|наверное)\b(?:\s+[^\W\d]+){0,6}?\s+"
    r"(?:around|about|roughly|approximately|some|at|be|cost|costs|is|was|nearly|almost|rund|etwa|ca\.?|ungefähr|bei|environ|autour\s+de|unos"
    r"|alrededor\s+de|cerca\s+de|circa|около|примерно)\s+(?:(?:us\s?)?[$€£₹]\s?)?(?P<number>\d[\d.,']*)"
)
_REACH = 24
# "Step 2: Who painted it?"
_STEP = lazy_pattern(
    r"(?<![^\s*#>(])(?:steps?|part|stage|phase|point|schritt|teil|étape|partie|paso|etapa|passo|passaggio|parte|fase|stap|steg|krok"
    r"|adım|шаг)\s+\d{1,2}(?=\s?[*_]*\s?[:.)\u2013-])",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    re.findall(
        r"\w+",
        """
        same other said last next first second whole exact right correct actual real only main text
        very former latter present current given local unnamed unknown question following above full
        """,
    )
)
_ABOUT_IT = lazy_pattern(
    r"\W*(?:still|yet|but|however|nevertheless|that said|all the same|even so|in fact)?\W*"
    r"(?:he|she|it|they|his|her)\b"
)


def invented_claims(answer: str, key: AnswerKey, known: Collection[str]) -> frozenset[str]:
    """Numbers and names that a refusing answer claims and the needle set knows nothing of.

    Args:
        answer: as the reader gave it, without reasoning.
        key: of a question that cannot be answered.
        known: what the answer names of the set's own wrong elements.
    """
    told = _told(key)
    answer = _STEP.sub(" ", answer)
    found: set[str] = set()
    for sentence in _claiming_parts(answer, key):
        said = normalise(sentence)
        if (
            _DENIES.search(said)
            or _ASIDE.search(said)
            or refuses_somewhere(said)
            or cues_of(said).refusal.search(said)
        ):
            continue
        if _is_told_instead(said, key):
            continue
        asked = not asked_words(key).isdisjoint(_WORD.findall(said))
        if not (asked or _ABOUT_IT.match(said) or _IS_SOMETHING.match(said)) or any(
            normalise(name) in said for name in known
        ):
            continue
        claimed = {normalise(number) for number in _NUMBER.findall(sentence)}
        something = _IS_SOMETHING.match(said)
        if something and something["what"] not in _NO_CLAIM:
            claimed.add(something["what"])
        claimed |= {normalise(name) for name in _NAME.findall(sentence)}
        found |= {claim for claim in claimed if claim not in told}
    return frozenset(found.union(_named_alone(answer, key), _estimated(answer, key), _guessed(answer, key)))


def _is_told_instead(said: str, key: AnswerKey) -> bool:
    """Whether a sentence tells what alone is mentioned, or whose share, and not what was asked for."""
    only, share = _ONLY_TOLD.match(said), _SHARE_TOLD.match(said)
    told = only or share
    if told is None or _ABOUT_IT.match(told["what"]) or _PRONOUN.match(told["what"]):
        return False
    echo = len(asked_words(key).intersection(_WORD.findall(told["what"])))
    return 2 * echo < len(asked_words(key)) if only else echo <= 1


def _guessed(answer: str, key: AnswerKey) -> Iterator[str]:
    """Names and things that a refusing answer guesses: "but it was probably painted by John Marsh"."""
    told = _told(key)
    for guess in _GUESSED.finditer(answer):
        if _DENIES.search(normalise(guess["what"])):
            continue
        guessed = _GUESSED_NAME.match(guess["what"]) or _GUESSED_THING.fullmatch(normalise(guess["what"]))
        words = _WORD.findall(normalise(guessed[guessed.lastgroup or 0])) if guessed else []
        if words and _OF_TEXTS.isdisjoint(words) and _STOCK.isdisjoint(words) and words[-1] not in told:
            yield " ".join(words)


def _estimated(answer: str, key: AnswerKey) -> Iterator[str]:
    """The numbers that a refusing answer estimates all the same: "but it likely cost around $2 million"."""
    told = frozenset(_NUMBER.findall(_told(key)))
    for sentence in _SENTENCE.findall(answer):
        for part in map(normalise, _BUT.split(sentence)):
            for guess in _ESTIMATE.finditer(part):
                number = guess["number"].rstrip(".,'")
                if number not in told and not _DENIES.search(
                    part, max(0, guess.start() - _REACH), guess.end()
                ):
                    yield number


def _named_alone(answer: str, key: AnswerKey) -> Iterator[str]:
    """What a sentence of an answer names that says no more, or guesses: "The coopers' guild.", "1972."."""
    told, asked = _told(key), asked_words(key)
    if not _ASKS_FOR_NO_NAME.search(normalise(key.question)):
        yield from _bare_names(answer, told)
    for sentence in _SENTENCE.findall(answer):
        said = normalise(sentence).strip()
        alone = _ALONE.fullmatch(said) or (
            _SHORT_NUMBER.fullmatch(said) if answer.rstrip(" .!").endswith(said) else None
        )
        if alone and alone["number"] and alone["number"] not in told:
            yield alone["number"]
        elif alone and alone["kind"] in asked and not _is_told(alone["what"], told):
            yield alone["what"]
        elif _GUESSES.search(said) and not _DENIES.search(said):
            for of_kind in _OF_A_KIND.finditer(said):
                if of_kind["kind"] in asked and not _is_told(of_kind["what"], told):
                    yield of_kind["what"]


def _bare_names(answer: str, told: str) -> Iterator[str]:
    """Names that stand alone in a sentence, be it with a guess, and in no text of the set: "Larkspur."."""
    for part in _PART.split(answer):
        bare = _BARE_NAME.fullmatch(part.replace("*", "").strip(" \t\"'_()[]\u201c\u201d\u201e\u00ab\u00bb"))
        if not bare:
            continue
        words = _WORD.findall(normalise(bare["name"]))
        if not _STOCK.isdisjoint(words) or refuses_somewhere(" ".join(words)):
            continue
        if any(len(word) >= _LEAST_NAME and word not in told for word in words):
            yield " ".join(words)


def _is_told(word: str, told: str) -> bool:
    """Whether a word stands in a text of the set, or is none that names anything."""
    return word in _NO_CLAIM or word in _PLAIN or word.removesuffix("'s").rstrip("'") in told


def _claiming_parts(answer: str, key: AnswerKey) -> Iterator[str]:
    """Its sentences; of one with a "but", what follows it, if that speaks of just what was asked for."""
    for sentence in _SENTENCE.findall(answer):
        first, *others = _BUT.split(sentence)
        about = [part for part in others if _repeats_the_question(part, key) or _guesses_a_number(part)]
        if about and _DENIES.search(normalise(first)):
            yield from about
        else:
            yield sentence


def _guesses_a_number(part: str) -> bool:
    """Whether a part guesses with a number: "but there were likely around 40 passengers"."""
    return _NUMBER.search(part) is not None and _GUESSES.search(normalise(part)) is not None


def _repeats_the_question(part: str, key: AnswerKey) -> bool:
    asked = asked_words(key)
    return 2 * len(asked.intersection(_WORD.findall(normalise(part)))) >= len(asked) > 0


@lru_cache(maxsize=256)
def _told(key: AnswerKey) -> str:
    texts = (key.question, *key.references, *(needle.text for needle in key.needles))
    return normalise("\n".join((*texts, *(distractor.text for distractor in key.distractors))))
