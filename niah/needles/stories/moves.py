"""People who move about: where they are, where they were, whether they are there."""

from __future__ import annotations

from collections.abc import Sequence

from niah.needles.stories.story import Cast, Event, Plot, event, people_count, yes_no_answer


def _elsewhere(cast: Cast, places: Sequence[str], *there: str | None) -> str:
    return cast.rng.choice([place for place in places if place not in there])


def _where(events: Sequence[Event], who: str, place: str, at: int, places: Sequence[str]) -> Plot:
    """Where ``who`` is, as the fact ``at`` says."""
    wrong = tuple(each for each in places if each != place)
    return Plot(events, "where", {"who": who}, (place,), frozenset([at]), wrong)


def whereabouts(cast: Cast, facts: int) -> Plot:
    """One supporting fact (qa1): the last move counts."""
    people, places = cast.names("who", people_count(facts)), cast.some("place", 8)
    events, last = list[Event](), dict[str, tuple[str, int]]()
    for at in range(facts):
        who = cast.rng.choice(people)
        place = _elsewhere(cast, places, last.get(who, (None, 0))[0])
        events.append(event("move", who=who, place=place))
        last[who] = place, at
    who = cast.rng.choice(list(last))
    return _where(events, who, *last[who], places)


def is_there(cast: Cast, facts: int) -> Plot:
    """Yes or no (qa6)."""
    plot = whereabouts(cast, facts)
    true = cast.rng.random() < 0.5
    place = plot.answer[0] if true else cast.rng.choice(plot.wrong)
    answer, options = yes_no_answer(cast, true)
    return Plot(
        plot.events, "is_there", {**plot.values, "place": place}, (answer,), plot.support, options=options
    )


def negation(cast: Cast, facts: int) -> Plot:
    """Simple negation (qa9): of the last fact about somebody, which may deny where they were."""
    people, places = cast.names("who", people_count(facts)), cast.some("place", 8)
    events, last = list[Event](), dict[str, tuple[str, bool, int]]()
    for at in range(facts):
        who = cast.rng.choice(people)
        place, there, _ = last.get(who, ("", False, 0))
        # What is denied is what was the case, where anything was.
        denies = cast.rng.random() < 0.5
        place = place if denies and there else _elsewhere(cast, places, place)
        events.append(event("is_not" if denies else "is", who=who, place=place))
        last[who] = place, not denies, at
    # As often yes as no, where anybody is known to be anywhere.
    known = [who for who, (_, there, _) in last.items() if there]
    true = cast.rng.random() < 0.5 and bool(known)
    who = cast.rng.choice(known if true else list(last))
    place, there, at = last[who]
    asked = _elsewhere(cast, places, place) if there and not true else place
    answer, options = yes_no_answer(cast, true)
    values = {"who": who, "place": asked}
    return Plot(events, "is_there", values, (answer,), frozenset([at]), options=options)


def indefinite(cast: Cast, facts: int) -> Plot:
    """Indefinite knowledge (qa10): yes, no or maybe."""
    people, places = cast.names("who", people_count(facts)), cast.some("place", 8)
    events, last = list[Event](), dict[str, tuple[tuple[str, ...], int]]()
    for at in range(facts):
        who = cast.rng.choice(people)
        if cast.rng.random() < 0.5:
            there: tuple[str, ...] = (_elsewhere(cast, places, *last.get(who, ((), 0))[0]),)
            events.append(event("is", who=who, place=there[0]))
        else:
            there = tuple(cast.rng.sample(places, 2))
            events.append(event("either", who=who, place=there[0], other=there[1]))
        last[who] = there, at
    who = cast.rng.choice(list(last))
    there, at = last[who]
    asked = cast.rng.choice(there) if cast.rng.random() < 0.6 else _elsewhere(cast, places, *there)
    yes, no, maybe = options = tuple(cast.choices("answer")[:3])
    answer = no if asked not in there else yes if len(there) == 1 else maybe
    values = {"who": who, "place": asked}
    return Plot(events, "is_there", values, (answer,), frozenset([at]), options=options)


def then(cast: Cast, facts: int) -> Plot:
    """Basic coreference (qa11): each fact is two moves, the second told with a pronoun."""
    people, places = cast.names("who", people_count(facts)), cast.some("place", 8)
    events, last = list[Event](), dict[str, tuple[str, int]]()
    for at in range(facts):
        who = cast.rng.choice(people)
        place = _elsewhere(cast, places, last.get(who, (None, 0))[0])
        onward = _elsewhere(cast, places, place)
        events.append(event("move_on", who=who, place=place, next_=onward))
        last[who] = onward, at
    who = cast.rng.choice(list(last))
    return _where(events, who, *last[who], places)


def _pairs(cast: Cast, facts: int, name: str, *, onward: bool) -> Plot:
    people, places = cast.names("who", 1 + people_count(facts)), cast.some("place", 8)
    events, last = list[Event](), dict[str, tuple[str, int]]()
    for at in range(facts):
        who, with_ = cast.rng.sample(people, 2)
        place = _elsewhere(cast, places, last.get(who, (None, 0))[0], last.get(with_, (None, 0))[0])
        values = {"who": who, "with": with_, "place": place}
        if onward:
            place = values["next"] = _elsewhere(cast, places, place)
        events.append(Event(name, values))
        last[who] = last[with_] = place, at
    who = cast.rng.choice(list(last))
    return _where(events, who, *last[who], places)


def in_pairs(cast: Cast, facts: int) -> Plot:
    """Conjunction (qa12): two go together."""
    return _pairs(cast, facts, "together", onward=False)


def in_pairs_then(cast: Cast, facts: int) -> Plot:
    """Compound coreference (qa13): two go together, and then "they" go on."""
    return _pairs(cast, facts, "together_on", onward=True)


_OF_ONE = 8
"""Dated facts about one person."""


def times(cast: Cast, facts: int) -> Plot:
    """Time reasoning (qa14): where somebody was right before, facts being told out of order."""
    people = cast.names("who", max(-(-facts // _OF_ONE), min(2, facts // 2)))
    places, days, hours = cast.some("place", 8), cast.choices("day"), cast.choices("hour")
    dates = [(day, hour) for day in days for hour in hours]

    def make() -> Plot | None:
        return _dated(cast, facts, people, places, dates)

    return cast.until(make)


def _dated(
    cast: Cast, facts: int, people: Sequence[str], places: Sequence[str], dates: Sequence[tuple[str, str]]
) -> Plot | None:
    visits = dict[str, list[tuple[str, str, str]]]()
    for number, who in enumerate(people):
        own = facts // len(people) + (number < facts % len(people))
        last = ""
        visits[who] = []
        for when in sorted(cast.rng.sample(range(len(dates)), own)):
            last = _elsewhere(cast, places, last)
            visits[who].append((last, *dates[when]))
    told = [(who, at) for who in people for at in range(len(visits[who]))]
    cast.rng.shuffle(told)
    askable = [
        (who, at)
        for who, at in told
        if at and [place for place, *_ in visits[who]].count(visits[who][at][0]) == 1
    ]
    if not askable:
        return None
    who, at = cast.rng.choice(askable)
    events = [
        event("was", who=one, place=visits[one][n][0], day=visits[one][n][1], hour=visits[one][n][2])
        for one, n in told
    ]
    asked, answer = visits[who][at][0], visits[who][at - 1][0]
    wrong = tuple(place for place in places if place not in (asked, answer))
    support = frozenset([told.index((who, at)), told.index((who, at - 1))])
    return Plot(events, "before", {"who": who, "place": asked}, (answer,), support, wrong)
