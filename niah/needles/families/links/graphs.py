"""Graphs: edges as statements, and the nodes that are so many steps from one, or that have an edge to one.

The needles are all edges that bear on the answer, and those that begin or end at a node of the answer. Edges
elsewhere begin and end at other nodes, so that none of them ever changes what is asked for.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from niah.needles.families.schema import GraphFile
from niah.needles.families.writer import FamilyDraw, TemplateWriter
from niah.needles.needle_set import Distractor, Element, Needle

_WIDEST = 8
"""Nodes that are equally far from the first, at most."""
_EDGES_A_NODE = 2

Edge = tuple[str, str]


def draw_graph(writer: TemplateWriter, graph: GraphFile, k: int, near: int) -> FamilyDraw:
    """The edges around one node, and ``near`` hard distractors: edges elsewhere.

    Of a frontier ``k`` is the number of steps, of parents their number.
    """
    rng = writer.values.random("graph")
    start = writer.draw(graph.name)
    around = _frontier if graph.ask == "frontier" else _parents
    asked, edges = around(writer, graph, start, k, rng)
    rng.shuffle(edges)
    templates = writer.templates("edges", graph.edges)
    needles = tuple(
        Needle(
            f"edge-{place}",
            writer.write(next(templates), {"this": this, "next": following}).text,
            tuple(node for node in asked if node in (this, following)),
        )
        for place, (this, following) in enumerate(edges, 1)
    )
    hard = tuple(
        Distractor(f"hard-{place}", text, (), "hard")
        for place, text in enumerate(edges_elsewhere(writer, graph, near), 1)
    )
    return FamilyDraw(tuple(map(Element, asked)), needles, hard=hard, extra={"start": start})


def edges_elsewhere(writer: TemplateWriter, graph: GraphFile, number: int) -> list[str]:
    """So many edges between nodes of their own, two from each on average."""
    rng = writer.values.random("elsewhere")
    nodes = [writer.draw(graph.name) for _ in range(max(3, -(-number // _EDGES_A_NODE)))]
    edges = set[Edge]()
    while len(edges) < min(number, len(nodes) * (len(nodes) - 1)):
        this, following = rng.choice(nodes), rng.choice(nodes)
        if this != following:
            edges.add((this, following))
    templates = writer.templates("edges", graph.edges)
    ordered = sorted(edges)
    rng.shuffle(ordered)
    return [
        writer.write(next(templates), {"this": this, "next": following}).text for this, following in ordered
    ]


def _frontier(
    writer: TemplateWriter, graph: GraphFile, start: str, steps: int, rng: random.Random
) -> tuple[list[str], list[Edge]]:
    """The nodes that are ``steps`` from ``start``, and every edge from a node that is as far or nearer.

    Some edges lead to a node that was reached before, so that who counts steps without looking back counts it
    again.
    """
    levels, edges = [[start]], list[Edge]()
    for _ in range(steps):
        reached = _next_level(writer, graph, levels[-1], rng)
        edges += reached
        levels.append(list(dict.fromkeys(following for _, following in reached)))
    asked = levels[-1]
    edges += [edge for node in asked for edge in _onward(writer, graph, node, rng)]
    for depth, level in enumerate(levels[1:-1], start=1):  # an edge to a farther node would be a short cut
        nearer = [node for before in levels[: depth + 1] for node in before]
        edges += _back(level, nearer, rng)
    return asked, list(dict.fromkeys(edges))


def _next_level(
    writer: TemplateWriter, graph: GraphFile, level: Sequence[str], rng: random.Random
) -> list[Edge]:
    """Edges to new nodes: one to three from each of a level, some to one that another leads to as well."""
    new = [writer.draw(graph.name) for _ in range(min(_WIDEST, max(2, len(level) + rng.randint(0, 2))))]
    edges = [(level[place % len(level)], node) for place, node in enumerate(new)]
    edges += [(node, rng.choice(new)) for node in level if rng.random() < 0.4]
    return list(dict.fromkeys(edges))


def _onward(writer: TemplateWriter, graph: GraphFile, node: str, rng: random.Random) -> list[Edge]:
    return [(node, writer.draw(graph.name)) for _ in range(rng.randint(1, _EDGES_A_NODE))]


def _back(level: Sequence[str], nearer: Sequence[str], rng: random.Random) -> list[Edge]:
    ends = [(node, rng.choice(nearer)) for node in level if rng.random() < 0.4]
    return [(this, following) for this, following in ends if this != following]


def _parents(
    writer: TemplateWriter, graph: GraphFile, child: str, number: int, rng: random.Random
) -> tuple[list[str], list[Edge]]:
    """The nodes with an edge to ``child``, these edges, others from the same nodes, and from ``child``."""
    asked = [writer.draw(graph.name) for _ in range(number)]
    edges = [(node, child) for node in asked]
    edges += [
        edge for node in (child, *asked) if rng.random() < 0.7 for edge in _onward(writer, graph, node, rng)
    ]
    return asked, edges
