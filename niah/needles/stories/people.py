"""People who move about, and carry, drop and give away things."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import chain, pairwise

from niah.needles.stories.world import Cast, Event, Plot, event, task

_HOUSE = {"move": "who place", "take": "who thing", "drop": "who thing"}
_HANDS = {"take": "who thing", "drop": "who thing", "give": "who to thing"}
_OPEN = {"is": "who place", "either": "who place other"}
_OF_ONE = 8  # dated facts about one person, at most


def _moves(cast: Cast, facts: int, name: str) -> Plot:
    """Where somebody is after moves, of one or of two together, some of them on to a second place."""
    paired, onward = name.startswith("together"), name.endswith("on")
    people, places = cast.people(facts, int(paired)), cast.some("place", 8)
    events, last = list[Event](), dict[str, tuple[str, int]]()
    for at in range(facts):
        group = cast.rng.sample(people, 2) if paired else [cast.rng.choice(people)]
        place = cast.other(places, *(last[who][0] for who in group if who in last))
        values = dict(zip(("who", "with"), group, strict=False)) | {"place": place}
        if onward:
            place = values["next"] = cast.other(places, place)
        events.append((name, values))
        last |= dict.fromkeys(group, (place, at))
    who = cast.rng.choice(list(last))
    place, at = last[who]
    wrong = tuple(each for each in places if each != place)
    return Plot(events, "where", {"who": who}, (place,), frozenset([at]), wrong)


# One supporting fact (qa1): the last move counts. Basic coreference (qa11): the second move of a fact has a
# pronoun. Conjunction (qa12): two go together. Compound coreference (qa13): and then "they" go on.
for _name, _slots, _tell, _used in (
    ("whereabouts", "who place:3", "move", "who place"),
    ("then", "who place:4", "move_on", "who place next"),
    ("together", "who place:3", "together", "who with place"),
    ("together-then", "who place:4", "together_on", "who with place next"),
):
    task(_name, 2, _slots, {_tell: _used}, where="who")(partial(_moves, name=_tell))


def _carried(cast: Cast, facts: int, *, earlier: bool) -> Plot:
    """Where a thing is that people of a house carry about, or was right before it was somewhere else."""
    people = cast.people(facts, -1) if facts >= 5 else cast.people(facts)
    things = cast.names("thing", min(1 + facts // 6, 6))

    def make() -> Plot | None:
        events, places = list[Event](), cast.some("place", 8)
        at = dict[str, tuple[str, int]]()  # where each is, and the fact that says so
        stays = dict[str, list[tuple[str, frozenset[int]]]]()  # the places of each thing, and such facts
        holder, lies = dict[str, tuple[str, int]](), dict[str, str]()
        while len(events) < facts:
            who, chance, now = cast.rng.choice(people), cast.rng.random(), len(events)
            here, since = at.get(who, ("", 0))
            # What lies here, and what was not told of yet.
            free = [each for each in things if each not in holder] if here else []
            near = [each for each in free if lies.get(each, here) == here]
            carried = [thing for thing, (by, _) in holder.items() if by == who]
            if near and chance < 0.35:
                thing = cast.rng.choice(near)
                events.append(event("take", who=who, thing=thing))
                holder[thing] = who, now
                if lies.pop(thing, None) is None:
                    stays[thing] = [(here, frozenset([since, now]))]
            elif carried and chance > 0.85:
                thing = cast.rng.choice(carried)
                events.append(event("drop", who=who, thing=thing))
                del holder[thing]
                lies[thing] = here
            else:
                at[who] = cast.other(places, here), now
                events.append(event("move", who=who, place=at[who][0]))
                for thing in carried:
                    stays[thing].append((at[who][0], frozenset([holder[thing][1], now])))
        found = list[tuple[str, int]]()
        for thing, own in stays.items():
            visits = Counter(place for place, _ in own)
            last = [len(own) - 1] if len(own) > 1 else []
            once = [number for number in range(1, len(own)) if visits[own[number][0]] == 1]
            found += [(thing, number) for number in (once if earlier else last)]
        if not found:
            return None
        thing, number = cast.rng.choice(found)
        (before, then), (place, shown) = stays[thing][number - 1 : number + 1]
        if earlier:
            wrong = tuple({each: None for each, _ in stays[thing] if each not in (before, place)})
            asked = {"thing": thing, "place": place}
            return Plot(events, "before", asked, (before,), then | shown, wrong)
        wrong = tuple(dict.fromkeys(each for each, _ in at.values() if each != place))
        return Plot(events, "where", {"thing": thing}, (place,), shown, wrong)

    return cast.until(make)


# Two supporting facts (qa2), and three (qa3).
task("carried", 3, "who thing place:4", _HOUSE, where="thing")(partial(_carried, earlier=False))
task("carried-before", 4, "who thing place:4", _HOUSE, before="thing place")(partial(_carried, earlier=True))


def _in_hands(cast: Cast, facts: int, *, ask: str) -> Plot:
    """How many things somebody carries, or which; one at least."""
    people, things = cast.people(facts), cast.names("thing", min(2 + facts // 3, 12))

    def make() -> Plot | None:
        events, free, last = list[Event](), list(things), dict[str, int]()  # the last fact about each thing
        carried: dict[str, list[str]] = {who: [] for who in people}
        while len(events) < facts:
            who, chance = cast.rng.choice(people), cast.rng.random()
            own = carried[who]
            if chance < 0.5 and free:
                thing = free.pop(cast.rng.randrange(len(free)))
                done = event("take", who=who, thing=thing)
                own.append(thing)
            elif own:
                thing = own.pop(cast.rng.randrange(len(own)))
                if chance < 0.75:
                    done = event("drop", who=who, thing=thing)
                    free.append(thing)
                else:
                    to = cast.other(people, who)
                    done = event("give", who=who, to=to, thing=thing)
                    carried[to].append(thing)
            else:
                continue
            last[thing] = len(events)
            events.append(done)
        # Each number as likely, since most people carry one thing.
        numbers = sorted({len(own) for own in carried.values() if own})
        if not numbers:
            return None
        number = cast.rng.choice(numbers)
        who = cast.rng.choice([who for who, own in carried.items() if len(own) == number])
        support = frozenset(last[thing] for thing in carried[who])
        if ask == "how_many":
            return Plot(events, ask, {"who": who}, (str(number),), support, counts=True)
        wrong = tuple(thing for thing in last if thing not in carried[who])
        return Plot(events, ask, {"who": who}, tuple(carried[who]), support, wrong)

    return cast.until(make)


# Counting (qa7), and lists (qa8).
for _name, _ask in (("count-carried", "how_many"), ("list-carried", "what")):
    task(_name, 3, "who thing", _HANDS, **{_ask: "who"})(partial(_in_hands, ask=_ask))


@task(
    "gifts", 2, "who thing", {"give": "who to thing"}, receiver="who thing", giver="to thing", gift="who to"
)
def gifts(cast: Cast, facts: int) -> Plot:
    """Three-argument relations (qa5): who gave what to whom."""
    people, things = cast.people(facts, 1), cast.names("thing", 2 + facts // 4)
    given, owner = list[dict[str, str]](), dict[str, str]()
    for _ in range(facts):
        thing = cast.rng.choice(things)
        who = owner.get(thing) or cast.rng.choice(people)
        owner[thing] = cast.other(people, who)
        given.append({"who": who, "to": owner[thing], "thing": thing})
    asks = (("receiver", "to", people), ("giver", "who", people), ("gift", "thing", things))

    def make() -> Plot | None:
        ask, wanted, others = cast.rng.choice(asks)
        at = cast.rng.randrange(facts)
        known = {key: name for key, name in given[at].items() if key != wanted}
        if sum(known.items() <= each.items() for each in given) > 1:
            return None
        wrong = tuple(each for each in others if each not in given[at].values())
        events = [event("give", **each) for each in given]
        return Plot(events, ask, known, (given[at][wanted],), frozenset([at]), wrong)

    return cast.until(make)


@task("is-there", 2, "who place:3 answer:2", {"move": "who place"}, is_there="who place")
def is_there(cast: Cast, facts: int) -> Plot:
    """Yes or no (qa6)."""
    plot = _moves(cast, facts, "move")
    true = cast.rng.random() < 0.5
    place = plot.answer[0] if true else cast.rng.choice(plot.wrong)
    answer, options = cast.yes_or_no(true=true)
    values = {**plot.values, "place": place}
    return Plot(plot.events, "is_there", values, answer, plot.support, options=options)


@task("negation", 2, "who place:3 answer:2", {"is": "who place", "is_not": "who place"}, is_there="who place")
def negation(cast: Cast, facts: int) -> Plot:
    """Simple negation (qa9): of the last fact about somebody, which may deny where they were."""
    people, places = cast.people(facts), cast.some("place", 8)
    events, last = list[Event](), dict[str, tuple[str, bool, int]]()
    for at in range(facts):
        who = cast.rng.choice(people)
        place, there, _ = last.get(who, ("", False, 0))
        # What is denied is what was the case, where anything was.
        denies = cast.rng.random() < 0.5
        place = place if denies and there else cast.other(places, place)
        events.append(event("is_not" if denies else "is", who=who, place=place))
        last[who] = place, not denies, at
    # As often yes as no, where anybody is known to be anywhere.
    known = [who for who, (_, there, _) in last.items() if there]
    true = cast.rng.random() < 0.5 and bool(known)
    who = cast.rng.choice(known if true else list(last))
    place, there, at = last[who]
    asked = cast.other(places, place) if there and not true else place
    answer, options = cast.yes_or_no(true=true)
    return Plot(events, "is_there", {"who": who, "place": asked}, answer, frozenset([at]), options=options)


@task("indefinite", 2, "who place:3 answer:3", _OPEN, is_there="who place")
def indefinite(cast: Cast, facts: int) -> Plot:
    """Indefinite knowledge (qa10): yes, no or maybe."""
    people, places = cast.people(facts), cast.some("place", 8)
    events, last = list[Event](), dict[str, tuple[tuple[str, ...], int]]()
    for at in range(facts):
        who = cast.rng.choice(people)
        if cast.rng.random() < 0.5:
            there: tuple[str, ...] = (cast.other(places, *last.get(who, ((), 0))[0]),)
            events.append(event("is", who=who, place=there[0]))
        else:
            there = tuple(cast.rng.sample(places, 2))
            events.append(event("either", who=who, place=there[0], other=there[1]))
        last[who] = there, at
    who = cast.rng.choice(list(last))
    there, at = last[who]
    asked = cast.rng.choice(there) if cast.rng.random() < 0.6 else cast.other(places, *there)
    yes, no, maybe = options = tuple(cast.choices["answer"][:3])
    answer = no if asked not in there else yes if len(there) == 1 else maybe
    return Plot(events, "is_there", {"who": who, "place": asked}, (answer,), frozenset([at]), options=options)


@task("times", 3, "who place:4 day:4 hour:2", {"was": "who place day hour"}, before="who place")
def times(cast: Cast, facts: int) -> Plot:
    """Time reasoning (qa14): where somebody was right before, facts being told out of order."""
    people = cast.names("who", max(-(-facts // _OF_ONE), min(2, facts // 2)))
    places, hours = cast.some("place", 8), cast.choices["hour"]
    dates = [(day, hour) for day in cast.choices["day"] for hour in hours]

    def make() -> Plot | None:
        visits = list[list[Event]]()
        for number, who in enumerate(people):
            own, place = facts // len(people) + (number < facts % len(people)), ""
            visits.append([])
            for day, hour in map(dates.__getitem__, sorted(cast.rng.sample(range(len(dates)), own))):
                place = cast.other(places, place)
                visits[-1].append(event("was", who=who, place=place, day=day, hour=hour))
        events = list(chain.from_iterable(visits))
        cast.rng.shuffle(events)
        askable = list[tuple[Event, Event]]()
        for each in visits:
            seen = Counter(values["place"] for _, values in each)
            askable += [pair for pair in pairwise(each) if seen[pair[1][1]["place"]] == 1]
        if not askable:
            return None
        before, after = cast.rng.choice(sorted(askable, key=lambda pair: events.index(pair[1])))
        who, place, answer = after[1]["who"], after[1]["place"], before[1]["place"]
        wrong = tuple(each for each in places if each not in (place, answer))
        support = frozenset([events.index(before), events.index(after)])
        return Plot(events, "before", {"who": who, "place": place}, (answer,), support, wrong)

    return cast.until(make)
