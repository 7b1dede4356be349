"""Situations that a comparison may show, each with the sentence that a person would say first.

The sentences were written before the code that makes them.
"""

import csv
import warnings
from pathlib import Path

import numpy as np

import concordant as cc

EXAMPLES = Path(__file__).parents[2] / "examples"
TEN = np.repeat(np.arange(10), 100)  # ten clusters of 100 records
THREES = np.arange(300) // 3
NOISE = -1


def read(folder, name):
    with (EXAMPLES / folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return dict(list(csv.reader(file))[1:])


def example(folder, *files, names):
    return cc.compare(*(read(folder, name) for name in files), names=names)


def moved(labels, places, label):
    labels = np.array(labels)
    labels[places] = label
    return labels


def noisy(share, **options):
    """Six clusters of 50, of which the candidate merges two and calls this share of the records noise."""
    truth = np.repeat(np.arange(6), 50)
    found = np.where(truth == 2, 1, truth)
    found[np.arange(300) % 50 < share * 50] = NOISE
    return cc.compare(truth, found, noise=NOISE, **options)


def missing(records, treatment, *, halve=False):
    """Ten clusters of 100, interleaved, of which the candidate lacks the first records."""
    truth = {i: i % 10 for i in range(1000)}
    found = {i: label // (2 if halve else 1) for i, label in truth.items() if i >= records}
    return cc.compare(truth, found, unmatched=treatment)


def mostly_split():
    """Five clusters are split in halves, and 20 records of the last move to the one before."""
    found = np.where((TEN < 5) & (np.arange(1000) % 2 == 0), TEN + 50, TEN)
    return moved(found, slice(980, 1000), 8)


def swaps():
    """A fifth of each cluster is scattered over the others."""
    found, places = TEN.copy(), np.flatnonzero(np.arange(1000) % 5 == 0)
    found[places] = (TEN[places] + 1 + np.arange(len(places)) % 20 % 9) % 10
    return found


def lump():
    """5,000 entities of four records: one cluster swallows 150 of them, and 60 others lose a record."""
    truth = np.arange(20_000) // 4
    found = moved(truth, slice(0, 600), -7)
    lost = np.arange(10_000, 10_240, 4)
    return truth, moved(found, lost, lost + 100_000)


def entities():
    """10,000 entities of three records: one in four is split, and every hundredth is merged with the next."""
    truth = np.arange(30_000) // 3
    found = np.where((truth % 4 == 1) & (np.arange(30_000) % 3 == 2), truth + 100_000, truth)
    return truth, np.where(truth % 100 == 2, truth + 1, found)


def cells_in(size, labels):
    """A picture with a background of 0 and squares of 10 by 10 pixels with these labels."""
    picture = np.zeros((size, size), dtype=int)
    for place, label in enumerate(labels):
        row, column = divmod(place, size // 20)
        picture[20 * row + 5 : 20 * row + 15, 20 * column + 5 : 20 * column + 15] = label
    return picture


def images(candidate, **options):
    return cc.compare(cells_in(100, range(1, 13)), cells_in(100, candidate), **options)


def merged_with_the_background():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that 0 is often the background
        return images([*range(1, 12), 0])


BACKGROUND = {f"{side}_noise": {0: "background"} for side in ("reference", "candidate")}


def cover(*clusters):
    return cc.Cover.from_clusters([list(range(*each)) for each in clusters])


SITUATIONS = {
    # nothing compared, or identical
    "nothing": (
        lambda: cc.compare([], []),
        "There is nothing to compare: both sides are empty",
    ),
    "identical": (
        lambda: cc.compare(list("aabbcc"), list("xxyyzz")),
        "The candidate and the reference are identical",
    ),
    "identical, with names": (
        lambda: cc.compare(list("aabbcc"), list("xxyyzz"), names=("digit", "k-means")),
        "k-means and digit are identical",
    ),
    "identical where compared": (
        lambda: missing(700, "drop"),
        "The candidate and the reference are identical on the 300 of 1,000 records that were compared",
    ),
    "nothing in common": (
        lambda: cc.compare({1: "a", 2: "b"}, {3: "a", 4: "b"}, unmatched="keep"),
        "The candidate and the reference have no records in common",
    ),
    "identical covers": (
        lambda: cc.compare(cover((0, 4), (3, 6)), cover((0, 4), (3, 6))),
        "The candidate and the reference are identical",
    ),
    # records that a side lacks
    "70% missing": (
        lambda: missing(700, "singletons"),
        "70% of the records are only in the reference",
    ),
    "70% left out": (
        lambda: missing(700, "drop", halve=True),
        "70% of the records were left out",
    ),
    "60% noise": (
        lambda: noisy(0.6, noise_as="singletons", names=("truth", "HDBSCAN")),
        "60% of the records are noise in HDBSCAN",
    ),
    "60% noise, left out": (
        lambda: noisy(0.6, noise_as="drop"),
        "60% of the records are noise and left out",
    ),
    "one record is missing": (
        lambda: missing(1, "singletons"),
        "1 of 1,000 records is only in the reference",
    ),
    "each side lacks a third": (
        lambda: cc.compare(
            {i: i // 10 for i in range(60)}, {i: i // 10 for i in range(30, 90)}, unmatched="keep"
        ),
        "33% of the records are only in the reference, 33% only in the candidate",
    ),
    "a cell is missed": (
        lambda: images([*range(1, 12), 0], **BACKGROUND),
        "1 of 12 objects is missed: reference object 12",
    ),
    "cells are missed and invented": (
        lambda: images([0, 0, *range(3, 13), 20, 21, 22], **BACKGROUND),
        "2 objects are missed and 3 are invented",
    ),
    "a cell is invented": (
        lambda: images([*range(1, 13), 20], **BACKGROUND),
        "1 object is invented: candidate object 20",
    ),
    # chance
    "random": (
        lambda: cc.compare(*np.random.default_rng(0).integers(0, 9, (2, 20_000))),
        "The candidate and the reference are no more similar than chance (ARI 0.000)",
    ),
    # one cluster
    "one merge": (
        lambda: cc.compare(TEN, np.where(TEN == 9, 8, TEN)),
        "Candidate cluster 8 merges reference clusters 8 and 9 and holds all wrong pairs",
    ),
    "a merge of three": (
        lambda: cc.compare(TEN, np.minimum(TEN, 7)),
        "Candidate cluster 7 merges reference clusters 7, 8 and 9 and holds all wrong pairs",
    ),
    "a merge and a little noise": (
        lambda: noisy(0.02, noise_as="singletons"),
        "Candidate cluster 1 merges reference clusters 1 and 2 and holds all wrong pairs",
    ),
    "a merge of twenty": (
        lambda: cc.compare(THREES, np.where(THREES < 20, 500, THREES)),
        "Candidate cluster 500 mixes 20 reference clusters and holds all wrong pairs",
    ),
    "all in one": (
        lambda: cc.compare(TEN, ["x"] * 1000),
        "Candidate cluster x mixes all 10 reference clusters and holds all wrong pairs",
    ),
    "a lump": (
        lambda: cc.compare(*lump()),
        "Candidate cluster -7 mixes 150 reference clusters and holds all wrong pairs",
    ),
    "a lump and a merge": (
        lambda: cc.compare(THREES, moved(np.where(THREES < 20, 500, THREES), slice(297, 300), 98)),
        # 60 · 59 / 2 - 20 · 3 = 1,710 wrong pairs in cluster 500, and 9 in cluster 98
        "Candidate cluster 500 mixes 20 reference clusters and holds 99% of the wrong pairs",
    ),
    "a split in two": (
        lambda: cc.compare(TEN, np.where((TEN == 4) & (np.arange(1000) % 2 == 0), 50, TEN)),
        "Reference cluster 4 is split over candidate clusters 4 and 50 and holds all missed pairs",
    ),
    "a split in three": (
        lambda: cc.compare(TEN, np.where(TEN == 4, 100 + np.arange(1000) % 3, TEN)),
        "Reference cluster 4 is split over 3 candidate clusters and holds all missed pairs",
    ),
    "one against singletons": (
        lambda: cc.compare([0] * 40, list(range(40))),
        "Reference cluster 0 is split over all 40 candidate clusters and holds all missed pairs",
    ),
    "a cell is merged with the background": (
        merged_with_the_background,
        "Candidate object 0 merges reference objects 0 and 12 and holds all wrong pairs",
    ),
    "one stray record": (
        lambda: cc.compare(TEN, moved(TEN, 0, 1)),
        "1 of 1,000 records is in the wrong cluster: candidate cluster 1",
    ),
    "two clusters": (
        lambda: cc.compare([0] * 30 + [1] * 30, [0] * 25 + [1] * 35),
        "8% of the records are in the wrong cluster: candidate cluster 1",
    ),
    "one record is split off": (
        lambda: cc.compare(TEN, moved(TEN, 0, 77)),
        "1 of 1,000 records is in the wrong cluster, from reference cluster 0",
    ),
    # splitting or merging
    "all singletons": (
        lambda: cc.compare(THREES, np.arange(300)),
        "67% of the records are in the wrong cluster, only by splitting",
    ),
    "each loses a record": (
        lambda: cc.compare(THREES, np.where(np.arange(300) % 3, THREES, 1000 + THREES)),
        "33% of the records are in the wrong cluster, only by splitting",
    ),
    "two splits": (
        lambda: cc.compare(list("xxxxxxyyyyyy"), list("aaabbbcccddd")),
        "6 of 12 records are in the wrong cluster, only by splitting",
    ),
    "two merges": (
        lambda: cc.compare(list("aaabbbcccddd"), list("xxxxxxyyyyyy")),
        "6 of 12 records are in the wrong cluster, only by merging",
    ),
    "mostly splits": (
        lambda: cc.compare(TEN, mostly_split()),
        "27% of the records are in the wrong cluster, mostly by splitting",
    ),
    "mostly merges": (
        lambda: cc.compare(mostly_split(), TEN),
        "27% of the records are in the wrong cluster, mostly by merging",
    ),
    "10,000 entities": (
        # 2,500 records split off; 100 entities merged with the next, 3 records each
        lambda: cc.compare(*entities()),
        "9% of the records are in the wrong cluster, mostly by splitting",
    ),
    "weights": (
        lambda: cc.compare(THREES, np.where(np.arange(300) % 3, THREES, 1000 + THREES), weights=[2] * 300),
        "33% of the weight is in the wrong cluster, only by splitting",
    ),
    # few errors, or all kinds of them
    "digits": (
        lambda: example("digits", "truth", "kmeans", names=("digit", "k-means")),
        "21% of records are in the wrong cluster, mostly from digit clusters '1', '8' and '9'",
    ),
    "mentions": (
        lambda: (
            cc.coreference(
                {"d": [{"a", "b", "c"}, {"d", "e"}, {"f", "g"}]},
                {"d": [{"a", "b"}, {"c", "d", "e"}, {"f", "g"}]},
            ).comparison
        ),
        "1 of 7 mentions is in the wrong cluster, from reference cluster 'a +2'",
    ),
    "swaps": (
        lambda: cc.compare(TEN, swaps()),
        "20% of the records are in the wrong cluster, by both splits and merges",
    ),
    "people": (
        lambda: example("entities", "truth", "new", names=("person_id", "new_rule")),
        "16% of the records are in the wrong cluster, by both splits and merges",
    ),
    "club": (
        lambda: example("communities", "truth", "found", names=("club", "community")),
        "club cluster 'Mr. Hi' is split and holds 83% of the missed pairs",
    ),
    # clusters that overlap
    "covers that lack a cluster": (
        lambda: cc.compare(cover((0, 10), (8, 20), (30, 40)), cover((0, 10), (8, 20))),
        "10 of 30 records are in no cluster of the candidate",
    ),
    "covers with a merge": (
        lambda: cc.compare(cover((0, 10), (8, 20), (18, 30)), cover((0, 20), (18, 30))),
        "Candidate cluster 0 merges reference clusters 0 and 1 and holds all wrong memberships",
    ),
    "covers with errors": (
        lambda: cc.compare(
            cover((0, 10), (10, 20), (20, 30), (30, 40)), cover((0, 11), (11, 21), (21, 30), (30, 40))
        ),
        "5% of the memberships are missed and 5% are wrong",
    ),
}
