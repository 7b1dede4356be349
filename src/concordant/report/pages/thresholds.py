"""The page of a hierarchy against a partition: the best cut, the curves, and the cuts around the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from concordant.counts.spelling import counted, printable
from concordant.hierarchies.curve import SELECTED, BestPruning
from concordant.hierarchies.joins import Joins
from concordant.report.charts.curves import CURVE, CurveLine, Curves, cut_words
from concordant.report.charts.precision_recall import PRECISION_RECALL, PrecisionRecall
from concordant.report.pages.page import Section, chart_section, document, escape, number_cell, sortable_table
from concordant.report.sentences import capitalized
from concordant.report.values import format_value
from concordant.text_layout import shortened


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdsData:
    """All that the page shows. The first line of the curves is the index that the headline is about."""

    names: tuple[str, str]
    size: int
    true_clusters: int
    cuts: int  # of the hierarchy; the curves may have some of them
    curves: Curves
    pairs: PrecisionRecall
    pruning: BestPruning | None  # None if it is not known for the first index
    joins: Sequence[Joins]  # the steps to the best cut and away from it
    tree: Sequence[tuple[str, str, float]]  # indices of the whole tree: title, what it is, value
    omission: str  # elements that were not compared, in words
    signature: str


def best_sentence(data: ThresholdsData) -> str:
    """The best cut of the first index."""
    i = data.curves.lines[0].best
    if i is None:
        return f"{data.curves.lines[0].index.title} has no best value here"
    where, value = data.curves.where(i), format_value(float(data.curves.lines[0].values[i]))
    some = "" if len(data.curves.x) == data.cuts else f"Of {counted(len(data.curves.x), 'cut')}, "
    return f"{some}{data.curves.lines[0].index.title} is best at {where}: {value}"


def neighbours_sentence(data: ThresholdsData) -> str:
    """The values at the cuts before and after the best one."""
    line, curves = data.curves.lines[0], data.curves
    if line.best is None:
        return ""
    beside = [
        f"{format_value(float(line.values[i]))} at {curves.where(i)} "
        f"({counted(int(curves.clusters[i]), 'cluster')})"
        for i in (line.best - 1, line.best + 1)
        if 0 <= i < len(line.values)
    ]
    made = f"It makes {counted(int(curves.clusters[line.best]), 'cluster')}"
    if not beside:
        return f"{made}, and there is no other cut."
    shown = "" if len(curves.x) == data.cuts else " that is shown" if len(beside) == 1 else " that are shown"
    nearest = f"nearest cut{shown} has" if len(beside) == 1 else f"nearest cuts{shown} have"
    return f"{made}; the {nearest} {' and '.join(beside)}."


def limit_sentence(data: ThresholdsData) -> str:
    """Whether the hierarchy or the one threshold for all of it limits the value."""
    pruning, index = data.pruning, data.curves.lines[0].index
    if pruning is None or index.perfect is None:
        return ""
    by_cut = abs(pruning.value - pruning.best_cut)
    by_tree = abs(index.perfect - pruning.value)
    one = data.curves.axis
    reached = f"the best clusters in it, each at its own {one}, give {format_value(pruning.value)}"
    if not by_cut and not by_tree:
        return f"Neither the hierarchy nor the {one} limits the value: it is perfect."
    if not by_tree:
        return f"The {one} limits the value, not the hierarchy: {reached}, which is perfect."
    if not by_cut:
        return f"The hierarchy limits the value, not the {one}: {reached}, as the best cut does."
    limits, other = ("hierarchy", one) if by_tree >= by_cut else (one, "hierarchy")
    return (
        f"The {limits} limits the value more than the {other}: {reached}, and the best cut gives "
        f"{format_value(pruning.best_cut)}; perfect is {format_value(index.perfect)}."
    )


def thresholds_page(data: ThresholdsData) -> str:
    """The whole page as one HTML text."""
    sections = [chart_section(CURVE, data.curves)]
    if PRECISION_RECALL.needs(data.pairs):
        sections.append(chart_section(PRECISION_RECALL, data.pairs))
    if data.joins:
        sections.append(_joins(data))
    sections.append(_table(data))
    signature = f'<p><code id="signature">{escape(data.signature)}</code></p>'
    sections.append(Section("Signature", signature, key="cite"))
    title = " against ".join(shortened(printable(name), 60) for name in data.names[::-1])
    return document(capitalized(title), sections, headline=best_sentence(data), head=_head(data))


def _head(data: ThresholdsData) -> str:
    facts = (
        f"{counted(data.size, 'record')} in {counted(data.true_clusters, 'true cluster')}, against "
        f"{counted(data.cuts, 'cut')} of the hierarchy."
    )
    if more := data.cuts - len(data.curves.x):
        facts += (
            f" {counted(more, 'cut')} {'is' if more == 1 else 'are'} not shown; the others are evenly chosen."
        )
    judged = data.curves.lines[0].best
    chosen = "" if judged is None else f"The {data.curves.axis} is {SELECTED}."
    sentences = filter(None, [neighbours_sentence(data), limit_sentence(data), chosen, facts])
    numbers = "" if judged is None else "".join(_key_number(data, line, judged) for line in data.curves.lines)
    tree = "".join(
        f"<div><b>{format_value(value)}</b><span>{escape(title)}</span><small>{escape(words)}</small></div>"
        for title, words, value in data.tree
    )
    return (
        (f'<p class="left-out">{escape(data.omission)}.</p>' if data.omission else "")
        + "".join(f'<p class="facts">{escape(each)}</p>' for each in sentences)
        + f'<div class="key-numbers">{numbers}{tree}</div>'
    )


def _key_number(data: ThresholdsData, line: CurveLine, judged: int) -> str:
    """The value of an index at the best cut of the first one, and where its own best is."""
    words = ""
    if line.best not in (None, judged):
        own = format_value(float(line.values[line.best]))
        words = f"<small>its best: {own} at {escape(data.curves.where(line.best))}</small>"
    value = format_value(float(line.values[judged]))
    return f"<div><b>{value}</b><span>{escape(line.index.title)}</span>{words}</div>"


def _joins(data: ThresholdsData) -> Section:
    """The clusters that are joined next to the best cut."""
    body = ""
    heads = [("Joined, by their first records", ""), ("Records", "number"), ("Clusters", "number")]
    heads += [("Right pairs", "number"), ("Wrong pairs", "number")]
    for step, each in enumerate(data.joins):
        rows = ""
        for row in each.rows:
            numbers = (row["elements"], row["parts"], row["right_pairs"], row["wrong_pairs"])
            shown = escape(shortened(printable(row["between"]), 80))
            rows += f"<tr><td><bdi>{shown}</bdi></td>{''.join(map(number_cell, numbers))}</tr>"
        title = f"{each.title[0].upper()}{each.title[1:]}"
        pairs = f"{each.right_pairs:,} right and {each.wrong_pairs:,} wrong pairs are new"
        made = f"{counted(each.parts, 'cluster')} become {each.clusters:,}; {pairs}."
        body += f"<h3>{escape(title)}</h3><p>{made}</p>"
        body += sortable_table(f"joins-{step}", heads, rows, title) if rows else ""
        if more := each.clusters - len(each.rows):
            body += f'<p class="note">Not listed: {counted(more, "other joined cluster")}.</p>'
    title = f"What changes at the {data.curves.axis}s next to the best"
    lead = (
        "A step joins clusters. A pair is right if both records are in one true cluster, and wrong if not. "
        "Most wrong pairs first."
    )
    return Section(title, body, lead=lead, key="joins", short="What changes")


def _table(data: ThresholdsData) -> Section:
    curves = data.curves
    heads = [(curves.axis.capitalize(), "number"), ("Clusters", "number")]
    heads += [(escape(line.index.name), "number") for line in curves.lines]
    rows = ""
    for i in curves.listed:
        x = float(curves.x[i])
        text = cut_words(curves.axis, x).removeprefix(f"{curves.axis} ")
        rows += f'<tr id="cut{i}">{number_cell(x, text)}{number_cell(int(curves.clusters[i]))}'
        for line in curves.lines:
            value = float(line.values[i])
            shown = f"<b>{format_value(value)}</b>" if i == line.best else format_value(value)
            rows += number_cell(value, shown)
        rows += "</tr>"
    title = f"Values at {counted(len(curves.listed), curves.axis)}"
    left_out = data.cuts - len(curves.listed)
    lead = "The best value of each index is bold."
    if left_out:
        lead += f" {counted(left_out, 'other cut')} {'is' if left_out == 1 else 'are'} not listed."
    body = '<div class="find"><button type="button" data-csv="cuts">CSV</button></div>'
    return Section(title, body + sortable_table("cuts", heads, rows, title), lead=lead, key="thresholds")
