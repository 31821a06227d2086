"""State over time: how many are where after moves, and what stands where after exchanges."""

from __future__ import annotations

from niah.needles.number_words import number_words
from niah.needles.stories.story import Cast, Event, Plot, event

_MOST_STORES = 5
_MOST_THINGS = 6


def inventory(cast: Cast, facts: int) -> Plot:
    """How many are in a store at the end. The first facts say what each begins with."""
    stores = cast.names("store", min(_MOST_STORES, max(2, facts // 3)))
    there, touched = dict[str, int](), {store: list[int]() for store in stores}
    events = list[Event]()
    for store in stores:
        there[store] = cast.rng.randint(3, 40)
        touched[store].append(len(events))
        events.append(event("start", store=store, number=str(there[store])))
    while len(events) < facts:
        store, kind = cast.rng.choice(stores), cast.rng.choice(("put", "took", "moved"))
        least = 2  # "one" would need another word than "three"
        if kind != "put" and there[store] <= least:
            continue
        number = cast.rng.randint(least, 12 if kind == "put" else min(12, there[store] - 1))
        touched[store].append(len(events))
        there[store] += number if kind == "put" else -number
        values = {"store": store, "number": str(number)}
        if kind == "moved":
            values["to"] = cast.rng.choice([each for each in stores if each != store])
            there[values["to"]] += number
            touched[values["to"]].append(len(events))
        events.append(Event(kind, values))
    # Of the store that most is told of, if it is not alone in that.
    store = max(stores, key=lambda each: (len(touched[each]), cast.rng.random()))
    left = str(there[store])
    return Plot(
        events,
        "how_many",
        {"store": store},
        (left,),
        frozenset(touched[store]),
        aliases={left: number_words(there[store])},
    )


def positions(cast: Cast, facts: int) -> Plot:
    """Which place something has at the end. The first fact says how all stand; each other exchanges two."""
    things = cast.names("thing", min(_MOST_THINGS, facts))
    (port,) = cast.names("port", 1)
    stands = list(things)
    listed = ", ".join(f"{number}: {thing}" for number, thing in enumerate(things, 1))
    events = [event("line_up", things=listed, port=port)]
    while len(events) < facts:
        one, other = sorted(cast.rng.sample(range(len(stands)), 2))
        if cast.rng.random() < 0.5:
            events.append(event("swap", thing=stands[one], other=stands[other], port=port))
        else:
            events.append(event("swap_places", first=str(one + 1), second=str(other + 1), port=port))
        stands[one], stands[other] = stands[other], stands[one]
    moved = [thing for number, thing in enumerate(things) if stands[number] != thing] or things
    thing = cast.rng.choice(moved)
    number = stands.index(thing) + 1
    return Plot(
        events,
        "which",
        {"thing": thing, "port": port},
        (str(number),),
        frozenset(range(facts)),
        aliases={str(number): number_words(number)},
    )
