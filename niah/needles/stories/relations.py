"""How things stand to each other: sides, sizes, gifts, kinds, and ways from one to another."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping, Sequence

from niah.needles.stories.story import Cast, Event, Plot, event, people_count, yes_no_answer

_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Of the family's four directions, in its order: north, east, south, west."""

_Square = tuple[int, int]


class _Map:
    """Places on a grid, joined as a tree of single steps; ``edges`` are (place, direction of it, from)."""

    def __init__(self, rng: random.Random, names: Sequence[str]) -> None:
        self.squares: dict[str, _Square] = {names[0]: (0, 0)}
        self.edges: list[tuple[str, int, str]] = []
        taken = {(0, 0)}
        for name in names[1:]:
            # Rather at the places named last, so that ways are long.
            while name not in self.squares:
                at = rng.choice(list(self.squares)[-3:] if rng.random() < 0.7 else list(self.squares))
                side = rng.randrange(4)
                square = self.squares[at][0] + _STEPS[side][0], self.squares[at][1] + _STEPS[side][1]
                if square not in taken:
                    taken.add(square)
                    self.squares[name] = square
                    self.edges.append((name, side, at))
        rng.shuffle(self.edges)

    def events(self, rng: random.Random, directions: Sequence[str]) -> list[Event]:
        """Each joint, told from one side or from the other."""
        told = [(a, side, b) if rng.random() < 0.5 else (b, (side + 2) % 4, a) for a, side, b in self.edges]
        return [
            event("beside", this=this, that=that, direction=directions[side]) for this, side, that in told
        ]

    def way(self, start: str, end: str) -> tuple[tuple[int, ...], frozenset[int]]:
        """Directions from one place to another, and the edges on the way."""
        beside: dict[str, list[tuple[str, int, int]]] = {name: [] for name in self.squares}
        for number, (a, side, b) in enumerate(self.edges):
            beside[b].append((a, side, number))
            beside[a].append((b, (side + 2) % 4, number))
        ways: dict[str, tuple[tuple[int, ...], frozenset[int]]] = {start: ((), frozenset())}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for place, side, number in beside[here]:
                if place not in ways:
                    sides, edges = ways[here]
                    ways[place] = (*sides, side), edges | {number}
                    queue.append(place)
        return ways[end]


def neighbours(cast: Cast, facts: int) -> Plot:
    """Two-argument relations (qa4): what is north of a place, or what it is north of."""
    places, directions = cast.names("place", facts + 1), cast.choices("direction")
    grid = _Map(cast.rng, places)
    events = grid.events(cast.rng, directions)
    at = cast.rng.randrange(facts)
    there, side, place = grid.edges[at]
    if cast.rng.random() < 0.5:
        there, side, place = place, (side + 2) % 4, there
    ask, told = ("what", side) if cast.rng.random() < 0.5 else ("of_what", (side + 2) % 4)
    values = {"place": place, "direction": directions[told]}
    wrong = tuple(each for each in places if each not in (there, place))
    return Plot(events, ask, values, (there,), frozenset([at]), wrong)


def grid(cast: Cast, facts: int) -> Plot:
    """Positional reasoning (qa17): whether one thing stands on one side of another, some steps away."""
    things, directions = cast.names("thing", facts + 1), cast.choices("direction")
    drawn = _Map(cast.rng, things)
    events = drawn.events(cast.rng, directions)

    def make() -> Plot | None:
        this, that = cast.rng.sample(things, 2)
        _, edges = drawn.way(that, this)
        side = cast.rng.randrange(4)
        step, here, there = _STEPS[side], drawn.squares[this], drawn.squares[that]
        offset = (here[0] - there[0]) * step[0] + (here[1] - there[1]) * step[1]
        # As often yes as no, and never "beside neither way".
        if len(edges) < 2 or not offset or (offset > 0) != wanted:
            return None
        answer, options = yes_no_answer(cast, offset > 0)
        values = {"this": this, "that": that, "direction": directions[side]}
        return Plot(events, "is_there", values, (answer,), edges, options=options)

    wanted = cast.rng.random() < 0.5
    return cast.until(make)


def path(cast: Cast, facts: int) -> Plot:
    """Path finding (qa19): the two steps from one place to another, round one corner."""
    directions = cast.choices("direction")
    places = cast.names("place", facts + 1)

    def make() -> Plot | None:
        drawn = _Map(cast.rng, places)
        start, end = cast.rng.sample(places, 2)
        sides, edges = drawn.way(start, end)
        if len(sides) != 2 or sides[0] == sides[1]:
            return None
        answer = tuple(directions[side] for side in sides)
        return Plot(
            drawn.events(cast.rng, directions),
            "path",
            {"this": start, "that": end},
            answer,
            edges,
            ordered=True,
            wrong=tuple(each for each in directions if each not in answer),
        )

    return cast.until(make)


def sizes(cast: Cast, facts: int) -> Plot:
    """Size reasoning (qa18): whether one thing fits into another, over two comparisons or more."""
    things = cast.names("thing", facts + 1)

    def make() -> Plot | None:
        pairs, joined = list[tuple[str, str]](), [things[0]]
        for thing in things[1:]:
            other = cast.rng.choice(joined[-2:])
            pairs.append((thing, other) if cast.rng.random() < 0.5 else (other, thing))
            joined.append(thing)
        cast.rng.shuffle(pairs)
        return _compared(cast, pairs)

    return cast.until(make)


def _compared(cast: Cast, pairs: Sequence[tuple[str, str]]) -> Plot | None:
    """A question about pairs of the smaller and the larger; None where nothing follows from them."""
    larger: dict[str, list[tuple[str, int]]] = {thing: [] for pair in pairs for thing in pair}
    events = list[Event]()
    for number, (small, large) in enumerate(pairs):
        larger[small].append((large, number))
        inside = cast.rng.random() < 0.5
        events.append(
            event("inside", this=small, that=large) if inside else event("bigger", this=large, that=small)
        )
    found = [(small, large, why) for small in larger for large, why in _above(small, larger).items()]
    found = [each for each in found if len(each[2]) > 1]
    if not found:
        return None
    small, large, support = cast.rng.choice(found)
    true = cast.rng.random() < 0.5
    answer, options = yes_no_answer(cast, true)
    values = {"this": small, "that": large} if true else {"this": large, "that": small}
    return Plot(events, "fits", values, (answer,), support, options=options)


def _above(thing: str, larger: Mapping[str, Sequence[tuple[str, int]]]) -> dict[str, frozenset[int]]:
    """Everything that is known to be larger, with the comparisons that say so."""
    found = {thing: frozenset[int]()}
    queue = deque([thing])
    while queue:
        here = queue.popleft()
        for other, number in larger[here]:
            if other not in found:
                found[other] = found[here] | {number}
                queue.append(other)
    del found[thing]
    return found


def gifts(cast: Cast, facts: int) -> Plot:
    """Three-argument relations (qa5): who gave what to whom."""
    people, things = cast.names("who", 1 + people_count(facts)), cast.names("thing", 2 + facts // 4)
    given, owner = list[tuple[str, str, str]](), dict[str, str]()
    for _ in range(facts):
        thing = cast.rng.choice(things)
        who = owner.get(thing) or cast.rng.choice(people)
        to = cast.rng.choice([each for each in people if each != who])
        owner[thing] = to
        given.append((who, to, thing))
    asks = (("receiver", 1, people), ("giver", 0, people), ("gift", 2, things))

    def make() -> Plot | None:
        ask, wanted, others = cast.rng.choice(asks)
        at = cast.rng.randrange(facts)
        known = [part for place, part in enumerate(given[at]) if place != wanted]
        if [[part for place, part in enumerate(each) if place != wanted] for each in given].count(known) > 1:
            return None
        names = dict(zip(("who", "to", "thing"), given[at], strict=True))
        answer = given[at][wanted]
        wrong = tuple(each for each in others if each not in given[at])
        events = [event("give", who=who, to=to, thing=thing) for who, to, thing in given]
        values = {key: name for place, (key, name) in enumerate(names.items()) if place != wanted}
        return Plot(events, ask, values, (answer,), frozenset([at]), wrong)

    return cast.until(make)


def deduction(cast: Cast, facts: int) -> Plot:
    """Basic deduction (qa15): every sheep is afraid of wolves, and Ank is a sheep."""
    kinds = cast.own("kind", facts // 2)
    rules = len(kinds)
    feared = [cast.rng.choice(cast.choices("feared")) for _ in kinds]
    people = cast.names("who", facts - rules)
    of_kind = {who: cast.rng.randrange(rules) for who in people}
    told = [("rule", number) for number in range(rules)] + [("is", number) for number in range(len(people))]
    cast.rng.shuffle(told)
    events = [
        event("rule", kind=kinds[n], feared=feared[n])
        if name == "rule"
        else event("is", who=people[n], kind=kinds[of_kind[people[n]]])
        for name, n in told
    ]
    number = cast.rng.randrange(len(people))
    rule = of_kind[people[number]]
    support = frozenset([told.index(("is", number)), told.index(("rule", rule))])
    wrong = tuple(dict.fromkeys(each for each in feared if each != feared[rule]))
    return Plot(events, "fears", {"who": people[number]}, (feared[rule],), support, wrong)


def induction(cast: Cast, facts: int) -> Plot:
    """Basic induction (qa16): Ank is a swan and white, Brask is a swan. All of a kind look alike."""
    about = facts // 2 + 1
    kinds = cast.own("kind", about // 2)
    colours = [cast.rng.choice(cast.choices("colour")) for _ in kinds]
    people = cast.names("who", about)
    # Each kind in turn, so that the last of one has another before it.
    of_kind = {who: number % len(kinds) for number, who in enumerate(people)}
    asked = people[-1]
    looks = people[: facts - about]
    told = [("is", who) for who in people] + [("looks", who) for who in looks]
    cast.rng.shuffle(told)
    events = [
        event("is", who=who, kind=kinds[of_kind[who]])
        if name == "is"
        else event("looks", who=who, colour=colours[of_kind[who]])
        for name, who in told
    ]
    kind = of_kind[asked]
    like = next(who for who in looks if of_kind[who] == kind)
    support = frozenset(told.index(each) for each in (("is", asked), ("is", like), ("looks", like)))
    wrong = tuple(dict.fromkeys(colour for colour in colours if colour != colours[kind]))
    return Plot(events, "colour", {"who": asked}, (colours[kind],), support, wrong)


def motives(cast: Cast, facts: int) -> Plot:
    """Motivations (qa20): the tired go to bed, as the family pairs its states, places and things.

    Who is in a state goes to its place, and takes its thing there; not everybody gets as far as that.
    """
    states, places, things = (cast.choices(slot) for slot in ("state", "place", "thing"))
    events, people = list[Event](), cast.names("who", max(1, -(-facts // 3)))
    steps = dict.fromkeys(people, 0)
    pairs = {who: cast.rng.randrange(len(states)) for who in people}
    at: dict[tuple[str, int], int] = {}
    while len(events) < facts:
        who = cast.rng.choice([who for who in people if steps[who] < 3])
        pair, step = pairs[who], steps[who]
        at[who, step] = len(events)
        events.append(
            event("feels", who=who, state=states[pair])
            if step == 0
            else event("goes", who=who, place=places[pair])
            if step == 1
            else event("takes", who=who, thing=things[pair])
        )
        steps[who] += 1
    who = cast.rng.choice([who for who in people if steps[who]])
    pair, step = pairs[who], cast.rng.randrange(steps[who])
    if step == 0 and steps[who] > 1:  # where somebody went need not be guessed
        step = 1
    support = frozenset([at[who, 0], at[who, step]])
    if step == 0:
        return Plot(events, "where", {"who": who}, (places[pair],), support, _but(places, pair))
    value = {"place": places[pair]} if step == 1 else {"thing": things[pair]}
    ask = "why" if step == 1 else "why_took"
    return Plot(events, ask, {"who": who, **value}, (states[pair],), support, _but(states, pair))


def _but(names: Sequence[str], place: int) -> tuple[str, ...]:
    return tuple(name for number, name in enumerate(names) if number != place)
