"""Objects in images: how many objects were found, and how well they were segmented.

n_ij is the overlap of reference object i (size a_i, K objects) and candidate object j (size b_j, L
objects), J_ij = n_ij/(a_i+b_j−n_ij) their intersection over union (IoU). TP is the size of the largest
one-to-one matching of objects whose J passes the threshold, S the sum of J over this matching. A background
label (reference_noise={0: "background"}) is not an object, but its elements count in unions.
"""

from __future__ import annotations

from fractions import Fraction

from concordant.counts.objects import AtThreshold, Objects
from concordant.indices.index import index
from concordant.indices.parameters import IoU
from concordant.maths.arithmetic import Number

_STARDIST = "Schmidt, Weigert, Broaddus & Myers 2018, MICCAI"
_PANOPTIC = "Kirillov, He, Girshick, Rother & Dollár 2019, CVPR"


@index(
    title="Panoptic quality",
    formula="2S / (K + L)",
    partial_overlap=True,
    aliases=("PQ",),
    cite=_PANOPTIC,
    known_as={"panopticapi": "pq", "hover_net": "get_fast_pq", "stardist": "matching.panoptic_quality"},
    remarks={"stardist": "an IoU equal to the threshold matches: at_threshold='match'"},
    worked=(("0011", "0001", (2 / 3) * 2 / 4),),
)
def panoptic_quality(o: Objects, *, iou: IoU = 0.5, at_threshold: AtThreshold = "miss") -> Number:
    """Recognition quality times segmentation quality: how many objects were found, and how well.

    Matches need an IoU above the threshold, so an IoU of exactly one half does not match, as in the
    definition. With at_threshold="match", it does.
    """
    return 2 * o.total_iou(iou, at_threshold) / (o.rows + o.columns)


@index(
    title="Segmentation quality",
    formula="S / TP",
    undefined=0,
    partial_overlap=True,
    aliases=("SQ",),
    cite=_PANOPTIC,
    known_as={"panopticapi": "sq", "stardist": "matching.mean_matched_score"},
    worked=(("0011", "0001", 2 / 3),),
)
def segmentation_quality(o: Objects, *, iou: IoU = 0.5, at_threshold: AtThreshold = "miss") -> Number:
    """Mean IoU of the matched objects.

    It ignores missed and invented objects, and is 0 if no objects match.
    """
    return o.total_iou(iou, at_threshold) / o.hits(iou, at_threshold)


@index(
    title="Recognition quality",
    formula="2TP / (K + L)",
    partial_overlap=True,
    aliases=("RQ",),
    cite=_PANOPTIC,
    known_as={"panopticapi": "rq", "hover_net": "dq"},
    worked=(("0011", "0001", 2 / 4),),
)
def recognition_quality(o: Objects, *, iou: IoU = 0.5, at_threshold: AtThreshold = "miss") -> Number:
    """F1 of object detection; matches need an IoU above the threshold.

    object_f1 also accepts an IoU equal to the threshold.
    """
    return 2 * o.hits(iou, at_threshold) / (o.rows + o.columns)


@index(
    title="Object precision",
    formula="TP / L",
    undefined=0,
    partial_overlap=True,
    cite=_STARDIST,
    known_as={"stardist": "matching.precision", "elf": "matching.precision"},
    worked=(("0011", "0012", 2 / 3),),
)
def object_precision(o: Objects, *, iou: IoU = 0.5, at_threshold: AtThreshold = "match") -> Number:
    """Share of the candidate's objects that match a reference object.

    The others are invented or poorly segmented.
    """
    return o.hits(iou, at_threshold) / o.columns


@object_precision.mirrored(
    title="Object recall",
    formula="TP / K",
    known_as={"stardist": "matching.recall", "elf": "matching.recall"},
    worked=(("0012", "0011", 2 / 3),),
)
def object_recall(o: Objects, *, iou: IoU = 0.5, at_threshold: AtThreshold = "match") -> Number:
    """Share of the reference's objects that match a candidate object.

    The others are missed or poorly segmented.
    """
    return o.hits(iou, at_threshold) / o.rows


@index(
    title="Object F1",
    formula="2TP / (K + L)",
    partial_overlap=True,
    cite=_STARDIST,
    known_as={"stardist": "matching.f1", "elf": "matching.f1"},
    worked=(("0012", "0011", 4 / 5),),
)
def object_f1(o: Objects, *, iou: IoU = 0.5, at_threshold: AtThreshold = "match") -> Number:
    """Harmonic mean of object precision and recall.

    At a high threshold, a split or a merge counts as a missed object and an invented one.
    """
    return 2 * o.hits(iou, at_threshold) / (o.rows + o.columns)


@index(
    title="Average precision of objects",
    formula="TP / (K + L − TP)",
    partial_overlap=True,
    aliases=("object_accuracy",),
    cite=f"Caicedo et al. 2019, Nat. Methods 16:1247; {_STARDIST}",
    known_as={
        "cellpose": "average_precision",
        "stardist": "matching.accuracy",
        "elf": "segmentation_accuracy",
    },
    remarks={"cellpose": "exceeds 1 for images without background"},
    worked=(("0012", "0011", 2 / 3),),
)
def object_average_precision(o: Objects, *, iou: IoU = 0.5, at_threshold: AtThreshold = "match") -> Number:
    """Matched objects as a share of all objects: TP/(TP + FP + FN).

    The Data Science Bowl and cell segmentation papers call it average precision. Unlike in object
    detection, nothing is ranked by confidence.
    """
    hits = o.hits(iou, at_threshold)
    return hits / (o.rows + o.columns - hits)


@index(
    title="Mean average precision of objects",
    formula="mean of TP/(K + L − TP) over J ≥ 0.5, 0.55, ..., 0.95",
    partial_overlap=True,
    aliases=("mAP_objects",),
    cite="Caicedo et al. 2019, Nat. Methods 16:1247",
    known_as={"elf": "mean_segmentation_accuracy"},
    worked=(("0012", "0011", 2 / 3 * 1 / 10 + 1 / 4 * 9 / 10),),
)
def mean_object_average_precision(o: Objects) -> Number:
    """Object average precision, averaged over ten thresholds.

    The score of the 2018 Data Science Bowl.
    """
    thresholds = [Fraction(50 + 5 * step, 100) for step in range(10)]
    hits = [o.hits(iou, "match") for iou in thresholds]
    return sum((Fraction(each) / (o.rows + o.columns - each) for each in hits), Fraction(0)) / 10


@index(
    title="Mean IoU of reference objects",
    formula="S / K",
    undefined=0,
    mirror=None,
    partial_overlap=True,
    cite=_STARDIST,
    known_as={"stardist": "matching.mean_true_score"},
    worked=(("0011", "0001", (2 / 3 + 1 / 2) / 2),),
)
def mean_true_iou(o: Objects, *, iou: IoU = 0.5, at_threshold: AtThreshold = "match") -> Number:
    """IoU of each reference object with its match, averaged; unmatched objects count as 0.

    Invented objects have no cost.
    """
    return o.total_iou(iou, at_threshold) / o.rows


@index(
    title="SEG measure",
    formula="Σ J_ij over n_ij > a_i/2, / K",
    undefined=0,
    mirror=None,
    partial_overlap=True,
    aliases=("SEG",),
    cite="Maška et al. 2014, Bioinformatics 30:1609",
    known_as={"py-ctcmetrics": "SEG"},
    worked=(("0011", "0001", (2 / 3) / 2),),
)
def seg_measure(o: Objects) -> Number:
    """IoU of each reference object with the candidate object that covers most of it, averaged.

    The score of the Cell Tracking Challenge. Invented objects have no cost.
    """
    return o.majority_iou / o.rows


@index(
    title="Aggregated Jaccard index",
    formula="Σ_i n_ij* / (Σ_i |i ∪ j*| + Σ unused b_j), j* with the largest J_ij",
    undefined=0,
    mirror=None,
    tight=False,
    partial_overlap=True,
    aliases=("AJI",),
    cite="Kumar et al. 2017, IEEE Trans. Med. Imaging 36:1550",
    known_as={"hover_net": "get_fast_aji", "cellpose": "aggregated_jaccard_index"},
    remarks={"cellpose": "a different measure: the mean IoU of the matches"},
    worked=(("0011", "0001", 3 / 5), ("0011", "0111", 3 / 5)),
)
def aggregated_jaccard(o: Objects) -> Number:
    """Total intersection of best partners, divided by their total union plus all unused objects.

    A candidate object can be the partner of several reference objects; it then counts several times. Ties
    between equally good partners go to an unused one. Large objects have more weight.
    """
    return o.aggregated


@index(
    title="Aggregated Jaccard index, one to one",
    formula="Σ n_ij / (Σ |i ∪ j| + Σ unmatched a_i + Σ unmatched b_j), one to one with the largest Σ J_ij",
    undefined=0,
    tight=False,
    partial_overlap=True,
    aliases=("AJI_plus",),
    cite="Graham et al. 2019, Med. Image Anal. 58:101563",
    known_as={"hover_net": "get_fast_aji_plus"},
    worked=(("0011", "0001", 3 / 5),),
)
def aggregated_jaccard_plus(o: Objects) -> Number:
    """The aggregated Jaccard index with one-to-one matching.

    Large objects have more weight.
    """
    return o.aggregated_one_to_one
