"""Files, good and bad, that every reader has to take for the same: what docs/formats.md promises.

Each case is a folder of files, with the records in ``id`` and their labels in ``t``. A good one has an
answer, the labels by record; a bad one has a fault, which the error of every reader names.
"""

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard


@dataclass(frozen=True)
class Case:
    name: str
    files: Mapping[str, bytes]
    labels: Mapping[str, str | None] = field(default_factory=dict)
    fault: str = ""
    path: str = ""  # to read; the only file unless given

    def write(self, folder):
        """Write the files, and give the path to read."""
        for name, content in self.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        return str(folder / (self.path or next(iter(self.files))))


def parquet(**columns):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


def csv(name, content, labels=None, fault="", ending="csv"):
    return Case(name, {f"x.{ending}": content}, labels or {}, fault)


def jsonl(name, content, labels=None, fault=""):
    return Case(name, {"x.jsonl": content}, labels or {}, fault)


AB = {"1": "a", "2": "b"}
PLAIN = b"id,t\n1,a\n2,b\n"
LONG = b"id,t\n" + b"".join(b"%d,%d\n" % (i, i % 7) for i in range(20_000))
WIDE = zstandard.ZstdCompressor(write_checksum=True).compress(LONG)

GOOD = (
    csv("plain", PLAIN, AB),
    csv("carriage returns", b"id,t\r\n1,a\r\n2,b\r\n", AB),
    csv("lines that end in both ways", b"id,t\n1,a\r\n2,b\n", AB),
    csv("no end of the last line", b"id,t\n1,a\n2,b", AB),
    csv("blank lines", b"\n\nid,t\n1,a\n\n2,b\n\n", AB),
    csv("byte order mark", b'\xef\xbb\xbf"id",t\n1,a\n2,b\n', AB),
    csv("quotes", b'id,t\n"1","a"\n2,"b"\n', AB),
    csv("quoted separator, quote and newline", b'id,t\n1,"a,b"\n2,"a""b\nc"\n', {"1": "a,b", "2": 'a"b\nc'}),
    csv("spaces are kept", b"id,t\n1, a \n2,a\n", {"1": " a ", "2": "a"}),
    csv("numbers are text", b"id,t\n1,1\n01,01\n1.0,1.0\n", {"1": "1", "01": "01", "1.0": "1.0"}),
    csv("words of other programs", b"id,t\n1,NULL\n2,NA\n3,#n\n", {"1": "NULL", "2": "NA", "3": "#n"}),
    csv("empty fields", b'id,t\n1,a\n2,\n3,""\n', {"1": "a", "2": None, "3": None}),
    csv("other columns, some of one name", b"id,x,t,x\n1,5,a,6\n2,5,b,6\n", AB),
    csv("a title in the first column", b"id,t\nTitle,a\n2,b\n", {"Title": "a", "2": "b"}),
    csv("tabs", b"id\tt\n1\ta,b\n2\tb\n", {"1": "a,b", "2": "b"}, ending="tsv"),
    csv("gzip", gzip.compress(PLAIN), AB, ending="csv.gz"),
    csv("two members of gzip", gzip.compress(b"id,t\n1,a\n") + gzip.compress(b"2,b\n"), AB, ending="csv.gz"),
    csv("gzip by another name", gzip.compress(PLAIN), AB),
    csv("zstandard", zstandard.compress(PLAIN), AB, ending="csv.zst"),
    jsonl("objects", b'{"id": "1", "t": "a"}\r\n\n{"t": "b", "x": [1], "id": "2"}\n', AB),
    jsonl("numbers of JSON", b'{"id": 1, "t": 1}\n{"id": 2, "t": 1.0}\n', {"1": "1", "2": "1.0"}),
    jsonl(
        "null and no key",
        b'{"id": 1, "t": "a"}\n{"id": 2}\n{"id": 3, "t": null}\n',
        {**AB, "2": None, "3": None},
    ),
    jsonl(
        "escapes",
        b'{"\\u0069d": 1, "t": "\\u0061"}\n{"id": 2, "t": "\\ud83d\\ude00"}\n',
        {"1": "a", "2": "😀"},
    ),
    Case("several files", {"1.csv": b"id,t\n1,a\n", "2.csv": b"id,t\r\n2,b\r\n"}, AB, path="*.csv"),
    Case("a name with braces", {"{{x}}.csv": PLAIN, "{x}.csv": b"id,t\n9,z\n"}, AB, path="{{x}}.csv"),
    Case("folders are no columns", {"t=z/x.parquet": parquet(id=["1", "2"], t=["a", "b"])}, AB),
    Case(
        "integers of different widths",
        {
            "1.parquet": parquet(id=["1"], t=pa.array([7], pa.int8())),
            "2.parquet": parquet(id=["2"], t=pa.array([2**40], pa.int64())),
        },
        {"1": "7", "2": str(2**40)},
        path="*.parquet",
    ),
)

BAD = (
    csv("nothing", b"", fault="is empty"),
    csv("blank lines alone", b"\n\n", fault="is empty"),
    csv("a header alone", b"id,t\n", fault="but no rows"),
    csv("a title line", b"The table\nid,t\n1,a\n", fault="line 2: 2 fields where there should be 1"),
    csv("a short row", b"id,t\n1,a\n2\n", fault="line 3: 1 field where there should be 2"),
    csv("a long row", b"id,t\n1,a\n2,b,c\n", fault="line 3: 3 fields where there should be 2"),
    csv("a doubled column", b"id,t,t\n1,a,b\n2,b,a\n", fault="2 columns called 't'"),
    csv("a quote inside", b'id,t\n1,5" x\n2,b\n', fault="line 2: a quote inside a field"),
    csv("text after a quote", b'id,t\n1,"a" \n2,b\n', fault="line 2: text after the quote"),
    csv("an open quote", b'id,t\n1,"a\n2,b\n', fault="line 2: a quoted field begins here"),
    csv("old line ends", b"id,t\r1,a\r2,b\r", fault="line 1: a carriage return without a line feed"),
    csv("latin-1", b"id,t\n1,\xe9\n2,b\n", fault="line 2: not UTF-8 text"),
    csv("a null byte", b"id,t\n1,a\0\n2,b\n", fault="line 2: a null byte"),
    csv("gzip cut short", gzip.compress(LONG)[:-9], fault="damaged", ending="csv.gz"),
    csv("gzip of another sum", gzip.compress(LONG)[:-6] + b"\0\1\2\3\4\5", fault="damaged", ending="csv.gz"),
    csv("zstandard of another sum", WIDE[:-1] + bytes([WIDE[-1] ^ 1]), fault="damaged", ending="csv.zst"),
    *(
        csv(f"zstandard cut at {share}", WIDE[: int(len(WIDE) * share)], fault="damaged", ending="csv.zst")
        for share in (0.1, 0.5, 0.9, 0.999)
    ),
    jsonl("an array", b'[{"id": 1, "t": "a"}]\n', fault="contains a JSON array"),
    jsonl("no object", b'{"id": 1, "t": "a"}\n7\n', fault="line 2: not an object"),
    jsonl("no JSON", b'{"id": 1, "t": "a"}\n{"id": 2, "t": NaN}\n', fault="line 2: not valid JSON"),
    jsonl("an object on two lines", b'{"id": 1,\n"t": "a"}\n', fault="line 1: not valid JSON"),
    jsonl("a nested label", b'{"id": 1, "t": ["a"]}\n', fault="a label is a single value"),
    jsonl("a doubled key", b'{"id": 1, "t": "a", "t": "b"}\n', fault="occurs twice in one object"),
    jsonl("numbers of many spellings", b'{"id": 1, "t": 1e2}\n', fault="line 1: 't' is a number"),
    Case(
        "other headers",
        {"1.csv": b"id,t\n1,a\n", "2.csv": b"t,id\nb,2\n"},
        fault="the same header",
        path="*.csv",
    ),
    *(
        Case(
            f"{name} in one table",
            {"1.parquet": parquet(id=["1"], t=one), "2.parquet": parquet(id=["2"], t=other)},
            fault="several files are read as one table, but 't' is",
            path="*.parquet",
        )
        for name, one, other in (
            ("floats and integers", [1], [1.4]),
            ("text and integers", ["04"], [4]),
            ("unsigned and signed", pa.array([1], pa.uint64()), pa.array([1], pa.int64())),
        )
    ),
)  # fmt: skip
