"""What a report says in words: the headline, and what happened to the costliest clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf, isnan, nan
from typing import Any, Literal

import numpy as np

from concordant.catalogue.index import INDICES
from concordant.counts.spelling import counted, percent, printable, shortened
from concordant.counts.weighted_counts import WeightedCounts
from concordant.differences.verdicts import VERDICTS
from concordant.report.labels import isolated
from concordant.report.picture import Picture, by_number
from concordant.report.report_data import ClusterDetail, Piece, ReportData, SideTitles

# A piece of a cluster is named in a sentence from this share on; the two largest always are.
_WORTH_NAMING = Fraction(1, 10)
# So many clusters that are not found are named in the headline, and from so many clusters on it has a share.
_FEW, _WORTH_A_SHARE = 4, 20
# Below this, adjusted indices are as by chance, unless they are so many standard deviations above it.
_LIKE_CHANCE, _DEVIATIONS = 0.01, 3


def headline(data: ReportData) -> str:
    """One plain sentence: how many clusters of the reference are found, and what became of the others."""
    if not any(data.disagreement) or likeness_to_chance(data) or not data.shows_verdicts:
        return overall_sentence(data)
    verdicts, own = data.verdicts.reference, side_title(data.names[0])
    exact, found, total = verdicts.clusters["exact"], verdicts.found, verdicts.total
    if not total:
        return overall_sentence(data)
    share = f" ({percent(found, total)})" if total >= _WORTH_A_SHARE else ""
    of_all = f"{found:,} of {counted(total, f'{own} cluster')} {_are(found)}"
    if not found and total == 1:
        sentence = f"The {own} cluster is not found"
    elif not found:
        sentence = f"None of the {total:,} {own} clusters is found"
    elif found == exact:
        sentence = f"{of_all} exactly right{share}"
    else:
        sentence = f"{of_all} found{share}" + (f", {exact:,} of them exactly" if exact else "")
    # The clusters that are not found, each by its name where they are few.
    are_few = total - found <= _FEW
    judged = data.verdict_codes["reference"].copy()
    judged[data.labels.unclustered(0)] = -1
    parts: list[str] = []
    for word in ("split", "merged", "scattered"):
        places = np.flatnonzero(judged == VERDICTS.index(word)).tolist()
        if not places:
            continue
        named = f"{len(places):,}"
        if are_few:
            labels = [data.labels.reference(place) for place in places]
            named = _listed([_plain(labels[place]) for place in by_number(labels) or range(len(labels))])
        verb = f"{_are(len(places))} " if are_few or not parts else ""
        parts.append(f"{named} {verb}{word}")
    return f"{sentence}; {', '.join(parts)}" if parts else sentence


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
            what = f"have nothing in common: none of {counted(data.size, 'element')} is on both sides"
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
    """ "no more alike than chance (ARI 0.000)" where the adjusted indices are so low; else nothing."""

    def value(name: str) -> float:
        """The value of an index among those shown; NaN where it is not, or not defined."""
        index = INDICES[name]
        if index not in data.indices or index.is_undefined(data.profile):
            return nan
        return index.value(data.profile)

    rand = value("adjusted_rand")
    if isnan(rand) or rand >= _LIKE_CHANCE:
        return ""
    information, deviations = value("adjusted_mutual_information"), value("lerman")
    # NaN where no permutation changes anything
    if isnan(deviations) or (-inf if isnan(information) else information) >= _LIKE_CHANCE:
        return ""
    more = "no more" if deviations < _DEVIATIONS else "hardly more"
    return f"{more} alike than chance (ARI {rand + 0.0:.3f})".replace("-0.000", "0.000")


def omission_words(data: ReportData) -> str:
    """What the reader must know first, right under the headline: weights, and records that were omitted."""
    words = []
    if isinstance(data.counts, WeightedCounts):
        effective = float(data.counts.effective_size)
        words.append(f"elements have weights, as good as {effective:,.4g} of equal weight")
    if data.omitted:
        verb = "was" if data.omitted == 1 else "were"
        words.append(f"{_compared(data)} were compared; {data.omitted:,} {verb} left out")
    return "; ".join(words)


def _compared(data: ReportData) -> str:
    return f"{data.size:,} of {counted(data.size + data.omitted, 'record')}"


def dominant_errors(data: ReportData, picture: Picture) -> Iterator[str]:
    """What the costliest clusters of the larger kind of error did, as far as a picture shows all it names."""
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
) -> str:
    """What happened to one cluster: ``candidate 4 mixes reference 1 and 8``; ``show`` spells labels."""
    show = show or _plain
    own, other = names if cluster.side == "reference" else names[::-1]
    verb = "is split over" if cluster.side == "reference" else "mixes"
    subject = f"{own} {show(cluster.label)} {verb}"
    named, number = _pieces_to_name(cluster), len(cluster.clusters) + cluster.rest[0]
    if not number:
        return f"{own} {show(cluster.label)} is in no {other} cluster"
    ending = f", {cluster.unclustered:,} in no cluster" if cluster.unclustered else ""
    if not named or not names_pieces:
        return f"{subject} {counted(number, f'{other} cluster')}{ending}"
    words = [show(piece.label) for piece in named]
    in_others = cluster.size - cluster.unclustered - sum(piece.size for piece in named)
    if in_others >= _WORTH_NAMING * cluster.size:
        words.append(f"{number - len(named):,} more")
    return f"{subject} {other} {_listed(words)}{ending}"


def _pieces_to_name(cluster: ClusterDetail) -> tuple[Piece, ...]:
    """The pieces that a sentence names: none where all but the largest are too small to be worth it."""
    worth = _WORTH_NAMING * cluster.size
    pieces = cluster.clusters
    named = tuple(piece for i, piece in enumerate(pieces) if i < 2 or (i < 3 and piece.size >= worth))
    is_dust = len(named) < len(pieces) + cluster.rest[0] and pieces[1].size < worth / 2
    return () if is_dust else named


def _score(data: ReportData, name: Literal["recall", "precision"]) -> str:
    """Two decimals, never rounded to perfection; an undefined value is what the table shows."""
    assert data.pairs is not None
    undefined = "nan" if data.undefined == "raise" else data.undefined
    value, is_undefined = INDICES[name].assess(data.profile, undefined)
    if is_undefined:
        return "undefined" if isnan(value) else f"{value:.2f} by convention"
    together, missed, wrong, _ = data.pairs
    whole = together + (missed if name == "recall" else wrong)
    if together < whole and 100 * together >= 99 * whole:
        return "above 0.99" if 200 * together >= 199 * whole else "0.99"
    return f"{float(together / whole):.2f}"


def subjects(names: SideTitles) -> tuple[str, str]:
    """The sides as a sentence speaks of them."""
    reference, candidate = (
        f"the {name}" if name in ("reference", "candidate") else side_title(name) for name in names
    )
    return reference, candidate


def side_title(name: str) -> str:
    """The title of a side, short, its direction kept to itself."""
    return isolated(shortened(printable(name), 40))


def _plain(label: Any) -> str:
    return isolated(shortened(printable(label)))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def capitalized(text: str) -> str:
    """A sentence with a capital, unless it begins with a name that the user gave."""
    return text[0].upper() + text[1:] if text.startswith(("the ", "reference ", "candidate ")) else text
