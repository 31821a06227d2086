"""Statements that link one name to the next: chains with decoys that never join the true one, and graphs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from niah.needles.families.schema import Chain, Graph
from niah.needles.families.writer import FamilyDraw, TemplateWriter, distractors_of, needles_of
from niah.needles.needle_set import Element

_WIDEST = 8  # nodes that are equally far from the first, at most
_EDGES_A_NODE = 2

Edge = tuple[str, str]


class _Links(NamedTuple):
    names: tuple[str, ...]  # first to last
    value: str  # at the end
    asked: tuple[str, ...]
    texts: list[str]  # a statement a link
    carried: list[tuple[str, ...]]  # by statement, what is asked for and it says


def draw_chain(writer: TemplateWriter, chain: Chain, hops: int, near: int) -> FamilyDraw:
    """A chain of so many hops, whose end or names are asked for, decoy chains and ``near`` distractors."""
    true = _linked(writer, chain, hops)
    number = max(2, -(-near // len(true.texts)))
    decoys = [_linked(writer, chain, hops) for _ in range(number)]
    wrong = [tuple(map(Element, names)) for decoy in decoys for names in decoy.carried]
    return FamilyDraw(
        tuple(map(Element, true.asked)),
        needles_of("link", true.texts, true.carried),
        hard=distractors_of([text for decoy in decoys for text in decoy.texts], wrong),
        extra={"start": true.names[0], "value": true.value},
        ordered=chain.steps and len(true.asked) > 1,
    )


def decoy_statements(writer: TemplateWriter, chain: Chain, hops: int, least: int) -> list[str]:
    """The statements of chains of so many hops, ``least`` statements or a few more, chain by chain."""
    statements = list[str]()
    while len(statements) < least:
        statements += _linked(writer, chain, hops).texts
    return statements


def _linked(writer: TemplateWriter, chain: Chain, hops: int) -> _Links:
    links, ends = writer.templates("links", chain.links), writer.templates("ends", chain.ends)
    names = tuple(writer.draw(chain.name) for _ in range(hops + 1))
    statements = [writer.write(next(links), {"this": a, "next": b}) for a, b in pairwise(names)]
    value = writer.draw(chain.value) if chain.value else ""
    if chain.ends:
        statements.append(writer.write(next(ends), {"this": names[-1], "value": value}))
    texts = [writer.in_passage(each).text for each in statements]
    if chain.value:
        asked = (value,) if writer.family.element == chain.value else names
    else:
        asked = names[1:] if chain.steps else names[-1:]
    said = [[each.values.get(slot, "") for slot in ("this", "next", "value")] for each in statements]
    wanted = set(asked)
    carried = [tuple(name for name in own if name in wanted) for own in said]
    return _Links(names, value, asked, texts, carried)


def draw_graph(writer: TemplateWriter, graph: Graph, k: int, near: int) -> FamilyDraw:
    """All edges that bear on a node's ``k`` parents, or on nodes ``k`` steps away; ``near`` others."""
    start = writer.draw(graph.name)
    around = _frontier if graph.ask == "frontier" else _parents
    asked, edges = around(writer, graph, start, k)
    writer.values.random("graph").shuffle(edges)
    carried = [tuple(node for node in asked if node in edge) for edge in edges]
    needles = needles_of("edge", _written(writer, graph, edges), carried)
    hard = distractors_of(edges_elsewhere(writer, graph, near))
    return FamilyDraw(tuple(map(Element, asked)), needles, hard=hard, extra={"start": start})


def edges_elsewhere(writer: TemplateWriter, graph: Graph, number: int) -> list[str]:
    """So many edges between nodes of their own, two from each on average."""
    rng = writer.values.random("elsewhere")
    nodes = [writer.draw(graph.name) for _ in range(max(3, -(-number // _EDGES_A_NODE)))]
    edges = set[Edge]()
    while len(edges) < min(number, len(nodes) * (len(nodes) - 1)):
        this, following = rng.choice(nodes), rng.choice(nodes)
        if this != following:
            edges.add((this, following))
    ordered = sorted(edges)
    rng.shuffle(ordered)
    return _written(writer, graph, ordered)


def _written(writer: TemplateWriter, graph: Graph, edges: Sequence[Edge]) -> list[str]:
    templates = writer.templates("edges", graph.edges)
    return [writer.write(next(templates), {"this": a, "next": b}).text for a, b in edges]


def _frontier(writer: TemplateWriter, graph: Graph, start: str, steps: int) -> tuple[list[str], list[Edge]]:
    """The nodes ``steps`` from ``start``, and every edge from one that is as near; some edges lead back."""
    rng, levels, edges = writer.values.random("graph"), [[start]], list[Edge]()
    for _ in range(steps):
        level = levels[-1]
        new = [writer.draw(graph.name) for _ in range(min(_WIDEST, max(2, len(level) + rng.randint(0, 2))))]
        reached = [(level[place % len(level)], node) for place, node in enumerate(new)]
        reached += [(node, rng.choice(new)) for node in level if rng.random() < 0.4]
        levels.append(list(dict.fromkeys(following for _, following in reached)))
        edges += reached
    asked = levels[-1]
    edges += [edge for node in asked for edge in _onward(writer, graph, node)]
    for depth, level in enumerate(levels[1:-1], start=1):  # an edge to a farther node would be a short cut
        nearer = [node for before in levels[: depth + 1] for node in before]
        ends = [(node, rng.choice(nearer)) for node in level if rng.random() < 0.4]
        edges += [(this, following) for this, following in ends if this != following]
    return asked, list(dict.fromkeys(edges))


def _onward(writer: TemplateWriter, graph: Graph, node: str) -> list[Edge]:
    number = writer.values.random("graph").randint(1, _EDGES_A_NODE)
    return [(node, writer.draw(graph.name)) for _ in range(number)]


def _parents(writer: TemplateWriter, graph: Graph, child: str, number: int) -> tuple[list[str], list[Edge]]:
    """The nodes with an edge to ``child``, these edges, others from the same nodes, and from ``child``."""
    asked = [writer.draw(graph.name) for _ in range(number)]
    edges = [(node, child) for node in asked]
    chance = writer.values.random("graph").random
    edges += [edge for node in (child, *asked) if chance() < 0.7 for edge in _onward(writer, graph, node)]
    return asked, edges
