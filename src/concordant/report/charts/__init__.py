"""The charts, each in a module that declares it; CHARTS are those of a comparison.

To add a chart of a comparison, declare it in a module of its own and add it here, to CHARTS and to ChartKind.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from concordant.errors import ParameterError, TableNeededError
from concordant.foundation.conventions import SideName, check_choice
from concordant.report.charts.chart import Chart, Display
from concordant.report.charts.entities import VERDICT_SIZES, WORST, is_of_entities
from concordant.report.charts.flow import FLOW
from concordant.report.charts.indices import HEADLINE
from concordant.report.charts.sizes import SIZES
from concordant.report.charts.table import TABLE
from concordant.report.report_data import ReportData

# In the order of a page.
CHARTS: dict[str, Chart[ReportData]] = {
    chart.name: chart for chart in (VERDICT_SIZES, WORST, FLOW, TABLE, SIZES, HEADLINE)
}
ChartKind = Literal["verdicts", "worst", "flow", "table", "sizes", "indices"]

if get_args(ChartKind) != tuple(CHARTS):
    raise ValueError(
        f"src/concordant/report/charts/__init__.py: CHARTS has {', '.join(CHARTS)} and ChartKind has "
        f"{', '.join(get_args(ChartKind))}; list the same names in both"
    )


def plot_chart(
    data: ReportData, kind: ChartKind | None, share: SideName | None, ax: Any, width: float | None
) -> Display:
    """A chart of a comparison on Matplotlib's axes; without a kind, the one that its page shows first."""
    if kind is None:
        kind = "verdicts" if is_of_entities(data) else "flow"
    check_choice("kind", kind, CHARTS)
    if share is not None:
        check_choice("share", share, get_args(SideName))
    chart = CHARTS[kind]
    if share is not None and share not in chart.shares:
        offered = " and ".join(name for name, each in CHARTS.items() if share in each.shares)
        raise ParameterError(f"share={share!r} applies to the {offered}, not to {kind!r}")
    if not chart.needs(data):
        if data.covers is not None:
            data.covers.check_overlaps()
        reason = data.counts.availability.price or "this comparison was made from sizes alone"
        reason = reason if data.size else "this comparison has no records"
        raise TableNeededError(f"{kind!r} shows which clusters overlap, which is not known: {reason}")
    return chart.plot(data, ax, share, width)
