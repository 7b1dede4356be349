"""What works on data in each place: the table of docs/scale.md, which is tested."""

import numpy as np

import concordant as cc

YES, MEMORY, REFUSED = "yes", "read into memory", "refused"

SPARK = "Spark"  # tested on a cluster, by tests/spark
HERE = ["arrays", "frames in memory", "files"]
PLACES = [*HERE, SPARK]
_EVERYWHERE = dict.fromkeys(PLACES, YES)
_READ = {**_EVERYWHERE, "files": MEMORY, SPARK: REFUSED}
TABLE = {
    "compare": _EVERYWHERE,
    "significance": _EVERYWHERE,
    "interval": _EVERYWHERE,
    "interval(unit=)": _EVERYWHERE,
    "slices": _EVERYWHERE,
    "changes, clusters": _EVERYWHERE,
    "records": {**_EVERYWHERE, "files": REFUSED, SPARK: REFUSED},
    "diff": _EVERYWHERE,
    "diff(reference=)": _EVERYWHERE,
    "diff(reference=, by=)": {**_EVERYWHERE, "files": REFUSED, SPARK: REFUSED},
    "diff, new_records": _EVERYWHERE,
    "diff, id_churn": _EVERYWHERE,
    "audit": _READ,
    "ask": _READ,
    "suggest": _EVERYWHERE,
    "diff(reference=), fixed and broken": _EVERYWHERE,
    "rank": _EVERYWHERE,
    "estimate": {**_EVERYWHERE, "files": MEMORY},
    'estimate(sampling="pairs")': _EVERYWHERE,
    "between=": _EVERYWHERE,
    "same=, different=": _EVERYWHERE,
    "weights=": {**_EVERYWHERE, "files": MEMORY},
    "matrix": _EVERYWHERE,
    "stability": _READ,
    "consensus": _READ,
    "track": _READ,
    "beside a cover": _READ,
    "beside a hierarchy": {**_EVERYWHERE, "files": MEMORY, SPARK: MEMORY},
    "covers": _READ,
    "soft": _READ,
    "Hierarchy.from_levels": _READ,
}

SIZE = 60
rng = np.random.default_rng(8)
RECORDS = [f"r{number:02}" for number in range(SIZE)]
LABELS = {name: rng.integers(0, 6, SIZE).tolist() for name in ("truth", "old", "new")}
UNIT = rng.integers(0, 9, SIZE).tolist()
WEIGHTS = {record: 1 + number % 5 for number, record in enumerate(RECORDS)}
DECIDED = list(zip(RECORDS[::2], RECORDS[1::2], strict=True))
PAIRS = [
    {"record_a": one, "record_b": other, "same": "yes" if number % 3 else "no"}
    for number, (one, other) in enumerate(DECIDED)
]
COVER = cc.Cover.from_mapping({record: [label] for record, label in zip(RECORDS, LABELS["new"], strict=True)})


TREE = cc.Hierarchy.from_levels([cc.Partition.from_mapping(dict(zip(RECORDS, LABELS["old"], strict=True)))])


def columns(labels):
    """The table of a clustering."""
    weight = list(WEIGHTS.values())
    return {"record": RECORDS, "cluster": labels, "unit": UNIT, "weight": weight, "one": [1.0] * SIZE}


def pair(s):
    return cc.compare(s["truth"], s["new"])


def as_kind(kind, partition):
    """The same memberships, in the same place."""
    data = partition._data
    if not hasattr(data, "source"):
        return kind.from_mapping(
            {record: _member(kind, label) for record, label in partition.to_dict().items()}
        )
    source = data.source
    weight = {"weight": "one"} if kind is cc.Soft else {}
    if hasattr(source, "paths"):
        return kind.scan(source.paths[0], memory=source.memory, **weight)
    return kind.from_frame(source.native, **weight)


def _member(kind, label):
    return {label: 1} if kind is cc.Soft else [label]


def as_soft(s):
    return cc.compare(as_kind(cc.Soft, s["truth"]), as_kind(cc.Soft, s["new"]))


CALLS = {
    "compare": lambda s, _: pair(s).to_dict(),
    "significance": lambda s, _: pair(s).significance("adjusted_rand").p,
    "interval": lambda s, _: pair(s).interval("f_measure").low,
    "interval(unit=)": lambda s, unit: pair(s).interval("f_measure", unit=unit).low,
    "slices": lambda s, unit: sorted(pair(s).slices(unit).alone()),
    "changes, clusters": lambda s, _: (len(pair(s).changes(limit=None)), len(pair(s).clusters(limit=None))),
    "records": lambda s, _: sorted(each.record for each in pair(s).records(limit=None)),
    "diff": lambda s, _: cc.diff(s["old"], s["new"])["jaccard_distance"],
    "diff(reference=)": lambda s, _: cc.diff(s["old"], s["new"], reference=s["truth"])["iq"],
    "diff(reference=, by=)": lambda s, unit: sorted(
        (each.slice, each.size)
        for each in cc.diff(s["old"], s["new"], reference=s["truth"], by=unit).slices(limit=None)
    ),
    "diff, new_records": lambda s, _: cc.diff(s["old"], s["new"]).new_records().n_changed,
    "diff, id_churn": lambda s, _: cc.diff(s["old"], s["old"]).id_churn,
    "audit": lambda s, _: cc.audit(s["new"]).headline,
    "ask": lambda s, _: len(cc.diff(s["old"], s["new"]).ask(n_questions=9)) > 5,
    "suggest": lambda s, _: [each.value for each in pair(s).suggest("f_measure", limit=3)],
    "diff(reference=), fixed and broken": lambda s, _: (
        cc.diff(s["old"], s["new"], reference=s["truth"]).summary().clusters
    ),
    "rank": lambda s, _: cc.rank(s["truth"], {"old": s["old"], "new": s["new"]}, "rand").headline,
    "estimate": lambda s, _: cc.estimate(s["truth"], s["new"], sampling="clusters")["f_measure"].low,
    'estimate(sampling="pairs")': lambda s, _: cc.estimate(PAIRS, s["new"], sampling="pairs").recall.low,
    "between=": lambda s, unit: cc.compare(s["truth"], s["new"], between=unit).f_measure,
    "same=, different=": lambda s, _: cc.compare(s["truth"], s["new"], same=DECIDED).decisions.same_broken,
    "weights=": lambda s, unit: (
        cc.compare(s["truth"], s["new"], weights="weight" if unit == "unit" else WEIGHTS).f_measure
    ),
    "matrix": lambda s, _: cc.matrix(s)["old", "new"],
    "stability": lambda s, _: cc.stability(s).headline,
    "consensus": lambda s, _: cc.consensus(s).partition.n_clusters,
    "track": lambda s, _: cc.track(s).headline,
    "beside a cover": lambda s, _: cc.compare(s["truth"], COVER).omega,
    "beside a hierarchy": lambda s, _: cc.compare(s["truth"], TREE).dendrogram_purity,
    "covers": lambda s, _: cc.compare(as_kind(cc.Cover, s["truth"]), as_kind(cc.Cover, s["new"])).omega,
    "soft": lambda s, _: as_soft(s).soft_adjusted_rand,
    "Hierarchy.from_levels": lambda s, _: cc.Hierarchy.from_levels([s["truth"]]).size,
}
