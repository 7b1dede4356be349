"""Files within a limit of memory: those that unpack to far more, and limits that are too small."""

import re
import subprocess
import sys
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from not_run import few

import concordant as cc
from concordant.errors import TooLargeError

zstandard = pytest.importorskip("zstandard")
PACK = {"gz": lambda: zlib.compressobj(1, wbits=31), "zst": zstandard.ZstdCompressor().compressobj}
MEGABYTE = 2**20

# The growth of the peak over a comparison of two small files. Pages of loaded libraries count in the peak,
# and how many of them the system maps depends on the storage of their files.
_GROWTH = """
import re, sys
from pathlib import Path
import concordant as cc
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
big, small, twin = (
    cc.Partition.scan(path, record="id", cluster="c", memory="200MB") for path in sys.argv[1:]
)
cc.compare(twin, small).size
before = peak()
try:
    print(cc.compare(big, small, unmatched="drop").size)
except cc.errors.ConcordantError as error:
    print(error)
print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak of one process")
@pytest.mark.parametrize(
    ("packing", "piece", "said"),
    few(
        3,
        [
            ("gz", b"a" * MEGABYTE, r"big\S+ has a row of 125,829,\d+ bytes, and the limit is 16 MiB"),
            ("zst", (b"7" * 1000 + b",2,\n") * 1000, "records occur more than once .*77' \\(120000 times\\)"),
            ("zst", b"\n" * (MEGABYTE // 12), "megabytes of blank lines precede a row"),
            ("zst", b"a" * MEGABYTE, r"big\S+ has a row of 125,829,\d+ bytes, and the limit is 16 MiB"),
            ("zst", b"1,2," + b"a" * MEGABYTE + b"\n", "records occur more than once .* '1' \\(120 times\\)"),
        ],
    ),
    ids=["one row of gzip", "long ids", "blank lines", "one row", "long rows"],
)
def test_a_file_that_unpacks_to_far_more(tmp_path, packing, piece, said):
    pack = PACK[packing]()
    pieces = [b"id,c,d\n0,5,\n", *(120 * [piece]), b"3,4,\n"]
    big, small = tmp_path / f"big.csv.{packing}", tmp_path / "small.csv"
    big.write_bytes(b"".join(map(pack.compress, pieces)) + pack.flush())
    assert big.stat().st_size < MEGABYTE
    twin = tmp_path / "twin.csv"
    for path in (small, twin):
        path.write_text("id,c\n0,2\n3,4\n")
    command = [sys.executable, "-c", _GROWTH, str(big), str(small), str(twin)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  (our own)
    answer, growth = ran.stdout.splitlines()
    assert re.search(said, answer)
    # kB; the unpacked file alone would take 123,000. Larger pages and more threads take some of the rest.
    assert int(growth) < 100_000


def test_a_limit_that_is_too_small_names_one_that_works(tmp_path):
    text = pa.array([f"{number:0100}" for number in range(50_000)])
    paths = [tmp_path / "u.parquet", tmp_path / "v.parquet"]
    for path in paths:
        pq.write_table(pa.table({"id": text, "c": text}), path, compression="none", use_dictionary=False)

    def compared(memory):
        return cc.compare(
            *(cc.Partition.scan(path, record="id", cluster="c", memory=memory) for path in paths)
        )

    with pytest.raises(TooLargeError, match=r"pass memory='\d+MB' to give enough") as refused:
        compared("2MB")
    assert compared(re.search(r"memory='(\w+)'", str(refused.value))[1]).rand == 1.0
