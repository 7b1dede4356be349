"""Clusters followed through partitions in order: the events by their definitions, counted one by one."""

import pickle
import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import concordant as cc
from concordant.errors import InputError, LengthError, ParameterError, UnmatchedError

WEEKS = {
    "monday": {"a": "x", "b": "x", "c": "x", "d": "x", "e": "y", "f": "z"},
    "tuesday": {"a": "x", "b": "x", "c": "w", "d": "w", "e": "y", "g": "new", "h": "new"},
    "friday": {"a": "x", "b": "x", "c": "x", "d": "x", "e": "y", "g": "new"},
}


def clusters_of(mapping):
    found = {}
    for element, label in mapping.items():
        found.setdefault(label, set()).add(element)
    return found


def by_definition(before, after, share=Fraction(1, 2)):
    """{(kind, sources, targets)} of one step, from the sentences of the docstring."""
    u, v = clusters_of(before), clusters_of(after)
    shared = {(i, j): u[i] & v[j] for i in u for j in v}
    common = before.keys() & after.keys()
    linked = {  # fractions, so no rounding
        (i, j)
        for (i, j), both in shared.items()
        if len(both) > share * min(len(u[i]), len(v[j]))
        and (min(len(u[i]), len(v[j])) > 1 or share * max(len(u[i] & common), len(v[j] & common)) <= 1)
    }
    to = {i: {j for k, j in linked if k == i} for i in u}
    come = {j: {i for i, k in linked if k == j} for j in v}
    events = {("split", frozenset([i]), frozenset(to[i])) for i in u if len(to[i]) > 1}
    events |= {("merge", frozenset(come[j]), frozenset([j])) for j in v if len(come[j]) > 1}
    events |= {("death", frozenset([i]), frozenset()) for i in u if not to[i]}
    events |= {("birth", frozenset(), frozenset([j])) for j in v if not come[j]}
    alone = {(i, j) for i, j in linked if len(to[i]) == 1 and len(come[j]) == 1}
    return events | {("continuation", frozenset([i]), frozenset([j])) for i, j in alone}


def as_sets(events):
    found = [(event.kind, frozenset(event.sources), frozenset(event.targets)) for event in events]
    assert len(set(found)) == len(found)
    return set(found)


mappings = st.dictionaries(st.integers(0, 14), st.integers(0, 4), min_size=1)


@given(st.lists(mappings, min_size=2, max_size=4), st.sampled_from([0, 0.3, 0.5, 0.75, Fraction(2, 3)]))
def test_the_events_are_those_of_the_definition(weeks, share):
    t = cc.track(weeks, share=share)
    for step, before, after in zip(t.steps, weeks, weeks[1:], strict=False):
        expected = by_definition(before, after, Fraction(str(share)))
        found = [event for event in t.events if event.before == step.before.clustering]
        assert as_sets(found) == expected
        assert {kind: sum(event.kind == kind for event in found) for kind in step.counts} == step.counts
        assert step.new == len(after.keys() - before.keys())
        assert step.gone == len(before.keys() - after.keys())


@given(st.lists(mappings, min_size=2, max_size=3))
def test_sizes_and_overlaps_are_counted_right(weeks):
    held = {str(i): clusters_of(week) for i, week in enumerate(weeks)}
    for event in cc.track(weeks).events:
        before, after = held[event.before], held[event.after]
        assert event.source_sizes == tuple(len(before[label]) for label in event.sources)
        assert event.target_sizes == tuple(len(after[label]) for label in event.targets)
        shared = tuple(len(before[i] & after[j]) for i in event.sources for j in event.targets)
        assert event.overlap == shared == tuple(sorted(shared, reverse=True))
        there = {element for cluster in (after if event.sources else before).values() for element in cluster}
        own = before[event.sources[0]] if event.sources else after[event.targets[0]]
        assert event.absent == (len(own - there) if event.kind in ("birth", "death") else 0)


def test_weeks():
    t = cc.track(WEEKS)
    assert t.names == ("monday", "tuesday", "friday")
    assert [(e.sources, e.targets) for e in t.splits] == [(("x",), ("w", "x"))]
    assert [(e.sources, e.targets) for e in t.merges] == [(("w", "x"), ("x",))]
    assert [(e.before, e.sources, e.absent) for e in t.deaths] == [("monday", ("z",), 1)]
    assert [(e.after, e.targets, e.absent) for e in t.births] == [("tuesday", ("new",), 2)]
    assert [(e.sources, e.targets) for e in t.continuations] == [
        (("y",), ("y",)),
        (("new",), ("new",)),
        (("y",), ("y",)),
    ]
    assert len(t) == len(list(t)) == 2
    assert t[0] is t.steps[0]
    assert t[1:].names == ("tuesday", "friday")
    assert len(t.events) == 7


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ([0] * 100, [0] * 99 + [1], ["birth", "continuation"]),
        ([0] * 99 + [1], [0] * 100, ["death", "continuation"]),
        ([0] * 5, [0, 1, 2, 3, 4], ["birth"] * 5 + ["death"]),
        ([0] * 2, [0, 1], ["split"]),
        ([0] * 100, [0] * 98 + [1] * 2, ["split"]),
        ({"a": 0}, {"a": 0, "b": 0, "c": 0}, ["continuation"]),  # it grows by new records
    ],
)
def test_one_record_makes_no_split_or_merge_of_a_large_cluster(before, after, kinds):
    assert [event.kind for event in cc.track([before, after]).events] == kinds


def test_a_partition_that_stays_only_continues():
    labels = np.arange(300) % 17
    t = cc.track([labels, labels + 100, labels])
    assert [event.kind for event in t.events] == ["continuation"] * 34
    assert t.events[0].sources == (0,)
    assert t.events[0].targets == (100,)


def test_the_largest_events_come_first():
    before = [0] * 4 + [1] * 10 + [2] * 6
    after = [0, 0, 1, 1] + [2] * 5 + [3] * 5 + [4] * 3 + [5] * 3
    t = cc.track([before, after])
    assert [event.size for event in t.splits] == [10, 6, 4]
    assert [event.size for event in t.splits.largest(2)] == [10, 6]


def test_a_share_is_taken_as_it_is_written():
    """Three of ten is not more than 0.3, although the float 0.3 is less than three tenths."""
    crossed = [[0] * 10 + [1] * 10, [0] * 3 + [1] * 10 + [0] * 7]
    step = cc.track(crossed, share=0.3).steps[0]
    assert step.overlap[step.linked].tolist() == [7, 7]
    assert len(cc.track(crossed, share=0.29).merges) == 2


def test_noise_that_is_dropped_is_not_there():
    weeks = [[0, 0, 1, -1], [0, 0, -1, 1]]
    t = cc.track(weeks, noise=-1, noise_as="drop")
    assert as_sets(t.events) == {
        ("continuation", frozenset([0]), frozenset([0])),
        ("death", frozenset([1]), frozenset()),
        ("birth", frozenset(), frozenset([1])),
    }
    assert (t.steps[0].new, t.steps[0].gone, t.stages[0].n_clusters) == (1, 1, 2)


def test_noise_as_singletons_is_in_no_cluster():
    t = cc.track([[0, 0, -1, -1], [0, 0, 1, 1]], noise=-1, noise_as="singletons")
    assert as_sets(t.events) == {
        ("continuation", frozenset([0]), frozenset([0])),
        ("birth", frozenset(), frozenset([1])),
    }
    assert "(in no cluster)" not in str(t)
    assert [(stage.n_clusters, len(stage.unclustered)) for stage in t.stages] == [(1, 2), (2, 0)]
    still = cc.track([[0, 0, -1, -1]] * 2, noise=-1, noise_as="singletons")
    assert [event.sources for event in still.continuations] == [(0,)]  # noise does not continue
    rows = [line.split() for line in str(still).splitlines()]
    assert ["1", "1", "4", "2", "1"] in [row[:5] for row in rows]
    assert still.to_dict()["clusterings"]["0"] == {"n_clusters": 1, "size": 4, "in_no_cluster": 2}


@pytest.mark.parametrize("seed", range(5))
def test_records_in_no_cluster_have_no_part_in_events(seed):
    """Events are those of the partitions without these records, linked by the whole sizes of clusters."""
    weeks = np.random.default_rng(seed).integers(-1, 4, (3, 30)).tolist()
    t = cc.track(weeks, noise=-1, noise_as="singletons")
    for event in t.events:
        assert None not in event.sources + event.targets
    for step, (before, after) in zip(t.steps, pairwise(weeks), strict=True):
        linked = set()
        for u, v in set(zip(before, after, strict=True)) - {(-1, -1)}:
            both = sum(pair == (u, v) for pair in zip(before, after, strict=True))
            if -1 not in (u, v) and 2 * both > min(before.count(u), after.count(v)):
                linked.add((u, v))
        targets, sources = {v for _, v in linked}, {u for u, _ in linked}
        assert step.counts["birth"] == len(set(after) - targets - {-1})
        assert step.counts["death"] == len(set(before) - sources - {-1})
        assert step.counts["merge"] == sum(sum(v == own for _, v in linked) > 1 for own in targets)


def test_noise_hands_no_label_on():
    weeks = [[0, 0, -1, 4, 4], [0, 0, 7, 4, -1]]
    t = cc.track(weeks, noise=-1, noise_as="singletons", relabel=True)
    assert [t.stages[1].cluster(place) for place in range(4)] == [0, 4, 8, None]
    assert list(t.ids.values()) == [{0: 0, 4: 4}, {0: 0, 7: 8, 4: 4}]


@pytest.mark.parametrize("make", [dict, pd.Series, lambda week: list(map(set, clusters_of(week).values()))])
def test_every_kind_of_partition(make):
    t = cc.track({name: make(week) for name, week in WEEKS.items()})
    assert t.steps[0].counts == cc.track(WEEKS).steps[0].counts


def test_text():
    headline, *lines = str(cc.track(WEEKS)).splitlines()
    assert headline == "1 split and 1 merge"
    assert re.split(" +", lines[2].strip())[:4] == ["partition", "clusters", "records", "continued"]
    assert lines[3].split() == ["monday", "3", "6"]
    assert lines[4].split() == ["tuesday", "4", "7", "1", "1", "0", "1", "1", "2", "1"]
    assert lines[7] == "monday → tuesday: 'x' (4) splits into 'w' (2), 'x' (2)"
    assert repr(cc.track(WEEKS)) == (
        "<Track of 3 partitions: 1 split, 1 merge, 1 birth, 1 death, 3 continuations>"
    )


def test_many_events_are_told_in_part():
    before = np.repeat(np.arange(30), 6)
    text = str(cc.track([before, np.arange(180) // 2]))
    assert text.splitlines()[-1] == "and 20 smaller events"
    assert "0 (6) splits into 0 (2), 1 (2), 2 (2)" in text
    assert "(2) and 2 more" in str(cc.track([[0] * 12, np.arange(12) // 2]))


def test_hostile_labels_are_harmless_in_text():
    hostile = ["\x1b[31mred", "two\nlines", "x" * 10_000, "\u202egnirts"]
    text = str(cc.track({"\x1b[2J": hostile, "after": [1, 1, 2, 2]}))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert max(map(len, text.splitlines())) < 200


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ("labels", InputError, "track takes a mapping from name to clustering"),
        ([[0, 1]], InputError, "track compares two clusterings or more, not 1"),
        ([[0, 1], [0, 1, 2]], LengthError, "'0' has 2 labels and '1' has 3"),
        ([{"a": 1}, [0]], UnmatchedError, "'0' names its records and '1' does not"),
    ],
)
def test_input_that_cannot_be_followed(given, error, text):
    with pytest.raises(error, match=text):
        cc.track(given)


@pytest.mark.parametrize("share", [1, -0.1, "half", None, True, float("nan")])
def test_a_share_that_is_none(share):
    with pytest.raises(ParameterError, match="share="):
        cc.track([[0, 1], [0, 1]], share=share)


def test_progress_is_told():
    told = []
    cc.track([[0, 1]] * 4, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames_have_a_row_for_each_link(backend):
    frame = cc.track(WEEKS).to_frame(backend)
    assert type(frame).__module__.startswith(backend)
    rows = cc.track(WEEKS).to_dict()["events"]
    assert len(frame) == len(rows) == 2 + 2 + 1 + 1 + 3
    assert rows[0] == {
        "kind": "split",
        "before": "monday",
        "after": "tuesday",
        "source": "x",
        "source_size": 4,
        "target": "w",
        "target_size": 2,
        "overlap": 2,
    }
    birth = next(row for row in rows if row["kind"] == "birth")
    assert (birth["source"], birth["source_size"], birth["target"], birth["overlap"]) == (None, 0, "new", 0)


def test_events_are_a_list():
    t = cc.track([np.arange(1200) // 4, np.arange(1200) // 2])
    assert len(t.splits) == 300
    assert t.splits[-1].sources == (299,)
    assert [event.sources[0] for event in t.splits[150:153]] == [150, 151, 152]
    assert t.merges == []


def flows_of(track, limit=20):
    """Elements from each bar to each, by name, as the tooltips of the chart report them."""
    ((chart, _),) = track._charts()
    text = chart.svg(track._picture(limit), False).body  # noqa: FBT003  (wide)
    bands = re.findall(r'class="band [^>]*><title>([\d,]+) records?\n(.*?) → ([^\n<]*)', text)
    return Counter({(one, other): int(count.replace(",", "")) for count, one, other in bands})


def test_the_picture_shows_every_element():
    flows = flows_of(cc.track(WEEKS))
    assert flows["x", "w"] == 2
    assert flows["z", "not there"] == 1
    assert flows["not there", "new"] == 2
    assert flows["new", "not there"] == 1


def test_small_clusters_are_gathered():
    before = np.repeat(np.arange(20), np.arange(20, 0, -1))
    track = cc.track([before, before])
    flows = flows_of(track, limit=5)
    assert len(flows) == 6
    assert flows["15 others", "15 others"] == 15 * 16 // 2
    assert len(flows_of(track, limit=19)) == 20  # one alone needs no gathering
    assert len(flows_of(track)) == 20


def test_colours_follow_a_cluster():
    first, second = cc.track([[0] * 6 + [1] * 4, [5] * 6 + [6] * 4])._picture(9).columns
    assert [bar.colour for bar in first] == [bar.colour for bar in second]
    first, second = cc.track([[0] * 6, [5] * 4 + [6] * 2])._picture(9).columns
    assert first[0].colour == next(bar.colour for bar in second if bar.size == 4)
    assert first[0].colour != next(bar.colour for bar in second if bar.size == 2)


def test_the_page(tmp_path):
    hostile = {"a": "<script>alert(1)</script>", "b": "x" * 10_000, "c": "two\nlines"}
    t = cc.track({"first": hostile, "</script>": dict.fromkeys("ab", "all")})
    text = t.to_html(tmp_path / "t.html").read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "1 merge" in text
    assert text.count('<svg class="drawing"') == 2  # wide and narrow
    assert len(text) < 100_000


def test_every_band_and_step_of_the_page_says_what_the_track_says(tmp_path):
    t = cc.track(WEEKS)
    text = t.to_html(tmp_path / "t.html").read_text(encoding="utf-8")
    wide = text[text.index('<svg class="drawing"') :].partition("</svg>")[0]
    bands = [int(count) for count in re.findall(r'class="band .*?<title>([\d,]+) record', wide)]
    expected = [int(n) for step in t.steps for n in [*step.overlap.tolist(), step.new, step.gone] if n]
    assert sum(bands) == sum(expected)
    assert re.findall(r"ARI (-?\d\.\d\d)", wide) == [f"{value:.2f}" for value in t.adjusted_rand]


def test_a_track_is_drawn():
    matplotlib = pytest.importorskip("matplotlib", reason="charts need Matplotlib")
    matplotlib.use("Agg")
    display = cc.track(WEEKS).plot()
    shown = {text.get_text() for text in display.ax_.texts}
    assert {"x", "y", "new", "not there"} <= shown


def test_a_page_of_what_stays(tmp_path):
    text = cc.track([[0, 0, 1], [0, 0, 1]]).to_html(tmp_path / "t.html").read_text(encoding="utf-8")
    assert "Every cluster continues" in text


def test_a_picture_that_is_none():
    with pytest.raises(ParameterError, match="limit="):
        cc.track(WEEKS).plot(limit=-1)


def test_partitions_of_nothing(tmp_path):
    assert cc.track([[], []]).events == []
    assert "Every cluster continues" not in cc.track([{}, {"a": 1}]).to_html(tmp_path / "t.html").read_text(
        encoding="utf-8"
    )
    cc.track([[], []]).plot()


def test_a_track_can_be_pickled():
    t = pickle.loads(pickle.dumps(cc.track(WEEKS)))
    assert t.events == cc.track(WEEKS).events


def test_the_notebook_shows_text():
    shown = cc.track({"<b>": [0, 0], "after": ["<i>", "<i>"]})._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "<i>" not in shown


def test_titles_that_do_not_fit_side_by_side_take_turns_on_two_lines(tmp_path):
    months = ("January", "February", "March", "April", "May", "June")
    t = cc.track({month: dict.fromkeys("abcd", month[0]) for month in months})
    text = t.to_html(tmp_path / "t.html").read_text(encoding="utf-8")
    for drawing, lines in zip(
        re.findall(r'<svg class="drawing".*?</svg>', text, re.DOTALL), (1, 2), strict=True
    ):
        titles = re.findall(r'<text class="side"[^>]* y="([\d.]+)"[^>]*>([^<]*)<', drawing)
        assert [title for _, title in titles] == list(months)
        assert len({y for y, _ in titles}) == lines


def test_the_last_title_of_a_phone_is_whole(tmp_path):
    labels = np.arange(60)
    months = {f"2026-0{month}-01": labels // (5 + month % 2) for month in range(1, 9)}
    text = cc.track(months).to_html(tmp_path / "t.html").read_text(encoding="utf-8")
    assert text.count(">2026-08-01</text>") == 2
