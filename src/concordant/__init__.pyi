"""How alike are two partitions of the same set, where do they differ, and how sure can one be?

Written by scripts/make_types.py from the declarations of the indices.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, Unpack, type_check_only
from concordant.catalogue.index import INDICES as INDICES
from concordant.comparisons import Comparison as Comparison
from concordant.comparisons import Live as Live
from concordant.comparisons import compare as compare
from concordant.comparisons.coreference import Coreference as Coreference
from concordant.comparisons.coreference import coreference as coreference
from concordant.comparisons.estimates import Estimates as Estimates
from concordant.comparisons.estimates import estimate as estimate
from concordant.comparisons.hierarchies import HierarchyComparison as HierarchyComparison
from concordant.comparisons.soft import SoftComparison as SoftComparison
from concordant.counts.conventions import LabelTreatment, NoiseAs, Nulls, Progress, Undefined, Unmatched
from concordant.errors import ConcordantError as ConcordantError
from concordant.functions import scorer as scorer
from concordant.hierarchies.hierarchy import Hierarchy as Hierarchy
from concordant.many.accumulator import Accumulator as Accumulator
from concordant.many.all_against_all import matrix as matrix
from concordant.many.consensus import Consensus as Consensus
from concordant.many.consensus import consensus as consensus
from concordant.many.contrast import Contrast as Contrast
from concordant.many.contrast import contrast as contrast
from concordant.many.diff import Diff as Diff
from concordant.many.diff import diff as diff
from concordant.many.matrix import Matrix as Matrix
from concordant.many.rank import rank as rank
from concordant.many.ranking import Ranking as Ranking
from concordant.many.references import MultiReference as MultiReference
from concordant.many.references import compare_references as compare_references
from concordant.many.resampling import stability as stability
from concordant.many.resolutions import Resolutions as Resolutions
from concordant.many.resolutions import stability_over as stability_over
from concordant.many.stability import Stability as Stability
from concordant.many.track import Track as Track
from concordant.many.track import track as track
from concordant.partitions.cover import Cover as Cover
from concordant.partitions.partition import Partition as Partition
from concordant.report.citation import cite as cite
from concordant.report.explanation import explain as explain
from concordant.soft.partition import Soft as Soft
from concordant.trust.sample_size import sample_size as sample_size

__version__: str

@type_check_only
class Options(TypedDict, total=False):
    unmatched: Unmatched
    nulls: Nulls | None
    noise: Any
    noise_as: NoiseAs | None
    undefined: Undefined
    table_limit: int
    threads: int
    where: Any
    weights: Any
    reference_noise: Mapping[Any, LabelTreatment] | None
    candidate_noise: Mapping[Any, LabelTreatment] | None
    progress: Progress | None

def precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise precision.

    Share of the candidate's pairs that are also together in the reference.
    """
def recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise recall.

    Share of the reference's pairs that are also together in the candidate.
    """
def f_measure(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Pairwise F-measure.

    Weighted harmonic mean of pairwise precision and recall; beta is the weight of recall.
    beta: a positive finite number
    """
def rand(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Rand index.

    Share of all pairs on which the partitions agree, together or apart.
    """
def rand_distance(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Rand distance.

    Share of all pairs on which the partitions disagree.
    """
def mirkin(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Mirkin metric.

    Number of ordered pairs on which the partitions disagree.
    """
def symdiff(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Symmetric difference of the pair sets.

    Number of pairs on which the partitions disagree.
    """
def hamann(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Hamann coefficient.

    Agreeing pairs minus disagreeing pairs, as a share of all pairs.
    """
def jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Jaccard index.

    Share of the pairs together in either partition that are together in both.
    """
def dice(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Dice index.

    Harmonic mean of pairwise precision and recall.
    """
def specificity(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise specificity.

    Share of the reference's apart pairs that the candidate also keeps apart.
    """
def negative_predictive_value(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise negative predictive value.

    Share of the candidate's apart pairs that are also apart in the reference.
    """
def balanced_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise balanced accuracy.

    Mean of pairwise recall and pairwise specificity.
    """
def fowlkes_mallows(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Fowlkes-Mallows index.

    Geometric mean of pairwise precision and recall.
    """
def kulczynski(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Kulczynski index.

    Arithmetic mean of pairwise precision and recall.
    """
def southwood(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Southwood index.

    Number of pairs together in both partitions for each disagreeing pair.
    """
def mcconnaughey(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """McConnaughey index.

    Pairwise precision plus recall minus one.
    """
def overlap_simpson(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Simpson overlap of the pairs.

    The larger of pairwise precision and recall.
    """
def braun_blanquet(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Braun-Blanquet index of the pairs.

    The smaller of pairwise precision and recall.
    """
def sorgenfrei(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sorgenfrei index.

    Pairwise precision times recall.
    """
def rogers_tanimoto(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Rogers-Tanimoto index.

    The Rand index with disagreeing pairs counted twice.
    """
def sokal_sneath_1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 1.

    The Jaccard index with disagreeing pairs counted twice.
    """
def sokal_sneath_2(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 2.

    The Rand index with disagreeing pairs counted half.
    """
def sokal_sneath_4(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 4 (mean of four ratios).

    Mean of pairwise precision, recall, specificity and negative predictive value.
    """
def sokal_sneath_5(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 5 (geometric).

    Geometric mean of pairwise precision, recall, specificity and negative predictive value,
    squared.
    """
def russell_rao(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Russell-Rao index.

    Share of all pairs that are together in both partitions.
    """
def phi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Correlation of the pairs (phi).

    Pearson correlation of the pair indicators, which are 1 for pairs together (Matthews, Hubert's
    Γ).
    """
def pearson_albatineh(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pearson index of Albatineh.

    Hubert's Γ without its square root, as printed in a paper. Use it only to reproduce published
    values.
    """
def correlation_distance(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Correlation distance.

    Angle between the two centred pair vectors, as a share of 180 degrees.
    """
def peirce(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Peirce index (informedness).

    Pairwise recall minus the share of the reference's apart pairs that the candidate joins.
    """
def markedness(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Markedness of the pairs.

    Pairwise precision minus the share of the candidate's apart pairs that are together in the
    reference.
    """
def yule_q(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Yule's Q of the pairs.

    The odds ratio of the pairs, mapped to [-1, 1].
    """
def yule_y(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Yule's Y of the pairs.

    The square root of the odds ratio of the pairs, mapped to [-1, 1].
    """
def baulieu_1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Baulieu index 1.

    The Rand index, raised if most disagreeing pairs are of one kind.
    """
def baulieu_2(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Baulieu index 2.

    Covariance of the pair indicators, which are 1 for pairs together.
    """
def fager_mcgowan(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Fager-McGowan index.

    The Fowlkes-Mallows index minus a correction for small samples.
    """
def mcnemar(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """McNemar statistic of the pairs.

    Whether the candidate splits more than it merges (positive) or less (negative), in standard
    units.
    """
def minkowski(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Minkowski measure.

    Square root of the disagreeing pairs relative to the reference's pairs.
    """
def rv(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """RV coefficient of two partitions.

    Cosine of the two co-membership matrices, including the diagonal.
    """
def loevinger_h(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Loevinger's H of the pairs.

    The Simpson overlap of the pairs, corrected for chance.
    """
def binder_loss(reference: Any, candidate: Any, *, a: float = 1, **options: Unpack[Options]) -> float:
    """Binder loss.

    Share of the ordered pairs that disagree; a split pair costs a, a merged pair 2 − a.
    a: a number from 0 to 2
    """
def tversky(reference: Any, candidate: Any, *, alpha: float = 1.0, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Tversky index.

    Pairs together in both partitions, divided by these pairs plus the weighted pairs together in
    one only.
    alpha: a positive finite number
    beta: a positive finite number
    """
def partition_difference(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Partition difference.

    Number of pairs apart in both partitions.
    """
def sokal_sneath_3(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 3.

    Number of agreeing pairs for each disagreeing pair.
    """
def katz_powell(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Katz-Powell correlation.

    Pearson correlation of the pair indicators over all ordered pairs, including self-pairs.
    """
def forbes(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Forbes index.

    Observed number of pairs together in both partitions, divided by its expectation under
    independence.
    """
def michael(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Michael index.

    An approximation to the correlation of pairs without a square root.
    """
def anderberg_d(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Anderberg's D of pairs.

    Reduction of the error when a pair's status in one partition is predicted from the other.
    """
def dennis(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Dennis index.

    Deviation of N₁₁ from independence, in units of its Poisson standard deviation.
    """
def scott_pi_of_pairs(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Scott's pi of pairs.

    Agreement of pairs beyond chance, if both partitions put the same share of pairs together.
    """
def adjusted_rand(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted Rand index.

    The Rand index corrected for chance: 1 for identical partitions, 0 on average for random ones.
    """
def adjusted_rand_morey_agresti(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted Rand index of Morey and Agresti.

    An early adjustment that draws elements with replacement.
    """
def mari(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Modified adjusted Rand index.

    The adjusted Rand index with its expectation estimated from disjoint pairs of pairs.
    """
def mari_raw(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Modified adjusted Rand index, raw.

    The unscaled modified adjusted Rand index: an excess share of pairs.
    """
def adjusted_wallace_recall(reference: Any, candidate: Any, *, chance: Literal["weights", "shuffle"] = "weights", **options: Unpack[Options]) -> float:
    """Adjusted Wallace index (recall).

    Pairwise recall corrected for chance.
    chance: one of 'weights', 'shuffle'
    """
def adjusted_wallace_precision(reference: Any, candidate: Any, *, chance: Literal["weights", "shuffle"] = "weights", **options: Unpack[Options]) -> float:
    """Adjusted Wallace index (precision).

    Pairwise precision corrected for chance.
    chance: one of 'weights', 'shuffle'
    """
def adjusted_fowlkes_mallows(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted Fowlkes-Mallows index.

    The Fowlkes-Mallows index corrected for chance.
    """
def lerman(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Lerman index.

    Number of standard deviations by which the agreement exceeds chance.
    """
def lerman_normalised(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised Lerman index.

    The Lerman index relative to the values of each partition with itself.
    """
def adjusted_rand_models(reference: Any, candidate: Any, *, model: Literal["num", "all"] = "num", sides: Literal["both", "one"] = "both", **options: Unpack[Options]) -> float:
    """Adjusted Rand index under other random models.

    The Rand index corrected for random partitions instead of permutations.
    model: one of 'num', 'all'
    sides: one of 'both', 'one'
    """
def adjusted_jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted Jaccard index.

    The Jaccard index corrected for chance, with its exact mean over all permutations.
    """
def reference_entropy(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Entropy of the reference.

    Entropy of the reference: how uncertain the reference cluster of a random element is.
    base: a finite number above 1
    """
def candidate_entropy(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Entropy of the candidate.

    Entropy of the candidate: how uncertain the candidate cluster of a random element is.
    base: a finite number above 1
    """
def joint_entropy(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Joint entropy.

    How uncertain the pair of clusters of a random element is.
    base: a finite number above 1
    """
def conditional_entropy_of_reference(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Conditional entropy of the reference.

    Uncertainty about the reference cluster if you know the candidate cluster: the cost of merges.
    base: a finite number above 1
    """
def conditional_entropy_of_candidate(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Conditional entropy of the candidate.

    Uncertainty about the candidate cluster if you know the reference cluster: the cost of splits.
    base: a finite number above 1
    """
def mutual_information(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Mutual information.

    The information that two partitions share.
    base: a finite number above 1
    """
def variation_of_information(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Variation of information.

    Sum of both conditional entropies: the information that is lost and gained between the
    partitions.
    base: a finite number above 1
    """
def vi_over_log_n(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Variation of information over log n.

    The variation of information as a share of its maximum for n elements.
    """
def nvi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised variation of information.

    The variation of information relative to the joint entropy: the complement of nmi_joint.
    """
def information_distance(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Information distance.

    The larger of the two conditional entropies: max(H(U), H(V)) − MI.
    base: a finite number above 1
    """
def nid(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised information distance.

    The information distance relative to the larger entropy: the complement of nmi_max.
    """
def nmi_arithmetic(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised mutual information (arithmetic mean).

    Mutual information relative to the mean entropy; the same as the V-measure with beta=1.
    """
def nmi_geometric(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised mutual information (geometric mean).

    Mutual information relative to the geometric mean of the entropies.
    """
def nmi_max(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised mutual information (maximum).

    Mutual information relative to the larger entropy.
    """
def nmi_min(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised mutual information (minimum).

    Mutual information relative to the smaller entropy.
    """
def nmi_joint(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised mutual information (joint).

    Mutual information relative to the joint entropy.
    """
def homogeneity(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Homogeneity.

    Whether each candidate cluster contains elements of only one reference cluster.
    """
def completeness(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Completeness.

    Whether all elements of a reference cluster are in the same candidate cluster.
    """
def v_measure(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """V-measure.

    Weighted harmonic mean of homogeneity and completeness.
    beta: a positive finite number
    """
def fnmi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Fair normalised mutual information.

    The arithmetic NMI, scaled down if the two numbers of clusters differ.
    """
def generalised_variation_of_information(reference: Any, candidate: Any, *, a: float = 1, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Generalised variation of information.

    Variation of information in which splits cost a and merges cost 2 − a.
    a: a number from 0 to 2
    base: a finite number above 1
    """
def vi_lfk(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised variation of information of Lancichinetti, Fortunato and Kertész.

    Mean of both conditional entropies, each relative to its side's entropy.
    """
def vi_over_reference_entropy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Variation of information over the reference's entropy.

    Variation of information relative to the reference entropy.
    """
def dom_q0(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Dom's Q0.

    Length of a message that describes the reference to a receiver with the candidate, per element.
    base: a finite number above 1
    """
def dom_q2(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Dom's Q2.

    The shortest possible message, for a candidate equal to the reference, divided by the actual
    message.
    """
def microcanonical_mutual_information(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Microcanonical mutual information.

    Mutual information computed from exact numbers of labellings, per element.
    base: a finite number above 1
    """
def normalised_microcanonical_mutual_information(reference: Any, candidate: Any, *, mean: Literal["arithmetic", "geometric", "max", "min", "reference", "candidate"] = "arithmetic", **options: Unpack[Options]) -> float:
    """Normalised microcanonical mutual information.

    Microcanonical mutual information relative to its value for identical partitions.
    mean: one of 'arithmetic', 'geometric', 'max', 'min', 'reference', 'candidate'
    """
def adjusted_mutual_information(reference: Any, candidate: Any, *, mean: Literal["arithmetic", "geometric", "max", "min", "joint"] = "arithmetic", **options: Unpack[Options]) -> float:
    """Adjusted mutual information.

    Mutual information corrected for chance: 1 for identical partitions, 0 on average for
    permutations.
    mean: one of 'arithmetic', 'geometric', 'max', 'min', 'joint'
    """
def standardised_mutual_information(reference: Any, candidate: Any, *, samples: int | None = None, **options: Unpack[Options]) -> float:
    """Standardised mutual information.

    Number of standard deviations by which the mutual information exceeds chance.
    samples: None or a whole number of at least 2
    """
def ami_q(reference: Any, candidate: Any, *, q: float = 1.5, **options: Unpack[Options]) -> float:
    """Adjusted mutual information of order q.

    Both common adjusted indices in one family: q=1 is adjusted mutual information, q=2 adjusted
    Rand.
    q: a positive finite number
    """
def rnmi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Relative normalised mutual information.

    The arithmetic NMI minus its mean over all permutations.
    """
def reduced_mutual_information(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Reduced mutual information.

    Mutual information minus the information needed to describe the contingency table.
    base: a finite number above 1
    """
def normalised_reduced_mutual_information(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information (symmetric).

    Reduced mutual information relative to its value for identical partitions.
    """
def nrmi_asymmetric(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information (asymmetric).

    Reduced mutual information relative to that of the reference with itself.
    """
def ami_models(reference: Any, candidate: Any, *, model: Literal["num", "all"] = "num", sides: Literal["both", "one"] = "both", **options: Unpack[Options]) -> float:
    """Adjusted mutual information under other random models.

    Mutual information corrected for random partitions instead of permutations.
    model: one of 'num', 'all'
    sides: one of 'both', 'one'
    """
def pairwise_adjusted_mutual_information(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise adjusted mutual information.

    Mean loss of mutual information when two elements are swapped, relative to identical partitions.
    """
def rmi_dirichlet(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Reduced mutual information, Dirichlet-multinomial.

    Reduced mutual information with a Dirichlet-multinomial code for the contingency table.
    base: a finite number above 1
    """
def nrmi_dirichlet(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information, Dirichlet-multinomial.

    Dirichlet-multinomial reduced mutual information relative to that of the reference with itself.
    """
def chi_square(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pearson's chi-square.

    Squared deviation of the overlaps from independence, relative to their expectation.
    """
def adjusted_chi_square(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted chi-square.

    Chi-square rescaled so random partitions score 0 on average and the maximum is 1.
    """
def cramers_v(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Cramér's V.

    Chi-square scaled to [0, 1].
    """
def tschuprow_t(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Tschuprow's T.

    Chi-square scaled so only identical partitions reach 1.
    """
def pearson_contingency(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pearson's contingency coefficient.

    Chi-square mapped to values below 1.
    """
def sakoda_contingency(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sakoda's contingency coefficient.

    Pearson's contingency coefficient relative to its maximum for the same number of clusters.
    """
def g_statistic(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """G statistic.

    The likelihood-ratio statistic of independence, in nats: 2n times the mutual information.
    """
def goodman_kruskal_lambda(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's lambda.

    Reduction of the error when the reference cluster is predicted from the candidate cluster.
    """
def goodman_kruskal_lambda_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's lambda of the candidate.

    Reduction of the error when the candidate cluster is predicted from the reference cluster.
    """
def goodman_kruskal_tau(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's tau.

    Reduction of the error of a random prediction of the reference cluster, given the candidate
    cluster.
    """
def goodman_kruskal_tau_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's tau of the candidate.

    Reduction of the error of a random prediction of the candidate cluster, given the reference
    cluster.
    """
def frobenius(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Frobenius distance of the projections, squared.

    Squared distance between the averaging projections of both partitions, used for segmentations.
    """
def purity(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Purity.

    Share of the elements in the majority reference cluster of their candidate cluster.
    """
def inverse_purity(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Inverse purity.

    Share of the elements in the candidate cluster that has most of their reference cluster.
    """
def purity_f(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """F-measure of purity.

    Harmonic mean of purity and inverse purity.
    """
def brohee_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Geometric accuracy of Brohée and van Helden.

    Geometric mean of sensitivity and positive predictive value, for protein complexes.
    """
def separation(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Separation.

    Whether each cluster corresponds to exactly one cluster of the other side.
    """
def f_class_weighted(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Class-weighted F-measure.

    F-measure of each reference cluster with its best candidate cluster, weighted by cluster size.
    """
def f_cluster_weighted(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Cluster-weighted F-measure.

    F-measure of each candidate cluster with its best reference cluster, weighted by cluster size.
    """
def larsen_aone(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Larsen-Aone measure.

    F-measure of each reference cluster with its best candidate cluster, averaged.
    """
def larsen_aone_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Larsen-Aone measure of the candidate.

    F-measure of each candidate cluster with its best reference cluster, averaged.
    """
def average_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1.

    Mean of the Larsen-Aone measure in both directions.
    """
def split_join(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Split-join distance.

    Number of elements outside the largest overlap of their cluster, summed over both sides.
    """
def van_dongen_normalised(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised van Dongen distance.

    The split-join distance divided by 2n.
    """
def projection_distance_of_reference(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Projection distance, reference to candidate.

    Number of elements outside the largest overlap of their reference cluster.
    """
def projection_distance_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Projection distance, candidate to reference.

    Number of elements outside the largest overlap of their candidate cluster.
    """
def centroid_index(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Centroid index.

    Number of missing or superfluous clusters.
    """
def prediction_strength(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Prediction strength.

    The smallest share of a reference cluster's pairs that are together in the candidate.
    """
def prediction_strength_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Prediction strength of the candidate.

    The smallest share of a candidate cluster's pairs that are together in the reference.
    """
def matching_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Matching accuracy.

    Share of correctly classified elements under the best one-to-one matching of clusters.
    """
def classification_error(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Classification error distance.

    Share of the elements that must change cluster to turn one partition into the other.
    """
def transfer_distance(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Transfer distance.

    Minimal number of elements that must move to turn one partition into the other.
    """
def normalised_clustering_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised clustering accuracy.

    Mean recall of the reference clusters under the best matching, rescaled so 0 is the worst value
    if K = L.
    """
def normalised_pivoted_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised pivoted accuracy.

    Matching accuracy, rescaled so 0 is the worst value for k clusters of equal size.
    """
def pair_sets_index(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pair sets index.

    Similarity of matched clusters relative to the larger number of clusters, corrected for chance.
    """
def simplified_pair_sets_index(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Simplified pair sets index.

    The pair sets index with a fixed correction for chance: the similarity of one cluster.
    """
def max_matching_ratio(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Maximum matching ratio.

    Overlap score of matched clusters, averaged over the reference's clusters.
    """
def gordon_vichi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Gordon-Vichi dissimilarity.

    Square root of the number of elements by which matched clusters differ, without surplus
    clusters.
    """
def bcubed_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """B-cubed precision.

    Mean over the elements of the share of their candidate cluster that is in their reference
    cluster.
    """
def bcubed_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """B-cubed recall.

    Mean over the elements of the share of their reference cluster that is in their candidate
    cluster.
    """
def bcubed_f(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """B-cubed F-measure.

    Harmonic mean of B-cubed precision and recall; beta is the weight of recall.
    beta: a positive finite number
    """
def adjusted_bcubed_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted B-cubed precision.

    B-cubed precision corrected for chance: 0 on average for random permutations.
    """
def adjusted_bcubed_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted B-cubed recall.

    B-cubed recall corrected for chance: 0 on average for random permutations.
    """
def bcubed_precision_macro(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """B-cubed precision, averaged over reference clusters.

    B-cubed precision in which every reference cluster has the same weight.
    """
def bcubed_recall_macro(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """B-cubed recall, averaged over reference clusters.

    B-cubed recall in which every reference cluster has the same weight.
    """
def bcubed_f_macro(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """B-cubed F-measure, averaged over reference clusters.

    Harmonic mean of macro B-cubed precision and recall; beta is the weight of recall.
    beta: a positive finite number
    """
def k_measure(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """K measure.

    Geometric mean of average cluster purity and average author purity.
    """
def cluster_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Cluster precision.

    Share of the candidate's clusters that are exactly right.
    """
def cluster_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Cluster recall.

    Share of the reference's clusters that the candidate reproduces exactly.
    """
def cluster_f(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Cluster F-measure.

    Harmonic mean of cluster precision and recall; beta is the weight of recall.
    beta: a positive finite number
    """
def cluster_jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Cluster Jaccard.

    Share of the distinct clusters of both sides that both sides contain.
    """
def closest_cluster_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Closest-cluster precision.

    Mean over the candidate's clusters of the Jaccard similarity with the closest reference cluster.
    """
def closest_cluster_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Closest-cluster recall.

    Mean over the reference's clusters of the Jaccard similarity with the closest candidate cluster.
    """
def closest_cluster_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Closest-cluster F1.

    Harmonic mean of closest-cluster precision and recall.
    """
def talburt_wang(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Talburt-Wang index.

    Geometric mean of both numbers of clusters, divided by the number of overlaps.
    """
def name_variation_rate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Name variation rate.

    Share of the candidate's clusters with more than one name; the reference contains the names.
    """
def shared_name_rate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Shared name rate.

    Share of the names that occur in more than one candidate cluster; the reference contains the
    names.
    """
def homonymy_rate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Homonymy rate.

    Share of the candidate's clusters that share a name with another; the reference contains the
    names.
    """
def variant_name_rate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Variant name rate.

    Share of the names that occur together with another name in a candidate cluster.
    """
def muc_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """MUC precision.

    Share of the minimal links of the candidate's clusters that are correct.
    """
def muc_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """MUC recall.

    Share of the minimal links of the reference's clusters that the candidate keeps.
    """
def muc_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """MUC F1.

    Harmonic mean of MUC precision and recall.
    """
def ceaf_m_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-m precision.

    Share of the candidate's elements that are correct under the best one-to-one matching of
    clusters.
    """
def ceaf_m_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-m recall.

    Share of the reference's elements that are correct under the best one-to-one matching of
    clusters.
    """
def ceaf_m_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-m F1.

    Harmonic mean of CEAF-m precision and recall: every mention has the same weight.
    """
def ceaf_e_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-e precision.

    Similarity of matched clusters, averaged over the candidate's clusters.
    """
def ceaf_e_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-e recall.

    Similarity of matched clusters, averaged over the reference's clusters.
    """
def ceaf_e_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-e F1.

    Similarity of clusters under the best one-to-one matching.
    """
def lea_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """LEA precision.

    Share of each candidate cluster's links that are correct, weighted by cluster size.
    """
def lea_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """LEA recall.

    Share of each reference cluster's links that the candidate keeps, weighted by cluster size.
    """
def lea_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """LEA F1.

    Harmonic mean of LEA precision and recall; 0 if no link is correct.
    """
def blanc_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """BLANC precision.

    Mean of two precisions: that of coreferent links and that of non-coreferent links.
    """
def blanc_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """BLANC recall.

    Mean of two recalls: that of coreferent links and that of non-coreferent links.
    """
def blanc(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """BLANC.

    Mean of two F-measures: that of coreferent links and that of non-coreferent links.
    """
def conll(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CoNLL average.

    Mean of three coreference scores, as in the CoNLL shared tasks.
    """
def element_centric(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Element-centric similarity.

    Mean over the elements of the overlap of their two clusters, divided by the size of the larger
    one.
    """
def adjusted_element_centric(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted element-centric similarity.

    Element-centric similarity corrected for chance: 0 on average for random permutations.
    """
def element_jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Element-wise Jaccard.

    Mean over the elements of the Jaccard similarity of their two clusters.
    """
def adapted_rand_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adapted Rand precision.

    Probability that two elements from the same candidate region are in the same reference region.
    """
def adapted_rand_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adapted Rand recall.

    Probability that two elements from the same reference region are in the same candidate region.
    """
def adapted_rand_error(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adapted Rand error.

    One minus the harmonic mean of adapted Rand precision and recall.
    """
def adapted_rand_error_of_pairs(reference: Any, candidate: Any, *, alpha: float = 0.5, **options: Unpack[Options]) -> float:
    """Adapted Rand error of pairs.

    One minus the weighted harmonic mean of pairwise precision and recall.
    alpha: a number between 0 and 1
    """
def vi_split(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Split half of the variation of information.

    Bits that the candidate's regions add to the reference's regions: the cost of wrong splits.
    """
def vi_merge(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Merge half of the variation of information.

    Bits that the candidate's regions lose of the reference's regions: the cost of wrong merges.
    """
def cremi_score(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CREMI score.

    Geometric mean of the variation of information in bits and the adapted Rand error.
    """
def segmentation_covering(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Segmentation covering.

    Jaccard index of each reference region with its best candidate region, weighted by region size.
    """
def segmentation_covering_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Segmentation covering of the candidate.

    Jaccard index of each candidate region with its best reference region, weighted by region size.
    """
def global_consistency_error(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Global consistency error.

    Share of its region that an element loses in the other partition, averaged; the smaller of both
    sides.
    """
def local_consistency_error(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Local consistency error.

    Share of its smaller region that an element loses in the other partition, averaged.
    """
def bidirectional_consistency_error(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Bidirectional consistency error.

    Share of its larger region that an element loses in the other partition, averaged.
    """
def symmetric_best_dice(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Symmetric best Dice.

    Dice index of each region with its best partner, averaged; the smaller of both directions.
    """
def panoptic_quality(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Panoptic quality.

    Recognition quality times segmentation quality: how many objects were found, and how well.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def segmentation_quality(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Segmentation quality.

    Mean IoU of the matched objects.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def recognition_quality(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Recognition quality.

    F1 of object detection; matches need J above the threshold.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def object_precision(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object precision.

    Share of the candidate's objects that match a reference object.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def object_recall(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object recall.

    Share of the reference's objects that match a candidate object.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def object_f1(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object F1.

    Harmonic mean of object precision and recall.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def object_average_precision(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Average precision of objects.

    Matched objects as a share of all objects: TP/(TP + FP + FN).
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def mean_object_average_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Mean average precision of objects.

    Object average precision, averaged over ten thresholds.
    """
def mean_true_iou(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Mean IoU of reference objects.

    IoU of each reference object with its match, averaged; unmatched objects count 0.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def seg_measure(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """SEG measure.

    IoU of each reference object with the candidate object that covers most of it, averaged.
    """
def aggregated_jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Aggregated Jaccard index.

    Total intersection of best partners, divided by their total union plus all unused objects.
    """
def aggregated_jaccard_plus(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Aggregated Jaccard index, one to one.

    The aggregated Jaccard index with one-to-one matching.
    """
def basic_merge_distance(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Basic merge distance.

    Number of splits and merges that turn one partition into the other through their overlaps.
    """
def generalised_merge_distance(reference: Any, candidate: Any, *, split: Literal["constant", "product", "pairwise", "information"] | Callable[[int, int], float] = "constant", merge: Literal["constant", "product", "pairwise", "information"] | Callable[[int, int], float] = "constant", **options: Unpack[Options]) -> float:
    """Generalised merge distance.

    Cost of turning the reference into the candidate, with your own costs for splits and merges.
    split: a function of two sizes, or one of 'constant', 'product', 'pairwise', 'information'
    merge: a function of two sizes, or one of 'constant', 'product', 'pairwise', 'information'
    """
def lattice_distance_join(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Lattice distance through the join.

    Minimal number of merges and splits of whole clusters that turn one partition into the other.
    """
def pantel_lin(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pantel-Lin edit score.

    Share of the edits to build the reference by hand that the candidate saves.
    """
def omega(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Omega index.

    Share of the pairs that share the same number of clusters on both sides, corrected for chance.
    """
def unadjusted_omega(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Omega index without adjustment.

    Share of the pairs that share the same number of clusters on both sides.
    """
def extended_bcubed_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Extended B-cubed precision.

    B-cubed precision for covers: the share of shared candidate clusters that the reference
    supports.
    """
def extended_bcubed_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Extended B-cubed recall.

    B-cubed recall for covers: the share of shared reference clusters that the candidate keeps.
    """
def extended_bcubed_f(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Extended B-cubed F-measure.

    Harmonic mean of extended B-cubed precision and recall.
    beta: a positive finite number
    """
def overlapping_average_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1 with overlaps.

    F1 of each cluster with its best partner, averaged over the clusters of each side and both
    sides.
    """
def average_f1_harmonic(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1, harmonic.

    Harmonic mean of both sides' average F1 with the best partners.
    """
def average_f1_weighted(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1, weighted by size.

    F1 of each cluster with its best partner, weighted by cluster size and averaged over both sides.
    """
def average_f1_harmonic_weighted(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1, harmonic and weighted by size.

    Harmonic mean of both sides' average F1 with the best partners, weighted by cluster size.
    """
def best_partner_ochiai(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Ochiai measure of best partners.

    Harmonic mean of both sides' average Ochiai coefficient with the best partners.
    """
def overlapping_matching_ratio(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Maximum matching ratio with overlaps.

    Squared overlap of matched clusters, averaged over the reference's clusters.
    """
def overlapping_element_centric(reference: Any, candidate: Any, *, alpha: float = 0.9, **options: Unpack[Options]) -> float:
    """Element-centric similarity with overlaps.

    Similarity of the random walks that start from an element on each side, averaged over the
    elements.
    alpha: a number between 0 and 1
    """
def onmi_max(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the maximum.

    Information shared by the clusters, relative to the larger entropy.
    """
def onmi_mean(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the mean.

    Information shared by the clusters, relative to the mean entropy.
    """
def onmi_min(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the minimum.

    Information shared by the clusters, relative to the smaller entropy.
    """
def onmi_sqrt(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the geometric mean.

    Information shared by the clusters, relative to the geometric mean of the entropies.
    """
def onmi_joint(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the joint entropy.

    Information shared by the clusters, relative to their joint entropy.
    """
def onmi_lfk(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI of Lancichinetti, Fortunato and Kertész.

    Mean share of each cluster's entropy that its best partner explains.
    """
def onmi_lfr(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, mean of the explained shares.

    Mean share of each side's entropy that the other side explains.
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
