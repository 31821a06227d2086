"""Things that people carry, drop and give away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from niah.needles.number_words import number_words
from niah.needles.stories.story import Cast, Event, Plot, event, people_count


@dataclass
class _House:
    """Who is where, who carries what, and where each thing has been.

    ``stays`` are of each thing its places in order, each with the facts that brought it there.
    """

    events: list[Event] = field(default_factory=list)
    at: dict[str, tuple[str, int]] = field(default_factory=dict)
    holder: dict[str, tuple[str, int]] = field(default_factory=dict)
    lies: dict[str, str] = field(default_factory=dict)
    stays: dict[str, list[tuple[str, frozenset[int]]]] = field(default_factory=dict)

    def move(self, who: str, place: str) -> None:
        now = len(self.events)
        self.events.append(event("move", who=who, place=place))
        self.at[who] = place, now
        for thing, (holder, since) in self.holder.items():
            if holder == who:
                self.stays[thing].append((place, frozenset([since, now])))

    def take(self, who: str, thing: str) -> None:
        now = len(self.events)
        self.events.append(event("take", who=who, thing=thing))
        place, since = self.at[who]
        self.holder[thing] = who, now
        if self.lies.pop(thing, None) is None:
            self.stays[thing] = [(place, frozenset([since, now]))]

    def drop(self, who: str, thing: str) -> None:
        self.events.append(event("drop", who=who, thing=thing))
        del self.holder[thing]
        self.lies[thing] = self.at[who][0]

    def carried(self, who: str) -> list[str]:
        return [thing for thing, (holder, _) in self.holder.items() if holder == who]

    def within_reach(self, who: str, things: Sequence[str]) -> list[str]:
        """What lies where ``who`` is, and what nobody has told of yet."""
        if who not in self.at:
            return []
        here = self.at[who][0]
        return [each for each in things if each not in self.holder and self.lies.get(each, here) == here]


def _house(cast: Cast, facts: int, people: Sequence[str], things: Sequence[str]) -> _House:
    house, places = _House(), cast.some("place", 8)
    while len(house.events) < facts:
        who, chance = cast.rng.choice(people), cast.rng.random()
        near, carried = house.within_reach(who, things), house.carried(who)
        if near and chance < 0.35:
            house.take(who, cast.rng.choice(near))
        elif carried and chance > 0.85:
            house.drop(who, cast.rng.choice(carried))
        else:
            here = house.at.get(who, ("", 0))[0]
            house.move(who, cast.rng.choice([place for place in places if place != here]))
    return house


def _people_and_things(cast: Cast, facts: int) -> tuple[list[str], list[str]]:
    return cast.names("who", max(2, people_count(facts) - 1)), cast.names("thing", min(1 + facts // 6, 6))


def carried(cast: Cast, facts: int) -> Plot:
    """Two supporting facts (qa2): where a thing is that has been carried about."""
    people, things = _people_and_things(cast, facts)

    def make() -> Plot | None:
        house = _house(cast, facts, people, things)
        moved = [thing for thing, stays in house.stays.items() if len(stays) > 1]
        if not moved:
            return None
        thing = cast.rng.choice(moved)
        place, support = house.stays[thing][-1]
        wrong = tuple(dict.fromkeys(each for each, _ in house.at.values() if each != place))
        return Plot(house.events, "where", {"thing": thing}, (place,), support, wrong)

    return cast.until(make)


def carried_before(cast: Cast, facts: int) -> Plot:
    """Three supporting facts (qa3): where a thing was right before it was somewhere else."""
    people, things = _people_and_things(cast, facts)

    def make() -> Plot | None:
        house = _house(cast, facts, people, things)
        found = list[tuple[str, int]]()
        for thing, stays in house.stays.items():
            visits = Counter(place for place, _ in stays)
            found += [(thing, at) for at in range(1, len(stays)) if visits[stays[at][0]] == 1]
        if not found:
            return None
        thing, at = cast.rng.choice(found)
        (before, earlier), (place, later) = house.stays[thing][at - 1 : at + 1]
        wrong = tuple({each: None for each, _ in house.stays[thing] if each not in (before, place)})
        values = {"thing": thing, "place": place}
        return Plot(house.events, "before", values, (before,), earlier | later, wrong)

    return cast.until(make)


@dataclass(frozen=True)
class _Hands:
    """Takes, drops and gifts; what each carries in the end, and the last fact about each thing."""

    events: list[Event]
    carried: dict[str, list[str]]
    last: dict[str, int]


def _hands(cast: Cast, facts: int, people: Sequence[str], things: Sequence[str]) -> _Hands:
    hands = _Hands([], {who: [] for who in people}, {})
    free = list(things)
    while len(hands.events) < facts:
        who, chance = cast.rng.choice(people), cast.rng.random()
        own = hands.carried[who]
        if chance < 0.5 and free:
            thing = free.pop(cast.rng.randrange(len(free)))
            told = event("take", who=who, thing=thing)
            own.append(thing)
        elif own:
            thing = own.pop(cast.rng.randrange(len(own)))
            if chance < 0.75:
                told = event("drop", who=who, thing=thing)
                free.append(thing)
            else:
                to = cast.rng.choice([each for each in people if each != who])
                told = event("give", who=who, to=to, thing=thing)
                hands.carried[to].append(thing)
        else:
            continue
        hands.last[thing] = len(hands.events)
        hands.events.append(told)
    return hands


def _full_hands(cast: Cast, facts: int) -> tuple[_Hands, str]:
    """The same, and somebody who carries one thing at least."""
    people, things = cast.names("who", people_count(facts)), cast.names("thing", min(2 + facts // 3, 12))

    def make() -> _Hands | None:
        hands = _hands(cast, facts, people, things)
        return hands if any(hands.carried.values()) else None

    hands = cast.until(make)
    # Each number as likely, since most people carry one thing.
    number = cast.rng.choice(sorted({len(own) for own in hands.carried.values() if own}))
    return hands, cast.rng.choice([who for who, own in hands.carried.items() if len(own) == number])


def count_carried(cast: Cast, facts: int) -> Plot:
    """Counting (qa7): how many things somebody carries; one at least."""
    hands, who = _full_hands(cast, facts)
    number = len(hands.carried[who])
    support = frozenset(hands.last[thing] for thing in hands.carried[who])
    aliases = {str(number): number_words(number)}
    return Plot(hands.events, "how_many", {"who": who}, (str(number),), support, aliases=aliases)


def list_carried(cast: Cast, facts: int) -> Plot:
    """Lists (qa8): what somebody carries; one thing at least."""
    hands, who = _full_hands(cast, facts)
    own = tuple(hands.carried[who])
    support = frozenset(hands.last[thing] for thing in own)
    wrong = tuple(thing for thing in hands.last if thing not in own)
    return Plot(hands.events, "what", {"who": who}, own, support, wrong)
