"""The sentences of a report: the headline, and the costliest clusters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from math import inf, isnan, nan
from typing import Any, Literal, NamedTuple

from concordant.counts.overlaps import Overlaps
from concordant.counts.weighted_counts import WeightedCounts, weight_text
from concordant.differences.edit_ranking import EditGroup
from concordant.differences.verdicts import NEARLY, VERDICTS
from concordant.foundation.conventions import SIDES, SideName, broken_decisions
from concordant.foundation.spelling import counted, percent, printable
from concordant.foundation.text_layout import shortened
from concordant.indices.index import DEFAULT_FOR_EDITS, INDICES
from concordant.report.cluster_detail import ClusterDetail, Piece
from concordant.report.error_causes import Causes, Errors
from concordant.report.labels import NOISE, isolated, spelled_label
from concordant.report.report_data import ReportData, SideTitles
from concordant.report.selection import Picture, by_number
from concordant.report.values import format_value

# A piece of a cluster is named in a sentence from this share on; the two largest always are.
_WORTH_NAMING = Fraction(1, 10)
# A sentence names up to this many clusters, and gives a share from this many clusters or records on.
_FEW, _WORTH_A_SHARE = 4, 50
_WORDS = 16  # of the headline
_TIES_SHOWN = 3  # names of equals in a headline
# Below this, adjusted indices are no better than chance, unless this many standard deviations above it.
_LIKE_CHANCE, _DEVIATIONS = 0.01, 3


def headline(data: ReportData) -> str:
    """One sentence that names the main failure, in at most 16 words and two numbers.

    The first that applies: nothing was compared; both sides are identical; records that a side lacks; no more
    similar than chance; one cluster has more than half of the errors; splitting or merging has two thirds of
    them; few clusters have most of them; splits and merges equally. Broken decisions are added to it.
    """
    main = next(filter(None, _by_importance(data)))
    return "; ".join(filter(None, [main, broken_decisions(data.conventions)]))


def _by_importance(data: ReportData) -> Iterator[str]:
    """The sentences of these rules in their order; empty if a rule does not apply."""
    if not data.shows_verdicts or data.counts.identical:
        yield overall_sentence(data)
    if data.covers is None and not any(data.disagreement):
        yield overall_sentence(data)
    causes = Causes(data)
    yield _lost_objects(data, causes)
    if causes.outside_dominates:
        yield _outside_words(data, causes)
    chance, errors = likeness_to_chance(data), causes.errors
    if chance.startswith("no more"):
        yield _chance_sentence(data, chance)
    if errors.worst is not None:
        yield _worst_words(data, errors, *errors.worst)
    if chance:
        yield _chance_sentence(data, chance)
    if data.covers is not None:
        yield _memberships_words(errors)
    if not (extent := extent_words(data, errors)):
        yield overall_sentence(data)
    missed, wrong = errors.totals
    for cost, what in ((missed, "splitting"), (wrong, "merging")):
        if 3 * cost >= 2 * (missed + wrong):
            yield f"{extent}, {'only' if cost == missed + wrong else 'mostly'} by {what}"
    if errors.misplaced == 1 and len(errors.erring) != 1:
        yield extent
    if 0 < len(errors.erring) <= _FEW:
        is_all = int(errors.strays[0][errors.erring].sum()) == errors.misplaced
        where = f"{'' if is_all else 'mostly '}from {_names_in_order(data, errors, 0, errors.erring)}"
        brief = extent.replace(" of the ", " of ", 1)
        yield fitting([f"{extent}, {where}", f"{brief}, {where}", f"{extent}, in few clusters"])
    yield f"{extent}, by both splits and merges"


def below_headline(data: ReportData) -> str:
    """The line below the headline: what nearly right clusters lose, and the names of others if they are few.

    It does not count the clusters by verdict, which the bar below it does.
    """
    if not data.shows_verdicts or data.counts.identical or not data.size:
        return ""
    causes, main = Causes(data), headline(data)
    errors, words = causes.errors, list[str]()
    if not len(errors.verdicts[0]) + errors.exact:
        return f"No {data.noun} is in {'an object' if data.domain == 'images' else 'a cluster'} of both sides"
    if errors.counts.identical:
        rest = f"{errors.counts.size:,} {'weight' if data.unit == 'weight' else f'{data.noun}s'}"
        return f"Both sides agree on the other {rest}; the verdicts below judge whole {data.cluster_noun}s"
    extent = extent_words(data, errors) if data.covers is None else _memberships_words(errors)
    if extent and "in the wrong" not in main and extent != main:
        words.append(extent)
    clusters = [each for each in (_nearly_words(data, errors), *_outcomes(data, errors, main)) if each]
    if clusters and causes.outside and data.covers is None and not words:
        clusters[0] = f"of the rest, {clusters[0]}"
    text = "; ".join([*words, *clusters])
    return text[:1].upper() + text[1:]


def extent_words(data: ReportData, errors: Errors) -> str:
    """How many records are in the wrong cluster; nothing if that is not known."""
    misplaced, size = errors.misplaced, data.profile.size
    if not misplaced:
        return ""
    if data.unit == "weight":
        return f"{percent(misplaced, size)} of the weight is in the wrong {data.cluster_noun}"
    if size < _WORTH_A_SHARE or 100 * misplaced < size:
        number = f"{misplaced:,} of {counted(size, data.noun)} {_are(misplaced)}"
    else:
        number = f"{percent(misplaced, size)} of the {data.noun}s are"
    return f"{number} in the wrong {data.cluster_noun}"


def _worst_words(data: ReportData, errors: Errors, side: int, place: int) -> str:
    """The cluster with more than half of all errors: what it merges or where it is split; or its strays."""
    cost, total = errors.share(side, place)
    kind = f"{('missed', 'wrong')[side]} {'pairs' if data.covers is None else 'memberships'}"
    holds = f"and holds {f'all {kind}' if cost == total else f'{percent(cost, total)} of the {kind}'}"
    (own, other) = (side_title(name) for name in data.names[:: 1 if side == 0 else -1])
    noun = data.cluster_noun
    subject = capitalized(named_cluster(own, errors.label(side, place), noun=noun))
    swallowed, pieces = errors.swallowed(side, place), errors.pieces(side, place)
    if errors.verdicts[side][place] <= NEARLY and len(swallowed) < 2:
        strays, misplaced = int(errors.strays[side][place]), errors.misplaced or 0
        if (extent := extent_words(data, errors)) and 2 * strays > misplaced:
            is_all = strays == misplaced
            subject = named_cluster(own, errors.label(side, place), noun=noun)
            if side == 0:
                return f"{extent}, {'' if is_all else 'mostly '}from {subject}"
            return f"{extent}{':' if is_all else ', mostly'} {subject}"
    is_all = pieces == len(errors.verdicts[1 - side]) + errors.exact > 2
    count = f"{'all ' if is_all else ''}{counted(pieces, f'{other} {noun}')}"
    if side == 0:
        table = errors.counts.view(Overlaps)
        places = table.column[table.row == place].tolist() if pieces <= _FEW else []
        named = _names_in_order(data, errors, 1, places) if places else count
        return fitting(
            f"{subject} is split {each}{holds}" for each in (f"over {named} ", f"over {count} ", "")
        )
    mixes = f"{subject} mixes {count} {holds}"
    if not 1 < len(swallowed) <= _FEW:
        return mixes
    named = _names_in_order(data, errors, 0, swallowed)
    return fitting([f"{subject} merges {named} {holds}", mixes])


def _names_in_order(data: ReportData, errors: Errors, side: int, places: Sequence[int]) -> str:
    labels = _in_order([errors.label(side, place) for place in places])
    return named_clusters(side_title(data.names[side]), labels, noun=data.cluster_noun)


def fitting(variants: Iterable[str]) -> str:
    """The first of these sentences that is short enough, else the last."""
    sentence = ""
    for sentence in variants:
        if len(sentence.split()) <= _WORDS:
            break
    return sentence


def _memberships_words(errors: Errors) -> str:
    """The share of the memberships of each side that the nearest cluster lacks."""
    o = errors.counts.view(Overlaps)
    missed, wrong = (
        percent(number, int(sizes.sum()))
        for number, sizes in zip(errors.totals, (o.row_sizes, o.column_sizes), strict=True)
    )
    words = [f"{missed} of the memberships are missed", f"{wrong} of the memberships are wrong"]
    if all(errors.totals):
        return f"{words[0]} and {wrong} are wrong"
    return words[0] if errors.totals[0] else words[1]


def _lost_objects(data: ReportData, causes: Causes) -> str:
    """The objects of an image that were missed or invented, unless a merge or a split has more errors."""
    if not data.are_pixels or data.covers is not None:
        return ""
    missed, invented = causes.lost(0), causes.lost(1)
    if not (missed or invented) or causes.errors.worst is not None:
        return ""
    if missed:
        total = data.clusters[0] - (data.noise_clusters[0] is not None)
        words = f"{len(missed):,} of {counted(total, 'object')} {_are(len(missed))} missed"
        if invented:
            words = f"{counted(len(missed), 'object')} {_are(len(missed))} missed"
            return f"{words} and {len(invented):,} {_are(len(invented))} invented"
    else:
        words = f"{counted(len(invented), 'object')} {_are(len(invented))} invented"
    side = 0 if missed else 1
    lost = (missed, invented)[side]
    named = named_clusters(side_title(data.names[side]), _in_order(lost[:_FEW]), noun="object")
    return fitting([f"{words}: {named}", words]) if len(lost) <= _FEW else words


def _outside_words(data: ReportData, causes: Causes) -> str:
    """How many records are missing, or in no cluster of a side: the most frequent reason, and the next."""
    titles, whole = dict(zip(SIDES, subjects(data.names), strict=True)), causes.records
    noun = "weight" if data.unit == "weight" else f"{data.noun}s"
    items = [(causes.left_out - causes.dropped_noise, "left out")]
    for each in reversed(data.outside_records):
        other = titles["reference" if each.side == "candidate" else "candidate"]
        place = f"only in {other}" if each.kind == "missing" else f"{each.kind} in {titles[each.side]}"
        if each.kind == "in no cluster":
            place = f"in no cluster of {titles[each.side]}"
        items.append((each.records, place))
    items.append((causes.dropped_noise, "noise and left out"))
    items = sorted((each for each in items if each[0]), key=lambda each: -each[0])[:2]
    most, words = items[0][0], list[str]()
    is_share = whole >= _WORTH_A_SHARE and 100 * most >= whole
    for number, place in items:
        if number < most * _WORTH_NAMING or (words and not is_share):
            continue
        share = percent(number, whole) if is_share or data.unit == "weight" else f"{number:,}"
        if words:
            words.append(f"{share} {place}")
            continue
        of_all = f"of the {noun}" if is_share or data.unit == "weight" else f"of {counted(whole, data.noun)}"
        is_one = data.unit == "weight" or (number == 1 and not is_share)
        verb = "is" if is_one else "are"
        if "left out" in place and "noise" not in place:
            verb = "was" if is_one else "were"
        words.append(f"{share} {of_all} {verb} {place}")
    return fitting([", ".join(words), words[0]])


def _nearly_words(data: ReportData, errors: Errors) -> str:
    """How many reference clusters are nearly right, and what they lose; empty if they lose nothing."""
    nearly = errors.places_of(0, NEARLY)
    lost = int(errors.strays[0][nearly].sum())
    if data.unit != "record" or not lost:
        return ""
    verb = ("is", "loses") if len(nearly) == 1 else ("are", "lose")
    clusters = counted(len(nearly), f"{side_title(data.names[0])} {data.cluster_noun}")
    return f"{clusters} {verb[0]} nearly right and {verb[1]} {counted(lost, data.noun)}"


def _outcomes(data: ReportData, errors: Errors, main: str) -> Iterator[str]:
    """The clusters that are not even nearly right, if they are few and the headline does not name them."""
    wrong = {word: errors.places_of(0, code) for code, word in enumerate(VERDICTS) if code > NEARLY}
    wrong = {word: places for word, places in wrong.items() if places}
    if sum(map(len, wrong.values())) > _FEW:  # the bar of verdicts counts them
        return
    for word, places in wrong.items():
        if word != "merged":
            named = _names_in_order(data, errors, 0, places)
            outcome = word if any(errors.pieces(0, place) for place in places) else "missed"
            if f"{capitalized(named)} is split" not in main:
                yield f"{named} {_are(len(places))} {outcome}"
            continue
        for column, merged in groupby(sorted(places, key=errors.partner), errors.partner):
            together = [*merged]
            own = _names_in_order(data, errors, 0, together)
            if len(together) > 1 and own not in main:
                yield f"{own} are merged"
            elif len(together) == 1:
                other = errors.largest_in(column, other_than=together[0])
                if _names_in_order(data, errors, 0, [*together, other]) not in main:
                    yield f"{own} is merged with {spelled_label(errors.label(0, other))}"


def _chance_sentence(data: ReportData, chance: str) -> str:
    reference, candidate = subjects(data.names)
    return f"{capitalized(candidate)} and {reference} are {chance}"


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
        return _same_pairs_sentence(data)
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


def _same_pairs_sentence(data: ReportData) -> str:
    """One plain sentence about sides that differ in no pair that counts."""
    reference, candidate = subjects(data.names)
    if data.counts.identical:
        what = f"are identical on the {_compared(data)} that {'was' if data.size == 1 else 'were'} compared"
        what = what if data.omitted else "are identical"
    elif data.counts.kind == "between":
        different = "pair of records of different sources"
        if not any(data.pairs or ()):
            return f"There is no {different} to compare"
        return f"No {different} differs between {candidate} and {reference}"
    elif not data.profile.availability.adds_up:
        what = "hold the same pairs together, but not by the same clusters"
    elif data.counts.disjoint:
        what = "have no records in common"
    else:
        what = "hold the same pairs together, but not the same records"
    return f"{capitalized(candidate)} and {reference} {what}"


def likeness_to_chance(data: ReportData) -> str:
    """ "no more similar than chance (ARI 0.000)" if the adjusted indices are so low; else nothing."""

    def value(name: str) -> float:
        """The value of an index among those shown; NaN where it is not, or not defined."""
        index = INDICES[name]
        if data.unit != "record" or not data.is_available(index) or index.is_undefined(data.profile):
            return nan
        return index.value(data.profile)

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
        main, verb = headline(data), "was" if data.omitted == 1 else "were"
        compared = f"{'was' if data.size == 1 else 'were'} compared"
        words += [f"{_compared(data)} {compared}"] if compared not in main else []
        number = counted(data.omitted, data.noun) if not words else f"{data.omitted:,}"
        words += [f"{number} {verb} left out"] if "left out" not in main else []
    return "; ".join(words)


class Fix(NamedTuple):
    """A change of the candidate in words, the value of the index after it, and its gain."""

    words: str
    value: float
    gain: float


def fixes(
    data: ReportData, cluster: Callable[[SideName, Any], str], record: Callable[[Any], str]
) -> list[Fix]:
    """The fixes of the candidate, the largest gain first; ``cluster`` and ``record`` spell labels.

    Edits of one kind are named together if each gains little, or all gain more than the best one. If both
    sides agree no more than by chance, no edit of the candidate is a fix.
    """
    if not data.has_edits or likeness_to_chance(data).startswith("no more"):
        return []
    made, groups = list[Fix](), data.edit_groups
    if data.lump is not None:
        label, share, splits = data.lump
        what = f"split {cluster('candidate', label)}, which holds {share} wrong pairs"
        made.append(Fix(f"{what} ({counted(splits.size, data.noun)})", splits.value, splits.gain))
        groups = [each for each in groups if each.kind != "split" or each.gain > 2 * splits.gain]
    for edit in [] if data.suggestions is None else data.suggestions.named:
        made.append(Fix(edit._words(cluster, record, data.noun), edit.value, edit.gain))
    for group in groups:
        made.append(Fix(_group_words(data, group, cluster), group.value, group.gain))
    return sorted(made, key=lambda each: -inf if isnan(each.gain) else -each.gain)


def _group_words(data: ReportData, group: EditGroup, cluster: Callable[[SideName, Any], str]) -> str:
    """All edits of one kind; with the reference cluster that they bring together, or that most are about."""
    words, steps, records = group.words, group.steps, counted(group.size, data.noun)
    row, column, target, most = steps[steps[:, 3].argmax()].tolist()
    label, pieces = data.edited_cluster("reference", row)
    reference = cluster("reference", label)
    own = partial(cluster, "candidate")
    if group.kind == "move" and len(steps) == 1:
        before, after = (own(data.edited_cluster("candidate", each)[0]) for each in (column, target))
        return f"move {records} of {reference} from {before} to {after}"
    if group.kind != "split" and pieces == len(steps) + 1 and (steps[:, 0] == row).all():
        verb, end = ("merge", "") if group.kind == "merge" else ("bring", " together")
        return f"{verb} the {pieces:,} pieces of {reference}{end} ({records})"
    if group.kind != "move":
        return f"{words}, together ({records})"
    if 2 * most <= group.size:
        return f"{words}, together"
    before = own(data.edited_cluster("candidate", column)[0])
    return f"{words}, together, {most:,} of them of {reference} in {before}"


def advice(
    data: ReportData,
    cluster: Callable[[SideName, Any], str] | None = None,
    record: Callable[[Any], str] = spelled_label,
) -> str:
    """The fix of the candidate that helps most, with its gain; nothing if there is none."""
    titles = dict(zip(SIDES, map(side_title, data.names), strict=True))
    known = fixes(
        data,
        cluster or (lambda side, label: named_cluster(titles[side], label, noun=data.cluster_noun)),
        record,
    )
    if not known:
        return ""
    best, by = known[0], f"{DEFAULT_FOR_EDITS}{edited_records(data)}"
    gain = "" if isnan(best.gain) else f" (+{format_value(best.gain)})"
    return f"Fix first: {best.words}; {by} becomes {format_value(best.value)}{gain}"


def edited_records(data: ReportData) -> str:
    """The records that edits are about, if these are not all."""
    return f" of the {data.noun}s in {data.cluster_noun}s of both sides" if data.has_outside else ""


def side_words(data: ReportData, number: int, sizes: str = "") -> str:
    """The clusters of a side, and its records in none: ``5 clusters and 1,818 noise records (61%)``."""
    is_noise = data.noise_clusters[number] is not None
    words = [counted(data.clusters[number] - is_noise, data.cluster_noun) + sizes]
    for each in data.outside_records:
        if each.side == SIDES[number]:
            is_ending = each.kind in ("without a label", "in no cluster")
            kind, ending = (data.noun, f" {each.kind}") if is_ending else (f"{each.kind} {data.noun}", "")
            share = percent(each.records, data.size)
            words.append(f"{counted(each.records, kind)}{ending} ({share})")
    return listed(words)


def _compared(data: ReportData) -> str:
    return f"{data.size:,} of {counted(data.size + data.omitted, data.noun)}"


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
) -> str:
    """The outcome of one cluster: ``candidate cluster 4 mixes reference clusters 1 and 8``.

    ``show`` spells labels.
    """
    own, other = names if cluster.side == "reference" else names[::-1]
    record, noun = cluster.nouns
    subject = named_cluster(own, cluster.label, show, noun=noun)
    named, number = _pieces_to_name(cluster), len(cluster.clusters) + cluster.rest[0]
    if not number and noun == "object":
        return f"{subject} is {'missed' if cluster.side == 'reference' else 'invented'}"
    if not number:
        return f"{subject} is in no {other} cluster"
    verb, ending = ("is split over", "mixes")[cluster.side == "candidate"], ""
    if cluster.unclustered:
        if cluster.side == "reference":
            verb = "is in" if number == 1 else verb
            ending = f", and {cluster.unclustered:,} of its {record}s in no {noun}"
        else:
            verb = "holds" if number == 1 else verb
            ending = f", and {counted(cluster.unclustered, record)} of no {noun}"
    if not named or not names_pieces:
        return f"{subject} {verb} {counted(number, f'{other} {noun}')}{ending}"
    in_others = cluster.size - cluster.unclustered - sum(piece.size for piece in named)
    more = [f"{number - len(named):,} more"] if in_others >= _WORTH_NAMING * cluster.size else []
    pieces = named_clusters(other, [piece.label for piece in named], show, more, noun=noun)
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


def named_cluster(
    side: str, label: Any, show: Callable[[Any], str] | None = None, *, noun: str = "cluster"
) -> str:
    """A cluster by its side and label: ``reference cluster 8``, ``candidate cluster 'a b '``."""
    return named_clusters(side, [label], show, noun=noun)


def named_clusters(
    side: str,
    labels: Sequence[Any],
    show: Callable[[Any], str] | None = None,
    more: Sequence[str] = (),
    *,
    noun: str = "cluster",
) -> str:
    """Several clusters of one side: ``reference clusters 1, 8 and 2 more``, ``run cluster 3 and noise``."""
    show = show or spelled_label
    words = [*(show(label) for label in labels if label is not NOISE), *more]
    noise = [show(label) for label in labels if label is NOISE]
    clusters = [f"{noun}{'s' if len(words) > 1 else ''} {listed(words)}"] if words else []
    return f"{side} {listed([*clusters, *noise])}"


def listed(words: Sequence[str]) -> str:
    """An enumeration: ``a, b and c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def named_ties(names: Sequence[str]) -> str:
    """The names of equals, or how many these are if they are many.

    >>> named_ties(["a", "b"]), named_ties(list("abcdef"))
    ('a and b', 'a, b, c and 3 others')
    """
    rest = len(names) - _TIES_SHOWN
    return listed(names if rest <= 1 else [*names[:_TIES_SHOWN], f"{rest:,} others"])


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
