"""Line plots and bars on logarithmic axes, as SVG. Text is grey and the background is transparent, for
light and dark pages; colours are those of Okabe and Ito, which are safe for colour-blind readers.
"""

import html
import math

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
GREY = "#808080"
FONT = 'font-family="system-ui, sans-serif" font-size="12"'


def lines(title, axes, curves, y_range):
    """curves: name -> [(x, y), ...]."""
    width, height, left, right, top, bottom = 720, 400, 64, 130, 40, 52
    xs = [x for points in curves.values() for x, _ in points]
    x_low, x_high = math.floor(math.log10(min(xs))), math.ceil(math.log10(max(xs)))
    y_from, y_to = (math.floor(math.log10(y_range[0])), math.ceil(math.log10(y_range[1])))

    def place(x, y):
        across = (math.log10(x) - x_low) / (x_high - x_low)
        up = (math.log10(y) - y_from) / (y_to - y_from)
        return left + across * (width - left - right), height - bottom - up * (height - top - bottom)

    parts = [_text(left, 20, title, weight="bold")]
    for power in range(x_low, x_high + 1):
        x, y = place(10**power, 10**y_from)
        parts += [_line(x, y, x, top), _text(x, y + 18, _power(power), anchor="middle")]
    for power in range(y_from, y_to + 1):
        x, y = place(10**x_low, 10**power)
        parts += [_line(x, y, width - right, y), _text(x - 8, y + 4, _plain(power), anchor="end")]
    parts.append(_text((left + width - right) / 2, height - 12, axes[0], anchor="middle"))
    parts.append(_text(14, height / 2, axes[1], anchor="middle", turn=True))
    parts += _curves(curves, place)
    return _svg(width, height, parts)


def _curves(curves, place):
    parts, taken = [], []
    for colour, (name, points) in zip(COLOURS, curves.items(), strict=False):
        spots = [place(x, y) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in spots]
        x, y = spots[-1]
        while any(abs(y - other) < 15 for other in taken):
            y -= 5
        taken.append(y)
        parts.append(_text(x + 8, y + 4, name, colour=colour))
    return parts


def bars(title, groups, show):
    """groups: [(heading, [(name, value), ...]), ...]; the first name of each is ours. Logarithmic."""
    values = [value for _, entries in groups for _, value in entries]
    low, high = math.log10(min(values)) - 0.3, math.log10(max(values))
    width, left, right, line = 720, 116, 90, 18
    parts, y = [_text(12, 20, title, weight="bold")], 34
    for heading, entries in groups:
        y += 20
        parts.append(_text(12, y, heading))
        for place, (name, value) in enumerate(entries):
            y += line
            length = (math.log10(value) - low) / (high - low) * (width - left - right)
            colour = COLOURS[0] if place == 0 else GREY
            parts.append(_text(left - 8, y, name, anchor="end", colour=colour))
            parts.append(
                f'<rect x="{left}" y="{y - 10}" width="{length:.1f}" height="11" rx="2" fill="{colour}"/>'
            )
            parts.append(_text(left + length + 6, y, show(value), colour=colour))
        y += 6
    return _svg(width, y + 16, parts)


def _svg(width, height, parts):
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" {FONT}>\n{body}\n</svg>\n'
    )


def _text(x, y, text, *, anchor="start", colour=GREY, weight="normal", turn=False):
    turned = f' transform="rotate(-90 {x} {y})"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-weight="{weight}"{turned}>{html.escape(text)}</text>'
    )


def _line(x1, y1, x2, y2):
    place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {place} stroke="{GREY}" stroke-opacity="0.25"/>'


def _power(power):
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _plain(power):
    return f"{10**power:g}" if -3 <= power <= 4 else _power(power)
