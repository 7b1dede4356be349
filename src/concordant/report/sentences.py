"""The sentences of a report: the headline, and the costliest clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import inf, isnan, nan
from typing import Any, Literal

import numpy as np

from concordant.counts.conventions import SIDES, SideName
from concordant.counts.overlaps import Overlaps
from concordant.counts.profile import Profile
from concordant.counts.spelling import counted, percent, printable
from concordant.counts.weighted_counts import WeightedCounts, weight_text
from concordant.differences.verdicts import NEARLY, VERDICTS
from concordant.indices.index import DEFAULT_FOR_EDITS, INDICES, Index
from concordant.report.causes import Causes, CoverCauses, Judged, judged_clusters
from concordant.report.cluster_detail import ClusterDetail, Piece
from concordant.report.labels import NOISE, isolated, spelled_label
from concordant.report.picture import Picture, by_number
from concordant.report.report_data import ReportData, SideTitles
from concordant.report.values import format_value
from concordant.text_layout import shortened

# A piece of a cluster is named in a sentence from this share on; the two largest always are.
_WORTH_NAMING = Fraction(1, 10)
# The headline names up to this many missing clusters, and gives a share from this many clusters on.
_FEW, _WORTH_A_SHARE = 4, 20
_PIECES = 5  # of a cluster that the headline names
# Below this, adjusted indices are no better than chance, unless this many standard deviations above it.
_LIKE_CHANCE, _DEVIATIONS = 0.01, 3


def headline(data: ReportData) -> str:
    """One plain sentence that names what dominates.

    In this order: records that are missing, noise, one merge, one split. If none of them dominates
    (``concordant.report.causes``): how many reference clusters are found, what became of the others, and the
    share of the records that are in the wrong cluster.
    """
    if (
        not data.shows_verdicts
        or data.counts.identical
        or (data.covers is None and not any(data.disagreement))
    ):
        return overall_sentence(data)
    if data.covers is not None:
        return _cover_headline(data)
    causes, judged = Causes(data), judged_clusters(data)
    if causes.outside_dominates:
        return f"{_outside_words(data, causes)}; {_rest_words(data, causes)}"
    chance = likeness_to_chance(data)
    dominant = "" if chance.startswith("no more") else _dominant_cluster(data, causes)
    if dominant:
        return f"{dominant}; {_found_words(data, judged)}"
    if chance or not judged.total:
        return overall_sentence(data)
    words = [capitalized(_found_words(data, judged)), *_others(data, judged)]
    if misplaced := causes.rest.misplaced:
        whole = "the weight is" if data.unit == "weight" else "the records are"
        words.append(f"{percent(misplaced, data.profile.size)} of {whole} in the wrong cluster")
    return "; ".join(words)


def _dominant_cluster(data: ReportData, causes: Causes) -> str:
    """The merges or the splits that dominate, with the size of their clusters; nothing if none does."""
    side: SideName = "candidate" if causes.merges else "reference"
    clusters = list(data.differing.details(side, causes.merges or causes.splits, _PIECES))
    if not clusters:
        return ""
    sentence = _merge_words(data, causes, clusters) if causes.merges else _split_words(data, clusters)
    size = sum(cluster.size for cluster in clusters)
    share = percent(size, data.profile.size)
    extent = f"{share} of the weight" if data.unit == "weight" else f"{counted(size, 'record')}, {share}"
    return f"{capitalized(sentence)} ({extent})"


def _merge_words(data: ReportData, causes: Causes, clusters: Sequence[ClusterDetail]) -> str:
    """The content of candidate clusters: several reference clusters, or records of them."""
    own, other = data.names
    swallowed = [row for each in clusters for row in causes.swallowed_by(each.place)]
    subject = named_clusters(other, [each.label for each in clusters])
    if len(swallowed) < 2 * len(clusters):
        if len(clusters) == 1:
            return cluster_sentence(clusters[0], data.names, by_share=data.unit == "weight")
        return f"{subject} mix records of several {side_title(own)} clusters"
    if len(swallowed) > _FEW:
        return f"{subject} swallowed {counted(len(swallowed), f'{side_title(own)} cluster')}"
    verb = "merges" if len(clusters) == 1 else "merge"
    labels = [data.differing.labels.cluster(0, row) for row in swallowed]
    return f"{subject} {verb} {named_clusters(own, _in_order(labels))}"


def _split_words(data: ReportData, clusters: Sequence[ClusterDetail]) -> str:
    if len(clusters) == 1:
        return cluster_sentence(clusters[0], data.names, by_share=data.unit == "weight")
    return f"{named_clusters(data.names[0], [each.label for each in clusters])} are split"


def _outside_words(data: ReportData, causes: Causes) -> str:
    """How many records are missing, or in no cluster of a side; first those that are missing."""
    if data.unit == "weight":
        return _outside_weight_words(data)
    total, titles = causes.records, dict(zip(SIDES, subjects(data.names), strict=True))
    items = [(causes.left_out - causes.dropped_noise, ("was", "were"), "left out")]
    for each in causes.outside:
        if each.kind == "missing":
            there = titles["reference" if each.side == "candidate" else "candidate"]
            items.insert(1, (each.records, ("is", "are"), f"only in {there}"))
        elif each.kind == "without a label":
            items.append((each.records, ("has", "have"), f"no label in {titles[each.side]}"))
        else:
            items.append((each.records, ("is", "are"), f"{each.kind} in {titles[each.side]}"))
    items.append((causes.dropped_noise, ("is", "are"), "noise and left out"))
    most, words = max(records for records, _, _ in items), list[str]()
    for records, (one, several), what in items:
        if records and records >= most * _WORTH_NAMING:
            is_share = most * 5 >= total
            number, of_all = (
                (percent(records, total), " of the records")
                if is_share
                else (f"{records:,}", f" of {counted(total, 'record')}")
            )
            verb = one if records == 1 and not is_share else several
            words.append(f"{number}{'' if words else of_all} {verb} {what}")
    return listed(words)


def _outside_weight_words(data: ReportData) -> str:
    """The weight of the records in no cluster of each side."""
    o, words = data.profile.view(Overlaps), list[str]()
    sides = zip((o.row_sizes, o.column_sizes), data.outside_clusters, subjects(data.names), strict=True)
    for (sizes, outside, title), label in zip(sides, data.outside_labels, strict=True):
        if outside.any():
            share = percent(int(sizes[outside].sum()), data.profile.size)
            place = "" if label.startswith("only in ") else f" in {title}"
            words.append(f"{share}{'' if words else ' of the weight'} is {label}{place}")
    return listed(words)


def _cover_headline(data: ReportData) -> str:
    """The headline of two covers, whose errors are counted in memberships."""
    causes, judged = CoverCauses(data), judged_clusters(data)
    own, other = data.names
    found = _found_words(data, judged)
    words: list[str] = []
    if causes.outside_dominates:
        for title, records in zip(subjects(data.names), causes.outside, strict=True):
            if records:
                share = percent(records, data.size)
                words.append(f"{share}{'' if words else ' of the records'} are in no cluster of {title}")
        return f"{listed(words)}; {found}"
    sides: tuple[tuple[SideName, list[int], str, str], ...] = (
        ("candidate", causes.merges, other, own),
        ("reference", causes.splits, own, other),
    )
    for side, places, title, partner in sides:
        if places:
            name = partial(data.labels.cluster, SIDES.index(side))
            lacking, size = causes.lacking(side, places)
            subject = named_clusters(title, [name(place) for place in places])
            nearest = f"the nearest {side_title(partner)} cluster" + ("s" if len(places) > 1 else "")
            what = f"{lacking:,} of {counted(size, 'record')} of {subject} {_are(lacking)} not in {nearest}"
            return f"{what}; {found}"
    words = [capitalized(found), *_others(data, judged)]
    if causes.missed:
        words.append(f"{percent(causes.missed, causes.memberships)} of the memberships are missed")
    return "; ".join(words)


def _rest_words(data: ReportData, causes: Causes) -> str:
    """The outcome of the clusters of all other records."""
    rest = causes.rest
    if not rest.profile.size:
        return "no record is in a cluster of both sides"
    if rest.profile.identical:
        return "the rest is identical"
    if data.unit == "record" and (chance := _chance_words(rest.profile, data.indices)):
        return f"the rest is {chance}"
    judged = rest.judged
    if judged.found < judged.total and (others := _others(data, judged, only_named=True)):
        return f"of the rest, {others[0]}"
    return f"of the rest, {_found_words(data, judged)}"


def _found_words(data: ReportData, judged: Judged) -> str:
    """How many of these reference clusters are found."""
    found, total, exact, own = judged.found, judged.total, judged.exact, side_title(data.names[0])
    share = f" ({percent(found, total)})" if total >= _WORTH_A_SHARE else ""
    of_all = f"{found:,} of {counted(total, f'{own} cluster')} {_are(found)}"
    if not found and total == 1:
        return f"the {own} cluster is not found"
    if not found:
        return f"none of the {total:,} {own} clusters is found"
    if found == exact:
        return f"{of_all} exactly right{share}"
    return f"{of_all} found{share}" + (f", {exact:,} of them exactly" if exact else "")


def _others(data: ReportData, judged: Judged, *, only_named: bool = False) -> list[str]:
    """The outcome of the clusters that are not found: by name if they are few, else counted."""
    are_few = judged.total - judged.found <= _FEW
    if only_named and not are_few:
        return []
    parts: list[str] = []
    for code, word in enumerate(VERDICTS):
        count = judged.of_code(code) if code > NEARLY else 0
        if not count:
            continue
        if are_few:
            labels = [judged.label(int(place)) for place in np.flatnonzero(judged.verdicts == code)]
            parts.append(f"{named_clusters(data.names[0], _in_order(labels))} {_are(count)} {word}")
        elif parts:
            parts.append(f"{count:,} {word}")
        else:
            parts.append(f"{counted(count, 'cluster')} {_are(count)} {word}")
    return [", ".join(parts)] if parts else []


def overall_sentence(data: ReportData) -> str:
    """One plain sentence: what the candidate does to the reference, with recall and precision."""
    reference, candidate = subjects(data.names)
    missed, wrong = data.disagreement
    both = f"{capitalized(candidate)} and {reference}"
    if not data.size:
        return "There is nothing to compare: both sides are empty"
    if data.pairs is None:
        return f"{both} let more pairs share clusters than can be counted"
    if not missed and not wrong:
        what = "hold the same pairs together, but not the same elements"
        if data.counts.identical:
            what = f"are identical on the {_compared(data)} that were compared"
            what = what if data.omitted else "are identical"
        elif not data.profile.availability.adds_up:
            what = "hold the same pairs together, but not by the same clusters"
        elif data.counts.disjoint:
            what = f"have nothing in common: none of {counted(data.size, 'record')} is on both sides"
        return f"{both} {what}"
    scores = f"recall {_score(data, 'recall')}, precision {_score(data, 'precision')}"
    if chance := likeness_to_chance(data):
        return f"{both} are {chance}: {scores}"
    splits, merges = f"splits what {reference} holds together", f"merges what {reference} holds apart"
    if not wrong:
        what = f"only {splits}"
    elif not missed:
        what = f"only {merges}"
    elif missed >= 2 * wrong:
        what = splits
    elif wrong >= 2 * missed:
        what = merges
    else:
        what = f"both splits and merges the clusters of {reference}"
    return f"{capitalized(candidate)} {what}: {scores}"


def likeness_to_chance(data: ReportData) -> str:
    """ "no more similar than chance (ARI 0.000)" if the adjusted indices are so low; else nothing."""
    return _chance_words(data.profile, data.indices) if data.unit == "record" else ""


def _chance_words(profile: Profile, shown: Sequence[Index]) -> str:
    def value(name: str) -> float:
        """The value of an index among those shown; NaN where it is not, or not defined."""
        index = INDICES[name]
        if index not in shown or index.is_undefined(profile):
            return nan
        return index.value(profile)

    rand = value("adjusted_rand")
    if isnan(rand) or rand >= _LIKE_CHANCE:
        return ""
    information, deviations = value("adjusted_mutual_information"), value("lerman")
    # NaN where no permutation changes anything
    if isnan(deviations) or (-inf if isnan(information) else information) >= _LIKE_CHANCE:
        return ""
    more = "no more" if deviations < _DEVIATIONS else "barely more"
    return f"{more} similar than chance (ARI {rand + 0.0:.3f})".replace("-0.000", "0.000")


def omission_words(data: ReportData) -> str:
    """The most important note, right under the headline: weights, and omitted records."""
    words = []
    if isinstance(data.counts, WeightedCounts) and data.counts.divisible:
        words.append(f"Durations count: {weight_text(data.counts.total)} in all")
    elif isinstance(data.counts, WeightedCounts):
        effective = float(data.counts.effective_size)
        words.append(f"The records are weighted; their effective number is {effective:,.4g}")
    if data.omitted:
        verb = "was" if data.omitted == 1 else "were"
        words.append(f"{_compared(data)} were compared; {data.omitted:,} {verb} left out")
    return "; ".join(words)


def advice(data: ReportData) -> str:
    """The fix of the candidate that helps most, with its gain; nothing if there is none.

    Edits that each gain little are named together. If both sides agree no more than by chance, no edit of
    the candidate is a fix.
    """
    if not data.has_edits or likeness_to_chance(data).startswith("no more"):
        return ""
    edits, groups, by = data.suggestions, data.edit_groups, f"{DEFAULT_FOR_EDITS}{edited_records(data)}"
    if edits is not None and (edit := next(iter(edits.named), None)) is not None:
        gain = "" if isnan(edit.gain) else f" (+{format_value(edit.gain)})"
        titles = dict(zip(SIDES, map(side_title, data.names), strict=True))
        words = edit._words(lambda side, label: named_cluster(titles[side], label), spelled_label)
        return f"Best single edit: {words}; {by} becomes {format_value(edit.value)}{gain}"
    if not groups:
        return ""
    best = groups[0]
    gain, value = format_value(best.gain), format_value(best.value)
    return f"Best fix: {best.words}, together +{gain}; {by} becomes {value}"


def edited_records(data: ReportData) -> str:
    """The records that edits are about, if these are not all."""
    return " of the records in clusters of both sides" if data.has_own_elements else ""


def side_words(data: ReportData, number: int, sizes: str = "") -> str:
    """The clusters of a side, and its records in none: ``5 clusters and 1,818 noise records (61%)``."""
    is_noise = data.noise_clusters[number] is not None
    words = [counted(data.clusters[number] - is_noise, "cluster") + sizes]
    for each in data.outside_records:
        if each.side == SIDES[number]:
            is_ending = each.kind in ("without a label", "in no cluster")
            kind, ending = ("record", f" {each.kind}") if is_ending else (f"{each.kind} record", "")
            share = percent(each.records, data.size)
            words.append(f"{counted(each.records, kind)}{ending} ({share})")
    return listed(words)


def _compared(data: ReportData) -> str:
    return f"{data.size:,} of {counted(data.size + data.omitted, 'record')}"


def dominant_errors(data: ReportData, picture: Picture) -> Iterator[str]:
    """The costliest clusters of the larger kind of error, as far as a picture shows them."""
    if data.covers is not None or likeness_to_chance(data):
        return
    missed, wrong = data.disagreement
    for cluster in data.split if missed >= wrong else data.mixed:
        if picture.shows(cluster.side, cluster.place):
            seen = all(picture.shows(cluster.other, piece.place) for piece in _pieces_to_name(cluster))
            yield cluster_sentence(cluster, data.names, names_pieces=seen)


def cluster_sentence(
    cluster: ClusterDetail,
    names: SideTitles,
    show: Callable[[Any], str] | None = None,
    *,
    names_pieces: bool = True,
    by_share: bool = False,
) -> str:
    """The outcome of one cluster: ``candidate cluster 4 mixes reference clusters 1 and 8``.

    ``show`` spells labels. ``by_share`` gives a share of the records in no cluster, not their number.
    """
    own, other = names if cluster.side == "reference" else names[::-1]
    subject = named_cluster(own, cluster.label, show)
    named, number = _pieces_to_name(cluster), len(cluster.clusters) + cluster.rest[0]
    if not number:
        return f"{subject} is in no {other} cluster"
    verb, ending = ("is split over", "mixes")[cluster.side == "candidate"], ""
    if cluster.unclustered:
        records = percent(cluster.unclustered, cluster.size) if by_share else f"{cluster.unclustered:,}"
        if cluster.side == "reference":
            verb = "is in" if number == 1 else verb
            ending = f", and {records} of its {'weight' if by_share else 'records'} in no cluster"
        else:
            verb = "holds" if number == 1 else verb
            ending = f", and {records} {'of its weight' if by_share else 'records'} of no cluster"
            if cluster.unclustered == 1 and not by_share:
                ending = ", and 1 record of no cluster"
    if not named or not names_pieces:
        return f"{subject} {verb} {counted(number, f'{other} cluster')}{ending}"
    in_others = cluster.size - cluster.unclustered - sum(piece.size for piece in named)
    more = [f"{number - len(named):,} more"] if in_others >= _WORTH_NAMING * cluster.size else []
    pieces = named_clusters(other, [piece.label for piece in named], show, more)
    return f"{subject} {verb} {pieces}{ending}"


def _pieces_to_name(cluster: ClusterDetail) -> tuple[Piece, ...]:
    """The pieces that a sentence names: none where all but the largest are too small to be worth it."""
    worth = _WORTH_NAMING * cluster.size
    pieces = cluster.clusters
    named = tuple(piece for i, piece in enumerate(pieces) if i < 2 or (i < 3 and piece.size >= worth))
    is_dust = len(named) < len(pieces) + cluster.rest[0] and pieces[1].size < worth / 2
    return () if is_dust else named


def _score(data: ReportData, name: Literal["recall", "precision"]) -> str:
    """Two decimals, never rounded to 0 or 1; an undefined value is shown as in the table."""
    assert data.pairs is not None
    undefined = "nan" if data.undefined == "raise" else data.undefined
    counts = data.counts if data.unit == "weight" else data.profile
    value, is_undefined = INDICES[name].assess(counts, undefined)
    if is_undefined:
        return "undefined" if isnan(value) else f"{value:.2f} by convention"
    together, missed, wrong, _ = data.pairs
    whole = together + (missed if name == "recall" else wrong)
    if together < whole and 100 * together >= 99 * whole:
        return "above 0.99" if 200 * together >= 199 * whole else "0.99"
    if 0 < 200 * together < whole:
        return "below 0.01"
    return f"{float(together / whole):.2f}"


def subjects(names: SideTitles) -> tuple[str, str]:
    """The sides as the subjects of a sentence."""
    reference, candidate = (
        f"the {name}" if name in ("reference", "candidate") else side_title(name) for name in names
    )
    return reference, candidate


def side_title(name: str) -> str:
    """The title of a side, shortened, with its text direction isolated."""
    return isolated(shortened(printable(name), 40))


def named_cluster(side: str, label: Any, show: Callable[[Any], str] | None = None) -> str:
    """A cluster by its side and label: ``reference cluster 8``, ``candidate cluster 'a b '``."""
    return named_clusters(side, [label], show)


def named_clusters(
    side: str, labels: Sequence[Any], show: Callable[[Any], str] | None = None, more: Sequence[str] = ()
) -> str:
    """Several clusters of one side: ``reference clusters 1, 8 and 2 more``, ``run cluster 3 and noise``."""
    show = show or spelled_label
    words = [*(show(label) for label in labels if label is not NOISE), *more]
    noise = [show(label) for label in labels if label is NOISE]
    clusters = [f"cluster{'s' if len(words) > 1 else ''} {listed(words)}"] if words else []
    return f"{side} {listed([*clusters, *noise])}"


def listed(words: Sequence[str]) -> str:
    """An enumeration: ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _in_order(labels: list[Any]) -> list[Any]:
    """Labels in ascending order, as numbers if all of them are, so engines name them in the same order."""
    if (order := by_number(labels)) is not None:
        return [labels[place] for place in order]
    return sorted(labels, key=str)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def capitalized(text: str) -> str:
    """A sentence with a capital, unless it begins with a name that the user gave."""
    return (
        text[0].upper() + text[1:]
        if text.startswith(("the ", "all ", "none ", "reference ", "candidate "))
        else text
    )
