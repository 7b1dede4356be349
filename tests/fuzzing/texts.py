"""The checkers of text against Python's own decoding, cut anywhere."""

import csv
import io
import json

from inner import DelimitedText, JsonLines

_PIECES = [*'a,,\n\n"é日\U0001f600 ;\0\r', "b1", "\r\n", '""', '"a,b"']
_BROKEN = [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\x80"]


def _bytes(random, pieces):
    text = "".join(random.choice(pieces) for _ in range(random.randrange(25))).encode()
    if random.randrange(4) == 0:
        at = random.randint(0, len(text))
        return text[:at] + random.choice(_BROKEN) + text[at:]
    return text


def _fed(make, data, cuts):
    reader = make()
    for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
        reader.feed(data[begin:end])
    reader.finish()
    return reader


def _is_utf8(data):
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


_COUNTS = ("width", "rows", "leading_blanks", "blanks", "empty_rows", "line_feeds", "returns", "longest_row")


def _seen(reader):
    if reader.fault is not None:
        return [reader.fault]  # nothing more is asked then
    return [reader.header, *(getattr(reader, name) for name in _COUNTS)]


def delimited(random):
    """Well-formed text has the rows that Python's reader finds; and where it is cut changes nothing."""
    data = _bytes(random, _PIECES)
    ragged = bool(random.randrange(2))
    whole = _fed(lambda: DelimitedText(",", ragged), data, [])
    for cut in range(len(data) + 1):
        assert _seen(_fed(lambda: DelimitedText(",", ragged), data, [cut])) == _seen(whole), (data, cut)
    assert _seen(_fed(lambda: DelimitedText(",", ragged), data, list(range(len(data))))) == _seen(whole), data
    if not _is_utf8(data):
        assert whole.fault is not None, data
    if whole.fault is None:
        rows = list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
        full = [row for row in rows if row]
        blank = whole.leading_blanks + whole.blanks
        assert whole.rows + blank == len(rows), data
        assert ragged or {len(row) for row in full} <= {whole.width}, data


_VALUES = [*'aé"\\\n\U0001f600', "", 1, 0, -5, 2.5, True, False, None, [1, "]"], {"a": "}"}]


def json_lines(random):
    """Objects of one line each are taken as Python's reader takes them; broken lines are refused."""
    rows = [
        {key: random.choice(_VALUES) for key in ("id", "label", "other") if random.randrange(4)}
        for _ in range(random.randrange(4))
    ]
    lines = [json.dumps(row, ensure_ascii=bool(random.randrange(2))) for row in rows]
    data = "\n".join(lines).encode()
    if random.randrange(3) == 0 and data:
        at = random.randrange(len(data))
        data = data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
        _check_broken(data)
        return
    nested = any(isinstance(row.get(key), list | dict) for row in rows for key in ("id", "label"))
    whole = _fed(lambda: JsonLines(["id", "label"], keep=True), data, [])
    assert (whole.fault is not None) == nested, data
    if nested:
        return
    taken = whole.take()
    assert taken == [[_as_text(row.get(key)) for row in rows] for key in ("id", "label")], data
    for cut in range(len(data)):
        again = _fed(lambda: JsonLines(["id", "label"], keep=True), data, [cut])
        assert (again.fault, again.take()) == (whole.fault, taken), (data, cut)


def _as_text(value):
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)


def _check_broken(data):
    whole = _fed(lambda: JsonLines(["id", "label"]), data, [])
    for cut in range(len(data)):
        again = _fed(lambda: JsonLines(["id", "label"]), data, [cut])
        assert (again.fault, again.rows, again.found) == (whole.fault, whole.rows, whole.found), (data, cut)
    if whole.fault is None:
        parsed = [json.loads(line) for line in data.decode().split("\n") if line.strip(" \t\r")]
        assert all(isinstance(row, dict) for row in parsed), data


TARGETS = [delimited, json_lines]
