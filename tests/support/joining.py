"""Batches of ids and labels, joined by the core."""

import uuid

import pyarrow as pa

from concordant import core

COUNT = ["count", "drop", "drop", "drop"] * 2

UUIDS = [str(uuid.UUID(int=i * 0x1F3D5B79ABCDEF0123456789ABCDEF % 2**128)) for i in range(300)]


class Batches:
    """An Arrow stream of these record batches."""

    def __init__(self, batches):
        self.batches = batches

    def __arrow_c_stream__(self, requested_schema=None):
        reader = pa.RecordBatchReader.from_batches(self.batches[0].schema, self.batches)
        return reader.__arrow_c_stream__(requested_schema)


def joined(one, other, tmp_path, *, bits=4, threads=2, memory=2**30, treatments=COUNT, **options):
    join = core.RecordJoin(bits, threads, memory, str(tmp_path), treatments, 7, **options)
    for side, batches in enumerate((one, other)):
        join.add(Batches(batches), [(side, 0, 1)])
    return join


def batch(ids, labels):
    return pa.record_batch({"id": ids, "label": labels})
