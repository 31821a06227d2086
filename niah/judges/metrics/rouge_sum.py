"""ROUGE-L of texts of several sentences, ROUGE-L-Sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from niah.judges.metrics.word_overlap import f1
from niah.judges.metrics.words import alphanumeric_lines


def rouge_l_sum(answer: str, reference: str) -> float:
    """F measure (beta 1) of the union of longest common subsequences, line by line (Lin 2004, section 3.2).

    Each line of the reference counts the words that it shares in order with any line of the answer; no word
    counts more often than either text has it. A line stands for a sentence, as in rouge-score and so in
    Hugging Face's evaluate (mixture-of-pageranks, figure 5, of summaries); texts of one line get what
    ``rouge_l`` gives. Empty texts as in ``f1``.
    """
    said, wanted = alphanumeric_lines(answer), alphanumeric_lines(reference)
    left_said = Counter(word for line in said for word in line)
    left_wanted = Counter(word for line in wanted for word in line)
    sizes = left_said.total(), left_wanted.total()
    shared = 0
    for line in wanted:
        places = set().union(*(subsequence_places(line, other) for other in said))
        for word in (line[place] for place in sorted(places)):
            if left_said[word] and left_wanted[word]:
                shared += 1
                left_said[word] -= 1
                left_wanted[word] -= 1
    return f1(shared, *sizes)


def subsequence_places(line: Sequence[str], other: Sequence[str]) -> list[int]:
    """The places in ``line`` of one longest common subsequence with ``other``, last place first.

    Of several equally long ones the one that rouge-score takes, since their union depends on it.
    """
    lengths = [[0] * (len(other) + 1)]
    for word in line:
        above, row = lengths[-1], [0]
        for column, candidate in enumerate(other):
            row.append(above[column] + 1 if word == candidate else max(row[-1], above[column + 1]))
        lengths.append(row)
    places = []
    row_number, column = len(line), len(other)
    while row_number and column:
        if line[row_number - 1] == other[column - 1]:
            row_number, column = row_number - 1, column - 1
            places.append(row_number)
        elif lengths[row_number][column - 1] > lengths[row_number - 1][column]:
            column -= 1
        else:
            row_number -= 1
    return places
