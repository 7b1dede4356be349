"""Crops of label images: the clusters that cost most, as they are in the image, on both sides.

For images with more than two dimensions, the slice with the most voxels of the cluster is shown. The pictures
are embedded in the page, and need neither network nor JavaScript.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.clusterings.images import LabelImages
from concordant.differences.verdicts import EXACT, VERDICTS
from concordant.errors import InputError, kind_of
from concordant.foundation.conventions import SideName
from concordant.foundation.spelling import counted
from concordant.report.cluster_detail import ClusterDetail
from concordant.report.images import indexed_png_address, picture_addresses
from concordant.report.labels import PageLabels
from concordant.report.pages.page import Section, escape
from concordant.report.palette import LIGHT
from concordant.report.report_data import ReportData
from concordant.report.sentences import capitalized, cluster_sentence, side_title

_SHOWN = 8  # clusters
_LONGEST = 96  # voxels along an edge of a crop; larger ones show every second, or every third
_OTHERS = ("#8a8f96", "#a3a8ae", "#bcc0c5")  # neighbouring clusters, in three greys so neighbours differ
_WHOLE = 256  # voxels along an edge of the whole image, likewise
_LEVELS = range(0, 256, 2)  # greys of the image that was segmented

CROPS_STYLE = (
    ".crops{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(24rem,100%),1fr));gap:1.5rem}"
    ".crop{margin:0;break-inside:avoid}.crop>div{display:flex;gap:.75rem;flex-wrap:wrap;margin:.4rem 0}"
    # The colours of the crops are those of the light theme, so they need its background.
    ".whole{margin:0 0 .4rem}.whole>div{display:flex;gap:1.5rem;flex-wrap:wrap}"
    ".whole>div>div{flex:0 1 20rem}.whole small{display:block}"
    ".whole img{width:100%;image-rendering:pixelated;display:block;background:#fff;"
    "border:1px solid var(--line)}"
    ".crop img{image-rendering:pixelated;display:block;width:7rem;height:auto;background:#fff;"
    "border:1px solid var(--line)}.crop i{display:inline-block;width:.8em;height:.8em;margin-right:.3em;"
    "outline:1px solid var(--muted)}.crop .legend li::before{content:none}"
)


def crops_section(
    data: ReportData, images: LabelImages | None, raw: Any, labels: PageLabels, room: int
) -> Iterator[Section]:
    """The costliest clusters cropped from the images, as many as fit into the budget."""
    if images is None or len(images["reference"].shape) < 2:
        if raw is not None:
            raise InputError(
                "raw= is shown beside label images, but these labels are not images; leave it out"
            )
        return
    if raw is not None:
        _check_raw(raw, images["reference"].shape)
        raw = raw[images["reference"].shown]
    worst = sorted([*data.split, *data.mixed], key=lambda cluster: -cluster.pairs)
    objects = [cluster for cluster in worst if images[cluster.side].number(cluster.label) is not None]
    figures: list[str] = []
    for cluster in objects[:_SHOWN]:
        figure = _figure(data, images, raw, labels, cluster)
        if sum(map(len, figures)) + len(figure) > room:
            break
        figures.append(figure)
    if figures:
        step = images["reference"].step
        coarse = f" The pictures show one {data.noun} in {step} along each edge." if step > 1 else ""
        lead = (
            "Wrong objects have the colour of their verdict. Below are those that cost most, cropped from "
            "both label images, with the objects of the other side that they overlap in colours of their "
            f"own, and all others in grey.{coarse}"
        )
        whole, listed = _whole_figure(data, images, raw), "".join(figures)
        whole = whole if len(whole) + len(listed) <= room else ""
        body = f'{whole}<div class="crops">{listed}</div>'
        yield Section("Where in the image", body, lead=lead, key="crops")


def _whole_figure(data: ReportData, images: LabelImages, raw: Any) -> str:
    """Both images at reduced size: wrong objects are coloured, or outlined on the image that was segmented.

    Of a volume, it is the slice with most voxels of wrong objects.
    """
    sides: tuple[SideName, SideName] = ("reference", "candidate")
    lookups = []
    for number, side in enumerate(sides):
        lookup = np.zeros(int(images[side].numbers.max(initial=-1)) + 2, dtype=np.uint8)  # the last is of -1
        lookup[:-1] = 1 + np.arange(len(lookup) - 1) % len(_OTHERS)
        codes = data.verdict_codes[side]
        for place in np.flatnonzero(codes != EXACT).tolist():
            own = images[side].number(data.labels.cluster(number, place))
            if own is not None:
                lookup[own] = len(_OTHERS) + codes[place]
        lookups.append(lookup)
    shape, lead = images["reference"].numbers.shape, tuple[int, ...]()
    if len(shape) > 2:
        found = (
            np.count_nonzero(lookup[images[side].numbers] > len(_OTHERS), axis=(-2, -1))
            for side, lookup in zip(sides, lookups, strict=True)
        )
        held = sum(found, start=np.zeros(shape[:-2], dtype=np.int64))
        lead = tuple(int(each) for each in np.unravel_index(int(held.argmax()), held.shape))
    step = -(-max(shape[-2:]) // _WHOLE)
    window: tuple[int | slice, ...] = (*lead, slice(None, None, step), slice(None, None, step))
    colours, panels = [*_OTHERS, *(LIGHT.of_verdict(word) for word in VERDICTS[1:])], []
    grey = None if raw is None else _grey_levels(raw[window])
    for side, lookup, name in zip(sides, lookups, data.names, strict=True):
        numbers = images[side].numbers[window]
        places, shown = lookup[numbers], colours
        if grey is not None:
            is_edge = (lookup[numbers] > len(_OTHERS)) & _is_edge(numbers)
            places = np.where(is_edge, places, grey + len(colours) + 1).astype(np.uint8)
            shown = [*colours, *(f"#{level:02x}{level:02x}{level:02x}" for level in _LEVELS)]
        words = f"{side_title(name)}: the whole image, wrong objects coloured"
        panels.append(_panel(indexed_png_address(places, shown), side_title(name), words))
    wrong = np.unique(np.concatenate(lookups))
    present = [VERDICTS[code - len(_OTHERS)] for code in wrong.tolist() if code > len(_OTHERS)]
    swatches = "".join(f'<li style="--of:{LIGHT.of_verdict(word)}">{word}</li>' for word in present)
    return f'<figure class="whole"><div>{"".join(panels)}</div></figure><ul class="legend">{swatches}</ul>'


def _grey_levels(image: Any) -> NDArray[np.int64]:
    """An image as places among the greys."""
    part = np.asarray(image, dtype=np.float64)
    part = part.mean(axis=-1) if part.ndim > 2 else part  # channels
    low, high = float(part.min()), float(part.max())
    levels: NDArray[np.int64] = np.rint((part - low) / ((high - low) or 1.0) * (len(_LEVELS) - 1)).astype(int)
    return levels


def _is_edge(numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which pixels have a neighbour in another object, or in none."""
    wide, edge = np.pad(numbers, 1, constant_values=-1), np.zeros(numbers.shape, dtype=bool)
    for rows, columns in ((0, 1), (2, 1), (1, 0), (1, 2)):
        edge |= wide[rows : rows + numbers.shape[0], columns : columns + numbers.shape[1]] != numbers
    return edge


def _figure(
    data: ReportData, images: LabelImages, raw: Any, labels: PageLabels, cluster: ClusterDetail
) -> str:
    own: SideName = cluster.side
    other: SideName = "candidate" if own == "reference" else "reference"
    number, unit = images[own].number(cluster.label), "pixel" if images[own].numbers.ndim == 2 else "voxel"
    assert number is not None  # it is an object
    window, where = _window(images[own].numbers == number, images[own].step)
    found = ((piece, images[other].number(piece.label)) for piece in cluster.pieces)
    pieces = [(piece, place) for piece, place in found if place is not None][: len(LIGHT.hues)]
    hues = {place: hue for (_, place), hue in zip(pieces, LIGHT.hues, strict=False)}
    colours = {own: {number: LIGHT.of_verdict(cluster.verdict)}, other: hues}
    sentence = cluster_sentence(cluster, (side_title(data.names[0]), side_title(data.names[1])))
    panels = []
    sides: tuple[SideName, SideName] = ("reference", "candidate")
    for side, name in zip(sides, data.names, strict=True):
        numbers = images[side].numbers[window]
        # 0 is transparent, followed by the greys, then the colours.
        places = np.where(numbers < 0, 0, 1 + numbers % len(_OTHERS)).astype(np.uint8)
        for place, shown in enumerate(colours[side], start=1 + len(_OTHERS)):
            places[numbers == shown] = place
        address = indexed_png_address(places, [*_OTHERS, *colours[side].values()])
        panels.append(_panel(address, side_title(name), f"{sentence}: {side_title(name)}, {where}"))
    if raw is not None:
        grey = _grey(raw[window], len(images["reference"].shape))
        panels.append(_panel(grey, "image", f"the image, {where}"))
    own_names = escape(side_title(data.names[0])), escape(side_title(data.names[1]))
    title = capitalized(cluster_sentence(cluster, own_names, lambda label: f"<b>{labels.html(label)}</b>"))
    swatches = "".join(
        f'<li><i style="background:{hues[place]}"></i>{labels.html(piece.label)}: '
        f"{counted(piece.size, unit)}</li>"
        for piece, place in pieces
    )
    return (
        f'<figure class="crop"><figcaption>{title} <small>{counted(cluster.size, unit)}, '
        f"{where}</small></figcaption><div>{''.join(panels)}</div>"
        f'<ul class="legend">{swatches}</ul></figure>'
    )


def _panel(address: str, name: str, alt: str) -> str:
    return f'<div><img alt="{escape(alt)}" src="{address}"><small>{escape(name)}</small></div>'


def _window(inside: NDArray[np.bool_], step: int) -> tuple[tuple[int | slice, ...], str]:
    """The part of the image to show, as an index and in words: the slice with most voxels of the cluster,
    with a margin around it."""
    lead: tuple[int, ...] = ()
    if inside.ndim > 2:
        held = np.count_nonzero(inside, axis=(-2, -1))
        lead = tuple(int(each) for each in np.unravel_index(int(held.argmax()), held.shape))
    spans, words = [], [f"slice {', '.join(str(step * each) for each in lead)}"] if lead else []
    for axis, name in ((1, "rows"), (0, "columns")):
        held = inside[lead].any(axis=axis)
        places = np.flatnonzero(held)
        first, last = int(places[0]), int(places[-1])
        margin = max(2, (last - first) // 6)
        begin, end = max(0, first - margin), min(len(held), last + 1 + margin)
        spans.append(slice(begin, end, -(-(end - begin) // _LONGEST)))
        words.append(f"{name} {step * begin} to {step * (end - 1)}")
    return (*lead, *spans), ", ".join(words)


def _grey(cropped: Any, dimensions: int) -> str:
    part = np.asarray(cropped)
    if part.ndim > 2:  # channels
        part = part.mean(axis=-1)
    try:
        return picture_addresses([part], "raw=")[0] or ""
    except InputError as error:
        raise InputError(
            f"raw= cannot be shown: {dimensions}-D labels need an image of finite numbers beside them"
        ) from error


def _check_raw(raw: Any, shape: Sequence[int]) -> None:
    given = getattr(raw, "shape", None)
    if given is None or not hasattr(raw, "__getitem__"):
        raise InputError(f"raw= is an array of the shape of the labels, {tuple(shape)}, not {kind_of(raw)}")
    fits = tuple(given) == tuple(shape) or (tuple(given[:-1]) == tuple(shape) and given[-1] in (1, 2, 3, 4))
    if not fits:
        raise InputError(
            f"raw= has the shape {tuple(given)} and the labels {tuple(shape)}; give the image that was "
            "segmented, with its channels, if any, along the last axis"
        )
