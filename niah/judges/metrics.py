"""Metrics of an answer by its references, 0 to 1, and the judges that go by them.

Words are SQuAD's (Rajpurkar et al. 2016); without spaces, characters (MLQA, Lewis et al. 2020).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import groupby, pairwise, takewhile
from math import exp, log, log2

from niah.cases.sample import AnswerKey
from niah.judges.normalise import strip_reasoning
from niah.judges.rubric import judge_by_rubric
from niah.judges.verdict import HIGHEST, RuleJudge, Verdict, references, right_options
from niah.needles.needle_set import Element, listed_options
from niah.registry import Registry, described
from niah.text.mentions import is_unspaced, is_with_particles, written_parts

_ARTICLES = frozenset({"a", "an", "the"})
_LITTLE_WORDS = _ARTICLES | {"and", "or", "about", "to"}
_PAUSES = re.compile(r"[、。！？；「」『』（）《》〈〉【】]|(?<!\d)[，：]|[，：](?!\d)")


def words(text: str, left_out: frozenset[str] = frozenset()) -> list[str]:
    """Words in small letters without punctuation and those left out; a text of nothing else keeps them."""
    folded = _folded(_PAUSES.sub(" ", text))
    plain = "".join(char for char in folded if unicodedata.category(char)[0] not in "PS")
    found = _parts(plain) or _folded(text).split()
    return [word for word in found if word not in left_out] or found


def alphanumerics(text: str) -> list[str]:
    """Runs of letters and digits in small letters, as rouge-score cuts a text without its stemmer."""
    folded = _folded(text)
    spaced = (char if unicodedata.category(char)[0] in "LMN" else " " for char in folded)
    return _parts("".join(spaced)) or folded.split()


def _parts(spaced: str) -> list[str]:
    return [part for word in spaced.split() for part in written_parts(word)]


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    visible = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())


def f1(shared: int, answer: int, reference: int) -> float:
    """Harmonic mean of shared/answer and shared/reference; 1 where both are empty (SQuAD 2.0)."""
    return 2 * shared / (answer + reference) if answer + reference else 1.0


def exact_match(answer: str, reference: str) -> float:
    """1 if both are the same words in the same order."""
    return float(words(answer, _ARTICLES) == words(reference, _ARTICLES))


def contained_match(answer: str, reference: str) -> float:
    """1 if one has every word of the other, in any order (the exact match of long-context-vs-rag's authors).

    "and", "or", "about" and "to" do not count. Characters of scripts without spaces have to be in a row.
    """
    said, wanted = words(answer, _LITTLE_WORDS), words(reference, _LITTLE_WORDS)
    if not said or not wanted:
        return float(said == wanted)
    if any(map(is_unspaced, wanted)):
        held = any(said[start : start + len(wanted)] == wanted for start in range(len(said)))
    else:
        held = _has_all(said, wanted)
    return float(held or _has_all(_runs(wanted), _runs(said)))


def _has_all(said: Iterable[str], wanted: Iterable[str]) -> bool:
    known = set(said)
    return all(name in known or any(is_with_particles(word, name) for word in known) for name in wanted)


def _runs(said: Iterable[str]) -> list[str]:
    """The words, characters of scripts without spaces that are in a row as one."""
    runs = ((unspaced, list(run)) for unspaced, run in groupby(said, is_unspaced))
    return [part for unspaced, run in runs for part in (["".join(run)] if unspaced else run)]


def token_f1(answer: str, reference: str) -> float:
    """F1 over the sets of words, articles included (long-context-vs-rag, appendix A)."""
    said, wanted = set(words(answer)), set(words(reference))
    return f1(len(said & wanted), len(said), len(wanted))


def squad_f1(answer: str, reference: str) -> float:
    """F1 over the bags of words without articles (Rajpurkar et al. 2016, section 6.1)."""
    said, wanted = Counter(words(answer, _ARTICLES)), Counter(words(reference, _ARTICLES))
    return f1((said & wanted).total(), said.total(), wanted.total())


_BETWEEN = re.compile(r"\n|[;；、]|,(?=\s|\Z)|(?<!\d)，|，(?!\d)|\s&\s|(?:\A|\s)(?:and|or)\s", re.IGNORECASE)
_BRACKETS, _TIGHT = re.compile(r"\[[^\[\]]*\]"), re.compile(r",(?=\S)(?!\d{3}\b)")
_MARKER = re.compile(r"^[^\S\n]*(?:[-*•]|\(?\d{1,2}[.)])\s+", re.MULTILINE)


def set_f1(answer: str, reference: str) -> float:
    """F1 over the sets of answers that both list, with commas, "and" or line by line."""
    said, wanted = listed_answers(answer), listed_answers(reference)
    return f1(len(said & wanted), len(said), len(wanted))


def listed_answers(text: str) -> frozenset[str]:
    """What a text lists, each as its words: "Figs, the ham and 2. olives" has figs, ham and "2 olives"."""
    spaced = _BRACKETS.sub(lambda found: _TIGHT.sub(", ", found[0]), text)  # "[ab,cd]" is a list too
    parts = _BETWEEN.split(_MARKER.sub("", spaced))
    found = frozenset(filter(None, (" ".join(words(part, _ARTICLES)) for part in parts)))
    return found or frozenset(filter(None, [" ".join(words(text, _ARTICLES))]))


def holds_reference(answer: str, reference: str) -> float:
    """1 if the reference is in the answer, character by character but for case."""
    return float(reference.casefold() in answer.casefold() if reference else not answer)


def rouge_l(answer: str, reference: str) -> float:
    """F measure of the longest common subsequence of words (Lin 2004, section 3.1), words not stemmed."""
    said, wanted = alphanumerics(answer), alphanumerics(reference)
    above = [0] * (len(wanted) + 1)
    for word in said:
        row = [0]
        for column, other in enumerate(wanted):
            row.append(above[column] + 1 if word == other else max(row[-1], above[column + 1]))
        above = row
    return f1(above[-1], len(said), len(wanted))


_RULES_13A = (
    (re.compile(r"([!-&(-+/:-@\[-`{-~])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def bleu(answer: str, reference: str, longest: int) -> float:
    """BLEU of one sentence as sacrebleu counts it (Papineni et al. 2002; Chen and Cherry 2014, method 3)."""
    said, wanted = tokens_13a(answer), tokens_13a(reference)
    if not said or not wanted:
        return float(said == wanted)
    orders = range(1, min(longest, len(said)) + 1)
    matched = [(_ngrams(said, n) & _ngrams(wanted, n)).total() for n in orders]
    if not matched[0]:
        return 0.0
    hits = [*takewhile(bool, matched)]
    counts = [*hits, *(0.5**k for k in range(1, len(matched) - len(hits) + 1))]
    logs = [log(count / (len(said) - order)) for order, count in enumerate(counts)]
    return exp(sum(logs) / len(logs) + min(0.0, 1 - len(wanted) / len(said)))


def _ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def tokens_13a(text: str) -> list[str]:
    """Words and ASCII punctuation marks as mteval-v13a cuts them, case kept."""
    line = f" {text} ".replace("-\n", "").replace("\n", " ")
    for pattern, replacement in _RULES_13A:
        line = pattern.sub(replacement, line)
    return line.split()


def meteor(answer: str, reference: str) -> float:
    """METEOR by words and Porter stems (Banerjee and Lavie 2005, section 2.2), aligned as in nltk."""
    from snowballstemmer import stemmer

    said, wanted = alphanumerics(answer), alphanumerics(reference)
    if not said or not wanted:
        return float(said == wanted)
    pairs: dict[int, int] = {}
    for form in (str, stemmer("porter").stemWord):
        free: dict[str, list[int]] = {}
        for place, word in enumerate(wanted):
            if place not in pairs.values():
                free.setdefault(form(word), []).append(place)
        for at in range(len(said) - 1, -1, -1):
            if at not in pairs and free.get(form(said[at])):
                pairs[at] = free[form(said[at])].pop()
    if not pairs:
        return 0.0
    chunks = 1 + sum(after != (one + 1, other + 1) for (one, other), after in pairwise(sorted(pairs.items())))
    precision, recall = len(pairs) / len(said), len(pairs) / len(wanted)
    return 10 * precision * recall / (recall + 9 * precision) * (1 - 0.5 * (chunks / len(pairs)) ** 3)


def chrf(answer: str, reference: str) -> float:
    """F measure (beta 2) of runs of one to six characters, as sacrebleu counts them (Popović 2015)."""
    said, wanted = "".join(answer.split()), "".join(reference.split())
    if not said or not wanted:
        return float(said == wanted)
    lengths = range(1, min(6, len(said), len(wanted)) + 1)
    shared = [(_ngrams(said, n) & _ngrams(wanted, n)).total() for n in lengths]
    precision, recall = (
        sum(count / (len(text) - n + 1) for n, count in zip(lengths, shared, strict=True)) / len(lengths)
        for text in (said, wanted)
    )
    return 5 * precision * recall / (4 * precision + recall) if precision else 0.0


def marked_ratio(answer: str, reference: str) -> float:
    """``difflib``'s ratio behind the reference's first ten characters; 0 without them (openai/mrcr)."""
    marker = reference[:10]
    if not answer.startswith(marker):
        return 0.0
    return SequenceMatcher(None, answer.removeprefix(marker), reference.removeprefix(marker)).ratio()


def marked_ratio_v2(answer: str, reference: str) -> float:
    """``difflib``'s ratio behind the last of the reference's first 12 characters (Google's MRCR v2)."""
    wanted, at = reference.strip(), answer.rfind(reference.strip()[:12])
    return SequenceMatcher(None, wanted[12:].strip(), answer[at + 12 :].strip()).ratio() if at >= 0 else 0.0


_COMPARED = ("more common", "less common", "same frequency")


def oolong(answer: str, reference: str) -> float:
    """0.75 to the power of a number's error, else 1 or 0, of what is behind the last colon (Oolong-synth).

    As its authors score it (arXiv:2511.02817): a day in any form, a comparison by its words.
    """
    _, colon, said = answer.rpartition(":")
    if not colon and len(answer) >= 20:
        said = next(reversed(answer.split()), "")
    said, wanted = re.sub(r"[*\[\]]", "", said).strip(), reference.removeprefix("User: ")
    if said == wanted:
        return 1.0
    if re.fullmatch(r"\d{4}-\d\d-\d\d", wanted):
        import pandas as pd

        return float(pd.to_datetime(said, errors="coerce") == pd.Timestamp(wanted))
    if re.fullmatch(r"-?\d{1,9}", reference) and re.fullmatch(r"[+-]?\d{1,9}", said):
        return float(0.75 ** abs(int(said) - int(reference)))
    return float(any(each in said and each in wanted for each in _COMPARED))


def ndcg_10(answer: str, reference: str) -> float:
    """NDCG@10 of the longest ranking "7 > ID 3" by graded references "12 (3) > 7 (1)" (HELMET's msmarco)."""
    pairs = re.findall(r"(\d{1,18})(?: \((\d{1,3})\))?", reference, re.ASCII)
    grades = {number: int(grade or 1) for number, grade in pairs}
    plain = re.sub(r"[\[\]:]|id", "", answer, flags=re.IGNORECASE)
    rankings = re.findall(r"\d{1,18}(?:\s*>\s*\d{1,18})*", plain, re.ASCII)
    ranked = dict.fromkeys(re.findall(r"\d+", max(rankings, key=len, default="")))
    gained = _discounted(grades.get(number, 0) for number in ranked)
    best = _discounted(sorted(grades.values(), reverse=True))
    return gained / best if best else float(not answer and not reference)


def _discounted(gains: Iterable[int]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in zip(range(1, 11), gains, strict=False))


_ONE = r"(?a:[A-Za-z])|1\d|2[0-6]|[1-9]"
_NO_WORD = r"(?![\w'’]|[.,]\w|\s*\?|\s+(?!because\b)[a-z]+\b)"  # "a cat", "2 cats", "2.5", "U.S."
_STATED = re.compile(
    rf"\[\[\s*({_ONE})\s*\]\]|\\boxed\{{\W*(?:\\text\w*\{{)?\W*({_ONE})\W*\}}|<answer>\W*({_ONE})\W*</answer>"
    r"|\b(?:answer|option|choice)\b[^.:\n]{0,80}?(?:\bis\b|[:=])[\s:]*(?:(?:therefore|thus|option)\s+)*"
    rf"[(\[]?({_ONE})[)\]]?{_NO_WORD}"
    rf"|\b(?:choose|select|pick|go with)\s+(?:option\s+)?[(\[]?({_ONE})[)\]]?{_NO_WORD}",
    re.IGNORECASE,
)
_OTHER = re.compile(r"(?:\s*[,/&]\s*|\s+(?:(?:or|and)\s+)?)(?:option\s+)?[(\[]*([A-Z]|\d\d?)\b")
_DENIED = re.compile(r"(?:\b(?:not|never|nor|wrong|incorrect)\b|n['’]t\b)[^.;,\n]*\Z", re.IGNORECASE)
_ALONE = re.compile(rf"\s*(?:[-•]\s+)?(?:(?:option|choice)\s+)?[(\[]?({_ONE})[)\].:!]*\s*", re.IGNORECASE)
_LABEL = re.compile(rf"\s*(?:\(({_ONE})\)|({_ONE})[.):](?=\s))\s*\S")
_MARKUP = re.compile(r"[*_`#\"“”]+|(?<!\w)['‘’$](?=\w{1,2}['‘’$])|(?<=\w)['‘’$](?!\w)")


def parse_choice(answer: str) -> int | None:
    """The option that an answer without reasoning decides for, from 1: "B", "b", "2" are 2; None if unclear.

    The last statement counts, else a line that is an option alone, or a first or last that begins so.
    """
    text = _MARKUP.sub("", unicodedata.normalize("NFKC", answer))
    stated = [found for found in _STATED.finditer(text) if not _DENIED.search(text[: found.start()])]
    if stated:
        option = _number(stated[-1])
        for found in stated[-2:]:
            other = _OTHER.match(text, found.end())
            if other and (found is stated[-1] or other.end() > stated[-1].start()):
                return None
        return option
    lines = [line for line in text.splitlines() if line.strip()]
    if alone := {_number(match) for match in map(_ALONE.fullmatch, lines) if match}:
        return alone.pop() if len(alone) == 1 else None
    labels = [(line, match) for line in lines for match in [_LABEL.match(line)] if match]
    if len(labels) != 1 or labels[0][0] not in (lines[0], lines[-1]):
        return None
    return None if len(lines) > 1 and labels[0][0].strip(" (")[0].isdigit() else _number(labels[0][1])


def _number(found: re.Match[str]) -> int:
    option = next(filter(None, found.groups())).lower()
    return int(option) if option.isdigit() else ord(option) - ord("a") + 1


def accuracy(answer: str, reference: str) -> float:
    """1 if the answer decides for the option that ``reference`` gives: B, [[2]]."""
    return float(parse_choice(answer) == parse_choice(reference) is not None)


_MARKED = re.compile(
    r"\b(?:answers?|options?|choices?)\b(?:\s+(?:is|are))?\s*[:=]?(?:\s+both\b)?", re.IGNORECASE
)


def chosen_options(answer: str, key: AnswerKey) -> frozenset[int]:
    """The places of the options that the answer decides for; with one right option one at most."""
    said = strip_reasoning(answer)
    texts, number = [_bare(option) for option in key.options], parse_choice(said)
    if _bare(said) in texts:
        one = {texts.index(_bare(said))}
    elif number is not None and number <= len(texts):
        one = {number - 1}
    else:
        first, *others = map(Element, key.options)  # which is right does not matter here
        by_text = AnswerKey(name=key.name, question="", elements=(first,), traps=tuple(others))
        verdict = judge_by_rubric(said, by_text)
        claimed = [at for at, option in enumerate(key.options) if option in (*verdict.found, *verdict.wrong)]
        one = set(claimed) if len(claimed) == 1 else set()
    if key.answer_index is not None:
        return frozenset(one)
    text = _MARKUP.sub("", said).strip()
    for said in reversed(_MARKED.split(text)):
        if places := listed_options(said, len(key.options)):
            return places
    labels = re.findall(r"\(([A-Z])\)|(?<!\w)([A-Z])[.):](?=\s)", text)
    if places := listed_options(" ".join(map("".join, labels)), len(key.options)):
        return places
    named = frozenset(place for place, option in enumerate(key.options) if _bare(option) in text.casefold())
    return named or frozenset(one)


def _bare(text: str) -> str:
    return text.strip().strip(".\"'*`“”").casefold()


_ANSWER_LINE = re.compile(r"^[ \t*_#>]*(?:(?:the|my|final)[ ]+)*answer[*_]*[ ]*:[ \t*_]*", re.I | re.M)


@dataclass(frozen=True)
class Metric:
    """A number for an answer, from 0 (nothing of the reference) to 1."""

    name: str
    description: str
    of_pair: Callable[[str, str], float]  # of an answer without its reasoning and one reference
    version: str = "2"
    needs_options: bool = False  # whether it is for multiple choice alone
    of_elements: bool = False  # whether it is the mean over the elements, each by the best of its names
    of_whole: bool = False  # whether an answer line is no more than a part of the answer

    def score(self, answer: str, references: Sequence[str]) -> float:
        """The best value over ``references``, of what stands on an answer line, or of all without one."""
        said = strip_reasoning(answer)
        if not self.of_whole and (marked := [*_ANSWER_LINE.finditer(said)]):
            said = said[marked[-1].end() :].strip(" \t\n*_") or said
        return max(self.of_pair(said, reference) for reference in references)

    def judge(self) -> RuleJudge:
        """The judge that goes by this metric alone: the score is 1 + 9 times its value."""
        return RuleJudge(self.name, self.version, self.description, self._verdict, self._unsuited)

    def _verdict(self, answer: str, key: AnswerKey) -> Verdict:
        found = missing = wrong = tuple[str, ...]()
        if self.needs_options:
            right, chosen = right_options(key), chosen_options(answer, key)
            value = len(right & chosen) / len(right | chosen)
            found, missing, wrong = (
                tuple(key.options[place] for place in sorted(places))
                for places in (right & chosen, right - chosen, chosen - right)
            )
            reason = f"chose {', '.join((*found, *wrong))}" if chosen else "no option chosen"
        else:
            against = [element.names for element in key.elements if self.of_elements] or [references(key)]
            values = [self.score(answer, names) for names in against]
            value = sum(values) / len(values)
            reason = f"value {value:.2f}"
        score, who = 1 + (HIGHEST - 1) * value, (self.name, self.version)
        return Verdict(score, found, missing, wrong, False, *who, reason, value=value)

    def _unsuited(self, key: AnswerKey) -> str:
        if self.needs_options:
            return "" if right_options(key) else "it has no right option"
        return "" if references(key) else "it has no reference answer"


def _metric(name: str, made: object) -> Metric:
    """A metric, or a function of an answer and one reference answer."""
    if not isinstance(made, Metric):
        if not callable(made):
            raise TypeError("it is neither a Metric nor a function of an answer and a reference answer")
        made = Metric(name, described(made), made)
    return replace(made, name=name)


_OWN = (
    Metric("exact-match", "The same words, but for case, punctuation and articles", exact_match, "3"),
    Metric("contained-match", "All words of one in the other (long-context-vs-rag)", contained_match, "3"),
    Metric("token-f1", "F1 over sets of words (long-context-vs-rag)", token_f1, "3"),
    Metric("squad-f1", "F1 over bags of words, without articles", squad_f1, "3"),
    Metric("set-f1", "F1 over sets of answers, for questions that ask for several things", set_f1, "4"),
    Metric("share-of-references", "Share of the elements said (RULER)", holds_reference, of_elements=True),
    Metric("rouge-l", "F measure of the longest common subsequence of words", rouge_l, "3"),
    Metric("bleu-1", "BLEU of single words", partial(bleu, longest=1)),
    Metric("bleu-4", "BLEU of one to four words in a row, smoothed", partial(bleu, longest=4)),
    Metric("meteor", "METEOR (2005) by words and stems, without synonyms", meteor),
    Metric("chrf", "F measure of runs of one to six characters", chrf),
    Metric("mrcr", "Ratio of matching blocks behind the required code (OpenAI's MRCR)", marked_ratio),
    Metric("mrcr-v2", "Ratio behind the last code (Google's MRCR v2)", marked_ratio_v2, "1", of_whole=True),
    Metric(
        "oolong", "0.75 to the power of a number's error, else 1 or 0 (Oolong)", oolong, "1", of_whole=True
    ),
    Metric("ndcg-10", "NDCG of the first ten of a ranking, by graded references", ndcg_10),
    Metric("accuracy", "Multiple choice: the option that the answer decides for", accuracy, "2", True),
)
METRICS: Registry[Metric] = Registry("metrics", {metric.name: metric for metric in _OWN}, _metric)
"""A package adds one with an entry point of the group ``niah.metrics``: a function, or a ``Metric``."""
