# ruff: noqa: INP001  (a script, not part of a package)
"""Writes truth, found, resolutions and members.csv: a karate club that fell apart, and its communities.

    python examples/communities/make_data.py        (needs networkx, which carries the graph)

34 members of a club and who met whom outside of it (Zachary 1977, J. Anthropol. Res. 33:452). After a quarrel
the club became two. ``found`` are the communities by greedy modularity (Clauset, Newman & Moore 2004), and
``resolutions`` the same at four resolutions.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import networkx as nx

HERE = Path(__file__).parent
RESOLUTIONS = (0.5, 1.0, 1.5, 2.0)


def main() -> None:
    """Write all files beside this script."""
    graph = nx.karate_club_graph()
    found = communities(graph, 1.0)
    clubs = {node: graph.nodes[node]["club"] for node in graph}
    write("truth.csv", ("member", "club"), ((f"member {node:02}", club) for node, club in clubs.items()))
    write("found.csv", ("member", "community"), ((f"member {node:02}", found[node]) for node in graph))
    runs = [communities(graph, resolution) for resolution in RESOLUTIONS]
    header = ("member", *(f"resolution {resolution}" for resolution in RESOLUTIONS))
    write("resolutions.csv", header, ((f"member {node:02}", *(run[node] for run in runs)) for node in graph))
    friends = {node: ", ".join(f"{other:02}" for other in graph[node]) for node in graph}
    rows = ((f"member {node:02}", str(len(graph[node])), friends[node]) for node in graph)
    write("members.csv", ("member", "friends", "who"), rows)


def communities(graph: nx.Graph, resolution: float) -> dict[int, str]:
    """The community of each member, numbered from the largest."""
    sets = nx.community.greedy_modularity_communities(graph, resolution=resolution)
    return {node: str(number) for number, nodes in enumerate(sets) for node in nodes}


def write(name: str, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """A CSV file."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
