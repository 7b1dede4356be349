"""Strings as ids and labels of joined files: as numbers, or by a hash and in full."""

import itertools
import random

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


def told(texts):
    """The texts of some keys."""
    _, ends, held = texts
    return [held[i:j].decode() for i, j in itertools.pairwise([0, *ends.tolist()])]


FORMS = {
    "uuids": lambda i: UUIDS[i % 300][:-3] + f"{i:03x}",
    "sha-256": lambda i: f"{i * 7**90 % 16**64:064x}",
    "addresses": lambda i: f"user{i:x}.{'x' * (i % 11)}@example.org",
    "longer": lambda i: f"{i}{'ä' * (40 + i % 60)}",
}


@pytest.mark.parametrize("form", FORMS)
def test_texts_of_every_width_are_counted_as_integers_are(tmp_path, form):
    """Twice and alone, in memory and spilled, with some texts that have another form."""
    drawn = random.Random(form)
    spell = FORMS[form]
    sides = [[(i, drawn.randrange(120)) for i in drawn.sample(range(1000), 850)] for _ in range(2)]
    sides = [side + drawn.sample(side, 50) for side in sides]  # some stand twice

    def batches(side, spelled):
        rows = (zip(*side[k : k + 300], strict=True) for k in (0, 300, 600))
        return [batch(*(pa.array([spelled(i) for i in column]) for column in columns)) for columns in rows]

    def found(spelled, memory):
        lone = ["count", "drop", "drop", "alone"] * 2
        join = joined(*(batches(side, spelled) for side in sides), tmp_path, memory=memory, treatments=lone)
        match = join.match(10**6)
        texts = [sorted(told(join.id_texts([key for key, _ in few]))) for few in match["repeated"]]
        counted = join.count(10**6, True)
        names = [sorted(told(join.label_texts(side, np.unique(counted["cells"][side])))) for side in (0, 1)]
        triples = [sorted(zip(*(x.tolist() for x in kind), strict=True)) for kind in counted["triples"]]
        times = [sorted(times for _, times in few) for few in match["repeated"]]
        return (match["states"], times, triples), (texts, names)

    def odd(i):
        return spell(i).upper() + "?" if i % 50 == 0 else spell(i)

    (plain, _), (small, named), (large, named_too) = found(int, 2**30), found(odd, 0), found(odd, 2**30)
    assert plain == small == large
    assert named == named_too
    assert all({odd(i) for i in range(1000)} >= set(texts) for texts in named[0])


def test_noise_that_is_a_digest(tmp_path):
    digests = [f"{i * 7**90 % 16**64:064x}" for i in range(50)]
    join = core.RecordJoin(5, 1, 2**30, str(tmp_path), COUNT, 7)
    join.set_noise_text(0, digests[3].encode())
    labels = pa.array([digests[i % 5] for i in range(50)])
    for side in (0, 1):
        join.add(Batches([batch(pa.array(digests), labels)]), [(side, 0, 1)])
    assert join.match(3)["states"][8] == 10
    assert join.count(10)["differing"] == 0
