"""`concordant compare --membership`: two sides of which one or both have weights."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rich.console import Group, RenderableType

from concordant.catalogue.index import Index
from concordant.cli import catalogue, inputs, limits
from concordant.cli.columns import FilePartition
from concordant.cli.options import MembershipOptions, PairOptions
from concordant.cli.output import Output, each_with_progress, progress, prose
from concordant.comparisons.entry import compare
from concordant.comparisons.soft import SoftComparison
from concordant.comparisons.soft_interval import has_soft_interval
from concordant.counts.conventions import TABLE_LIMIT
from concordant.errors import ParameterError, UnmatchedError
from concordant.soft.indices import DEFAULT_SOFT_INDEX


def compare_memberships(
    files: PairOptions,
    memberships: MembershipOptions,
    indices: Mapping[str, Index],
    out: Output,
    *,
    everything: bool,
    significance: Mapping[str, Any] | None,  # the options of p-values, if these are asked for
    interval: Mapping[str, Any] | None,  # the options of intervals, likewise
    gates: Sequence[limits.Limit],
) -> None:
    """Compare two soft partitions in files, or one with labels, and deliver the answer."""
    _refuse_options_of_labels(files)
    with inputs.opened_memberships(files, memberships) as sides:
        with progress("comparing"):
            result = _compared(sides, files)
            tests = {}
            if significance is not None:
                names = list(indices) or [DEFAULT_SOFT_INDEX]
                tests = each_with_progress(partial(result.significance, **significance), names)
            intervals = {}
            if interval is not None:
                names = list(indices) or [name for name in result if has_soft_interval(name)]
                intervals = each_with_progress(partial(result.interval, **interval), names)
            chosen = list(indices) or ([*result.keys(), *result.omitted] if everything else [])
            trust = {"significance": tests, "interval": intervals}
            answer = _answer(result, sides, chosen, indices, trust, as_json=out.as_json)
            missed = [gate(result) for gate in gates]
        out.draw(
            result.to_html,
            names=inputs.short_names(files),
            indices=chosen or None,
            significance=significance is not None,
            interval=intervals.values(),
        )
    out.deliver(answer)
    limits.exit_if_missed(missed)


def _refuse_options_of_labels(files: PairOptions) -> None:
    given = {
        "nulls": files.nulls,
        "noise": files.noise,
        "noise_as": files.noise_as,
        "reference_noise": files.reference_noise,
        "candidate_noise": files.candidate_noise,
        "table_limit": files.table_limit if files.table_limit != TABLE_LIMIT else None,
    }
    for option, value in given.items():
        if value is not None:
            raise ParameterError("this cannot be combined with --membership", given={option: value})


def _compared(sides: Sequence[FilePartition], files: PairOptions) -> SoftComparison:
    u, v = sides
    try:
        result = compare(
            u.elements,
            v.elements,
            unmatched=files.unmatched,
            undefined=files.undefined,
            threads=files.threads,
        )
        assert isinstance(result, SoftComparison)
        _ = result.counts.gram  # reads the files now, so their errors are raised here
    except UnmatchedError as error:
        error.add_note(f"reference {u.origin}; candidate {v.origin}")
        raise
    return result


def _answer(
    result: SoftComparison,
    sides: Sequence[FilePartition],
    chosen: Sequence[str],
    indices: Mapping[str, Index],
    trust: Mapping[str, Mapping[str, Any]],
    *,
    as_json: bool,
) -> RenderableType:
    if as_json:
        document = json.loads(result.to_json(*chosen))
        for question, answers in trust.items():
            if answers:
                document[question] = {name: each.to_dict() for name, each in answers.items()}
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    shown = (
        catalogue.chosen(result, indices, trust["interval"])
        if indices
        else prose(f"{inputs.origins(sides)}\n{result.to_text(indices=chosen or None)}")
    )
    lines = []
    for question, answers in trust.items():
        if answers and not (indices and question == "interval"):
            lines += [f"\n{question}", *(f"  {each!r}" for each in answers.values())]
    return Group(shown, prose("\n".join(lines))) if lines else shown
