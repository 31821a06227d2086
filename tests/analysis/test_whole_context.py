"""Which trials sent everything, by how long their prompts are."""

from __future__ import annotations

from niah.analysis.frame import trial_frame
from niah.analysis.whole_context import is_whole, sends_whole, whole_lengths
from tests.analysis.small_trials import at, trial


def test_a_prompt_about_as_long_as_full_contexts_is_whole() -> None:
    assert [is_whole(tokens, 1000) for tokens in (989, 990, 1000, 1100)] == [False, True, True, True]
    # What asked several times.
    assert not is_whole(1200, 1000)
    assert not is_whole(None, 1000)
    assert not is_whole(1000, None)


def test_what_is_held_against_full_context_of_the_same_question() -> None:
    made = [
        trial("lc", 10, case=at(1000), prompt_tokens=1000),
        trial("dos", 10, case=at(1000), prompt_tokens=1003),
        trial("topk", 10, case=at(1000), prompt_tokens=400),
        trial("oracle", 10, case=at(1000), prompt_tokens=1000),  # it is told, and retrieves nothing
        trial("dos", 10, case=at(2000), prompt_tokens=2000),  # full context was not asked
        trial("dos", 10, case=at(1000, seed=2)),
    ]
    frame = trial_frame(made)
    assert sends_whole(frame).tolist() == [False, True, False, False, False, False]


def test_a_length_counts_where_every_trial_of_it_sent_everything() -> None:
    def made(*prompts: tuple[int, int, int]) -> dict[tuple[str, str], str]:
        """By length and seed, what dos sent."""
        return whole_lengths(
            trial_frame(
                [
                    trial(strategy, 10, case=at(length, seed=seed), prompt_tokens=tokens)
                    for length, seed, sent in prompts
                    for strategy, tokens in (("lc", length), ("dos", sent))
                ]
            )
        )

    dos = ("simulated", "dos")
    assert made((500, 1, 500), (1000, 1, 1000), (4000, 1, 900)) == {dos: "500 and 1k tokens"}
    assert made((500, 1, 500), (1000, 1, 1000)) == {dos: "every length"}
    assert made((500, 1, 500), (500, 2, 400), (1000, 1, 400)) == {}
