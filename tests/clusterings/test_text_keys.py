"""Strings as ids and labels of joined files: as numbers, or by a hash and in full."""

import itertools

import numpy as np
import pyarrow as pa
import pytest
from joining import COUNT, UUIDS, Batches, batch, joined

from concordant import core

NOTHING = np.empty(0, dtype=np.int64)


@pytest.mark.parametrize("are_uuids", [True, False])
def test_strings_of_one_hash_are_reported(tmp_path, are_uuids):
    """With few bits of the hash; the files are then read again. UUIDs are joined by all of their bits."""
    texts = pa.array([UUIDS[i] if are_uuids else f"{i * 7**99 % 16**30:032x}" for i in range(60)])
    join = joined([batch(texts, texts)], [batch(texts, texts)], tmp_path, hash_bits=4)
    assert join.match(3)["states"][0] == 60 or not are_uuids
    if are_uuids:
        join.id_texts([])
    else:
        with pytest.raises(core.Collision):
            join.id_texts([])
    with pytest.raises(core.Collision):
        join.label_texts(0, NOTHING)


ODD_UUIDS = (
    str.swapcase,
    "{{{}}}".format,
    "urn:uuid:{}".format,
    "{} ".format,
    lambda x: x[:-1],
    lambda x: x[:8] + "0" + x[9:],
)
NUMBERED = {
    "digits": [f"{i}" for i in range(300)] + ["0", "00", "007", "9" * 18, "9" * 19, "1" + "0" * 18, "٣", ""],
    "prefix": [f"customer-{i:011d}" for i in range(300)]
    + ["customer-", "customer-1", "customer-01", "customer-000000000001", "customer", "Customer-1", "other"],
    "letters": [f"c{i:x}" for i in range(300)] + ["c", "c0", "c00", "cg", "c" * 16, "c" * 15, "c" * 17, "ü"],
    "bytes": [f"\0{i}\0" for i in range(300)] + ["", "\0", "\0\0", "\0" * 7, "\0" * 8, "\0" * 9],
    "uuids": [*UUIDS, *(form(UUIDS[1]) for form in ODD_UUIDS)],
    "large uuids": [*map(str.upper, UUIDS), *(form(UUIDS[1].upper()) for form in ODD_UUIDS)],
    "uuids behind a prefix": [f"user/{UUID}" for UUID in UUIDS] + [UUIDS[1], f"user_{UUIDS[1]}", "user/"],
    "odd digits": [*UUIDS, *(UUIDS[1].replace(UUIDS[1][0], letter) for letter in "g/:W@`G")],
    "digests": [f"{i * 7**99 % 16**64:064x}" for i in range(1, 300)] + ["0" * 63, "0" * 65, "A" * 64],
    "longer": [f"{i:x}{'ä' * 80}" for i in range(300)],
}


@pytest.mark.parametrize("kind", NUMBERED)
def test_texts_that_are_numbers_or_nearly(tmp_path, kind):
    """Every text is told from all others, and by its name, whatever the first batch looks like."""
    texts = list(dict.fromkeys(NUMBERED[kind]))
    for order in (texts, texts[::-1]):
        sides = order[:-1], order[1:]
        batches = [[batch(pa.array(x), pa.array(x)) for x in (side[:5], side[5:])] for side in sides]
        join = joined(*batches, tmp_path)
        found = join.match(5)
        assert found["states"][0] == len(texts) - 2
        keys = [key for only in found["only"] for key in only]
        assert sorted(told(join.id_texts(keys))) == sorted([order[0], order[-1]])
        result = join.count(10**6)
        assert [x.tolist() for x in result["triples"][0]] == [[1], [1], [1], [len(texts) - 2]]


@pytest.mark.parametrize("memory", [2**16, 2**30], ids=["in rounds", "together"])
def test_long_strings_that_exceed_the_memory(tmp_path, memory):
    """36 MB of strings in few partitions, 4 MiB at a time for each worker; half occur twice."""
    texts = [f"{i * 7**99 % 16**20:020x}{'ä' * 1500}" for i in range(8000)]
    twice = pa.array(texts + texts[:4000])
    join = joined([batch(twice, twice)], [batch(*[pa.array(texts[1:])] * 2)], tmp_path, bits=1, memory=memory)
    found = join.match(5)
    keys = [key for only in found["only"] for key in only] + [key for key, _ in found["repeated"][0]]
    repeated = told(join.id_texts(keys))
    assert texts[0] in repeated
    assert set(repeated) <= set(texts[:4000])
    del join  # its files
    collided = joined(
        [batch(twice, twice)], [batch(twice, twice)], tmp_path, bits=1, memory=memory, hash_bits=9
    )
    collided.match(5)
    with pytest.raises(core.Collision):
        collided.id_texts([])


def told(texts):
    """The texts of some keys."""
    _, ends, held = texts
    return [held[i:j].decode() for i, j in itertools.pairwise([0, *ends.tolist()])]


def test_noise_that_is_a_digest(tmp_path):
    digests = [f"{i * 7**90 % 16**64:064x}" for i in range(50)]
    join = core.RecordJoin(5, 1, 2**30, str(tmp_path), COUNT, 7)
    join.set_noise_text(0, digests[3].encode())
    labels = pa.array([digests[i % 5] for i in range(50)])
    for side in (0, 1):
        join.add(Batches([batch(pa.array(digests), labels)]), [(side, 0, 1)])
    assert join.match(3)["states"][8] == 10
    assert join.count(10)["differing"] == 0
