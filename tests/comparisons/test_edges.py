"""Pair-counting indices over the edges of a graph, against their definitions."""

import random
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import concordant as cc
from concordant.errors import InputError, LabelError, ParameterError


def graph(seed, size=12, edges=25):
    rng = random.Random(seed)
    labels = [[rng.randrange(4) for _ in range(size)] for _ in range(2)]
    pairs = [(i, j) for i in range(size) for j in range(i)]
    return *labels, rng.sample(pairs, edges)


@pytest.mark.parametrize("seed", range(8))
def test_the_adjusted_graph_aware_rand_index_by_its_definition(seed):
    u, v, edges = graph(seed)
    su = sum(u[i] == u[j] for i, j in edges)
    sv = sum(v[i] == v[j] for i, j in edges)
    suv = sum(u[i] == u[j] and v[i] == v[j] for i, j in edges)
    by_chance = Fraction(su * sv, len(edges))
    wanted = (suv - by_chance) / (Fraction(su + sv, 2) - by_chance)
    c = cc.compare(u, v)
    assert c.over_edges(edges) == float(wanted)
    apart = len(edges) - su - sv + suv
    assert c.over_edges(edges, "rand") == (suv + apart) / len(edges)
    assert c.over_edges(edges, "f_measure(beta=2)") == 5 * suv / (sv + 4 * su)


@pytest.mark.parametrize("index", ["adjusted_rand", "jaccard", "f_measure", "rand", "fowlkes_mallows", "phi"])
def test_over_all_pairs_it_is_the_index_itself(index):
    u, v, _ = graph(1)
    c = cc.compare(u, v)
    assert c.over_edges([(i, j) for i in range(len(u)) for j in range(i)], index) == c[index]


def test_sides_that_differ_but_not_over_the_edges_are_not_identical():
    for labels, is_same in (([1, 2, 2], False), ([5, 5, 6], True)):
        c = cc.compare([1, 1, 2], labels, undefined="nan")
        assert c.over_edges([(0, 2)], "rand") == 1
        assert np.isnan(c.over_edges([(0, 2)], "precision")) != is_same


def test_edges_come_as_arrays_dataframes_and_graphs():
    networkx = pytest.importorskip("networkx")
    u, v, edges = graph(2)
    c = cc.compare(u, v)
    wanted = c.over_edges(edges)
    assert c.over_edges(np.array(edges)) == wanted
    assert c.over_edges(pd.DataFrame(edges, columns=["source", "target"])) == wanted
    assert c.over_edges(networkx.Graph(edges)) == wanted


def test_edges_join_records_by_name():
    c = cc.compare({"a": 0, "b": 0, "c": 1}, {"c": 1, "b": 0, "a": 0})
    assert c.over_edges([("a", "b"), ("b", "c")], "rand") == 1
    with pytest.raises(LabelError, match="edge 1 joins 'd', which is not a record of the comparison"):
        c.over_edges([("a", "b"), ("a", "d")])


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([], "there are no edges"),
        ("ab", "edges are pairs of records or a graph, not a str"),
        ([(0, 1, 2)], r"edge 0 is \(0, 1, 2\), not a pair of records"),
        ([(0, 1), (2, 2)], "edge 1 joins 2 with itself; leave out loops"),
        ([(0, 1), (1, 0)], "edges 0 and 1 both join 1 and 0; give each pair once"),
    ],
)
def test_what_is_no_list_of_edges_is_refused(edges, message):
    with pytest.raises(InputError, match=message):
        cc.compare([0, 0, 1], [0, 1, 1]).over_edges(edges)


def test_an_index_of_more_than_pairs_is_refused_also_if_the_sides_agree():
    c = cc.compare([0, 0, 1], [0, 0, 1])
    for index, message in (
        ("bcubed_f", "not computed from pair counts alone"),
        ("rv", "also counts records"),
    ):
        with pytest.raises(ParameterError, match=message):
            c.over_edges([(0, 1), (1, 2)], index)
