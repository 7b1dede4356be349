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

    Share of the pairs that the candidate holds together which the reference holds together too.
    """
def recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise recall.

    Share of the pairs that the reference holds together which the candidate holds together too.
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

    Share of the pairs apart in the reference that the candidate holds apart too.
    """
def negative_predictive_value(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise negative predictive value.

    Share of the pairs that the candidate holds apart which are apart in the reference.
    """
def balanced_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise balanced accuracy.

    Mean of the pairwise recall and the pairwise specificity.
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

    Agreeing pairs together for each disagreeing pair.
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

    Correlation of the two together-or-apart indicators over all pairs (Matthews, Hubert's Γ).
    """
def pearson_albatineh(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pearson index of Albatineh.

    A correlation whose square root was forgotten in print, kept to reproduce published numbers.
    """
def correlation_distance(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Correlation distance.

    Angle between the two partitions seen as vectors of pairs, as a share of a half turn.
    """
def peirce(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Peirce index (informedness).

    Pairwise recall minus the share of apart pairs wrongly joined.
    """
def markedness(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Markedness of the pairs.

    Pairwise precision minus the share of the candidate's apart pairs that belong together.
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

    The Rand index with credit where most disagreeing pairs are of one kind.
    """
def baulieu_2(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Baulieu index 2.

    Covariance of the two together-or-apart indicators over all pairs.
    """
def fager_mcgowan(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Fager-McGowan index.

    The Fowlkes-Mallows index less a correction for small samples.
    """
def mcnemar(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """McNemar statistic of the pairs.

    Whether the candidate splits more than it merges (positive) or less (negative), in standard
    units.
    """
def minkowski(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Minkowski measure.

    Disagreeing pairs relative to the pairs of the reference, under a root.
    """
def rv(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """RV coefficient of two partitions.

    Cosine of the two co-membership matrices, diagonal included.
    """
def loevinger_h(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Loevinger's H of the pairs.

    The Simpson overlap of the pairs, corrected for chance.
    """
def binder_loss(reference: Any, candidate: Any, *, a: float = 1, **options: Unpack[Options]) -> float:
    """Binder loss.

    Share of the ordered pairs of elements that disagree; a split pair costs a, a merged one 2 − a.
    a: a number from 0 to 2
    """
def tversky(reference: Any, candidate: Any, *, alpha: float = 1.0, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Tversky index.

    Pairs together in both, relative to themselves and the weighted pairs together in one only.
    alpha: a positive finite number
    beta: a positive finite number
    """
def partition_difference(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Partition difference.

    Pairs that both partitions hold apart.
    """
def sokal_sneath_3(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sokal-Sneath index 3.

    Agreeing pairs for each disagreeing pair.
    """
def katz_powell(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Katz-Powell correlation.

    Correlation of the two together-or-apart indicators over all ordered pairs, self pairs included.
    """
def forbes(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Forbes index.

    How many times more often pairs are together in both than independence expects.
    """
def michael(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Michael index.

    An approximation to the correlation of pairs that needs no root.
    """
def anderberg_d(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Anderberg's D of pairs.

    By how much knowing a pair in one partition reduces the error of guessing it in the other.
    """
def dennis(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Dennis index.

    Deviation of N₁₁ from independence in units of its Poisson standard deviation.
    """
def scott_pi_of_pairs(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Scott's pi of pairs.

    Agreement of pairs beyond chance, both partitions taken to hold pairs together equally often.
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

    The modified adjusted Rand index before it is scaled: an excess share of pairs.
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

    How many standard deviations the agreement lies above chance.
    """
def lerman_normalised(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised Lerman index.

    The Lerman index relative to what each partition reaches with itself.
    """
def adjusted_rand_models(reference: Any, candidate: Any, *, model: Literal["num", "all"] = "num", sides: Literal["both", "one"] = "both", **options: Unpack[Options]) -> float:
    """Adjusted Rand index under other random models.

    The Rand index corrected for partitions drawn at random, not only shuffled.
    model: one of 'num', 'all'
    sides: one of 'both', 'one'
    """
def adjusted_jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted Jaccard index.

    The Jaccard index corrected for chance, by its exact mean over all permutations.
    """
def reference_entropy(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Entropy of the reference.

    How uncertain the reference cluster of a random element is.
    base: a finite number above 1
    """
def candidate_entropy(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Entropy of the candidate.

    How uncertain the candidate cluster of a random element is.
    base: a finite number above 1
    """
def joint_entropy(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Joint entropy.

    How uncertain the pair of clusters of a random element is.
    base: a finite number above 1
    """
def conditional_entropy_of_reference(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Conditional entropy of the reference.

    What remains unknown of the reference once the candidate is known: the cost of wrong merges.
    base: a finite number above 1
    """
def conditional_entropy_of_candidate(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Conditional entropy of the candidate.

    What remains unknown of the candidate once the reference is known: the cost of wrong splits.
    base: a finite number above 1
    """
def mutual_information(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Mutual information.

    The information that the two partitions share.
    base: a finite number above 1
    """
def variation_of_information(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Variation of information.

    Information lost plus information gained when going from one partition to the other.
    base: a finite number above 1
    """
def vi_over_log_n(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Variation of information over log n.

    The variation of information as a share of the most it can be among n elements.
    """
def nvi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised variation of information.

    The variation of information relative to the joint entropy: the complement of nmi_joint.
    """
def information_distance(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Information distance.

    The larger of what each partition leaves unknown of the other: max(H(U), H(V)) − MI.
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

    Whether each candidate cluster holds elements of one reference cluster only.
    """
def completeness(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Completeness.

    Whether each reference cluster is kept together in one candidate cluster.
    """
def v_measure(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """V-measure.

    Weighted harmonic mean of homogeneity and completeness.
    beta: a positive finite number
    """
def fnmi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Fair normalised mutual information.

    The arithmetic NMI, scaled down as the candidate's number of clusters departs from the
    reference's.
    """
def generalised_variation_of_information(reference: Any, candidate: Any, *, a: float = 1, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Generalised variation of information.

    Variation of information in which splitting costs a and merging 2 − a.
    a: a number from 0 to 2
    base: a finite number above 1
    """
def vi_lfk(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised variation of information of Lancichinetti, Fortunato and Kertész.

    Mean of the shares of each partition's information that the other does not hold.
    """
def vi_over_reference_entropy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Variation of information over the reference's entropy.

    Variation of information in units of what there is to know of the reference.
    """
def dom_q0(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Dom's Q0.

    How long a message about the reference must be, per element, to a receiver who knows the
    candidate.
    base: a finite number above 1
    """
def dom_q2(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Dom's Q2.

    The shortest message, sent when the candidate is the reference, relative to the message needed.
    """
def microcanonical_mutual_information(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Microcanonical mutual information.

    The logarithm of how many times fewer labellings are left of one side when the other is known,
    over n.
    base: a finite number above 1
    """
def normalised_microcanonical_mutual_information(reference: Any, candidate: Any, *, mean: Literal["arithmetic", "geometric", "max", "min", "reference", "candidate"] = "arithmetic", **options: Unpack[Options]) -> float:
    """Normalised microcanonical mutual information.

    Microcanonical mutual information relative to what the partitions share with themselves.
    mean: one of 'arithmetic', 'geometric', 'max', 'min', 'reference', 'candidate'
    """
def adjusted_mutual_information(reference: Any, candidate: Any, *, mean: Literal["arithmetic", "geometric", "max", "min", "joint"] = "arithmetic", **options: Unpack[Options]) -> float:
    """Adjusted mutual information.

    Mutual information corrected for chance: 1 for identical partitions, 0 on average for shuffled
    ones.
    mean: one of 'arithmetic', 'geometric', 'max', 'min', 'joint'
    """
def standardised_mutual_information(reference: Any, candidate: Any, *, samples: int | None = None, **options: Unpack[Options]) -> float:
    """Standardised mutual information.

    How many standard deviations the mutual information lies above chance.
    samples: None or a whole number of at least 2
    """
def ami_q(reference: Any, candidate: Any, *, q: float = 1.5, **options: Unpack[Options]) -> float:
    """Adjusted mutual information of order q.

    The family of both usual adjusted indices: q=1 is adjusted mutual information, q=2 adjusted
    Rand.
    q: a positive finite number
    """
def rnmi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Relative normalised mutual information.

    The arithmetic NMI less its mean over all permutations.
    """
def reduced_mutual_information(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Reduced mutual information.

    Mutual information less the information needed to describe the table of overlaps.
    base: a finite number above 1
    """
def normalised_reduced_mutual_information(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information (symmetric).

    Reduced mutual information relative to what the partitions share with themselves.
    """
def nrmi_asymmetric(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information (asymmetric).

    Reduced mutual information relative to what the reference shares with itself.
    """
def ami_models(reference: Any, candidate: Any, *, model: Literal["num", "all"] = "num", sides: Literal["both", "one"] = "both", **options: Unpack[Options]) -> float:
    """Adjusted mutual information under other random models.

    Mutual information corrected for partitions drawn at random, not only shuffled.
    model: one of 'num', 'all'
    sides: one of 'both', 'one'
    """
def pairwise_adjusted_mutual_information(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pairwise adjusted mutual information.

    How much a single swap of two elements spoils, relative to what it spoils in identical
    partitions.
    """
def rmi_dirichlet(reference: Any, candidate: Any, *, base: float = 2.718281828459045, **options: Unpack[Options]) -> float:
    """Reduced mutual information, Dirichlet-multinomial.

    What the candidate tells of the reference, less what it costs to tell their table.
    base: a finite number above 1
    """
def nrmi_dirichlet(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised reduced mutual information, Dirichlet-multinomial.

    Reduced mutual information relative to what the reference tells of itself.
    """
def chi_square(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pearson's chi-square.

    Squared deviation of the overlaps from independence, relative to what independence expects.
    """
def adjusted_chi_square(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted chi-square.

    Chi-square on a scale where chance has 0 on average and the most that is possible has 1.
    """
def cramers_v(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Cramér's V.

    Chi-square scaled to [0, 1].
    """
def tschuprow_t(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Tschuprow's T.

    Chi-square scaled so that only identical partitions reach 1.
    """
def pearson_contingency(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pearson's contingency coefficient.

    Chi-square brought below 1.
    """
def sakoda_contingency(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Sakoda's contingency coefficient.

    Pearson's contingency coefficient relative to the most that so many clusters can reach.
    """
def g_statistic(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """G statistic.

    The likelihood-ratio statistic of independence, in nats: the mutual information of the whole
    table.
    """
def goodman_kruskal_lambda(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's lambda.

    By how much knowing the candidate cluster reduces the error of guessing the reference cluster.
    """
def goodman_kruskal_lambda_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's lambda of the candidate.

    By how much knowing the reference cluster reduces the error of guessing the candidate cluster.
    """
def goodman_kruskal_tau(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's tau.

    By how much the candidate cluster reduces the error of guessing the reference cluster at random.
    """
def goodman_kruskal_tau_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Goodman and Kruskal's tau of the candidate.

    By how much the reference cluster reduces the error of guessing the candidate cluster at random.
    """
def frobenius(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Frobenius distance of the projections, squared.

    Squared distance between the two averaging projections, used for segmentations.
    """
def purity(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Purity.

    Share of elements in the majority reference cluster of their candidate cluster.
    """
def inverse_purity(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Inverse purity.

    Share of elements in the candidate cluster that holds most of their reference cluster.
    """
def purity_f(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """F-measure of purity.

    Harmonic mean of purity and inverse purity.
    """
def brohee_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Geometric accuracy of Brohée and van Helden.

    Geometric mean of sensitivity and positive predictive value of protein complexes.
    """
def separation(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Separation.

    Whether each cluster corresponds to one cluster of the other side and to no other.
    """
def f_class_weighted(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Class-weighted F-measure.

    F-measure of each reference cluster with the candidate cluster that suits it best, by size.
    """
def f_cluster_weighted(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Cluster-weighted F-measure.

    F-measure of each candidate cluster with the reference cluster that suits it best, by size.
    """
def larsen_aone(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Larsen-Aone measure.

    Mean over the reference's clusters of the F-measure with their best candidate cluster.
    """
def larsen_aone_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Larsen-Aone measure of the candidate.

    Mean over the candidate's clusters of the F-measure with their best reference cluster.
    """
def average_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1.

    Mean of the Larsen-Aone measure in both directions.
    """
def split_join(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Split-join distance.

    Elements outside the largest overlap of their cluster, counted from both sides.
    """
def van_dongen_normalised(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised van Dongen distance.

    The split-join distance as a share of its bound.
    """
def projection_distance_of_reference(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Projection distance, reference to candidate.

    Elements that the candidate splits off the largest piece of their reference cluster.
    """
def projection_distance_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Projection distance, candidate to reference.

    Elements that the candidate merges into a cluster where others have the majority.
    """
def centroid_index(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Centroid index.

    How many clusters are missing or superfluous.
    """
def prediction_strength(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Prediction strength.

    The smallest share of its pairs that a reference cluster keeps together in the candidate.
    """
def prediction_strength_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Prediction strength of the candidate.

    The smallest share of a candidate cluster's pairs that are together in the reference.
    """
def matching_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Matching accuracy.

    Share of elements classified right once clusters are paired one to one as well as possible.
    """
def classification_error(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Classification error distance.

    Share of elements that must change cluster to turn one partition into the other.
    """
def transfer_distance(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Transfer distance.

    Fewest elements that must be moved, one by one, to turn one partition into the other.
    """
def normalised_clustering_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised clustering accuracy.

    Mean recall of the reference's clusters under the best matching, scaled: 0 is the worst where K
    = L.
    """
def normalised_pivoted_accuracy(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Normalised pivoted accuracy.

    Matching accuracy, stretched so that 0 is what k equal clusters reach at worst.
    """
def pair_sets_index(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pair sets index.

    Similarity of the matched clusters relative to the larger number of clusters, less chance.
    """
def simplified_pair_sets_index(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Simplified pair sets index.

    The pair sets index with one cluster's worth of similarity taken for chance.
    """
def max_matching_ratio(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Maximum matching ratio.

    Overlap score of the matched clusters, averaged over the reference's clusters.
    """
def gordon_vichi(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Gordon-Vichi dissimilarity.

    Root of the number of elements by which matched clusters differ, surplus clusters left out.
    """
def bcubed_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """B-cubed precision.

    Mean over the elements of the share of their candidate cluster that belongs with them.
    """
def bcubed_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """B-cubed recall.

    Mean over the elements of the share of their reference cluster that the candidate keeps with
    them.
    """
def bcubed_f(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """B-cubed F-measure.

    Harmonic mean of B-cubed precision and recall; beta is the weight of recall.
    beta: a positive finite number
    """
def adjusted_bcubed_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted B-cubed precision.

    B-cubed precision corrected for chance: 0 on average when the elements are shuffled.
    """
def adjusted_bcubed_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted B-cubed recall.

    B-cubed recall corrected for chance: 0 on average when the elements are shuffled.
    """
def bcubed_precision_macro(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """B-cubed precision, averaged over reference clusters.

    B-cubed precision in which every reference cluster counts the same, whatever its size.
    """
def bcubed_recall_macro(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """B-cubed recall, averaged over reference clusters.

    B-cubed recall in which every reference cluster counts the same, whatever its size.
    """
def bcubed_f_macro(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """B-cubed F-measure, averaged over reference clusters.

    Harmonic mean of the two B-cubed averages over reference clusters; beta is the weight of recall.
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

    Share of the reference's clusters that the candidate has exactly right.
    """
def cluster_f(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Cluster F-measure.

    Harmonic mean of cluster precision and recall; beta is the weight of recall.
    beta: a positive finite number
    """
def cluster_jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Cluster Jaccard.

    Share of all clusters of either side that both have.
    """
def closest_cluster_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Closest-cluster precision.

    Mean over the candidate's clusters of the Jaccard similarity with their closest reference
    cluster.
    """
def closest_cluster_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Closest-cluster recall.

    Mean over the reference's clusters of the Jaccard similarity with their closest candidate
    cluster.
    """
def closest_cluster_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Closest-cluster F1.

    Harmonic mean of closest-cluster precision and recall.
    """
def talburt_wang(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Talburt-Wang index.

    Clusters relative to overlaps: each cut adds an overlap without adding a cluster.
    """
def name_variation_rate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Name variation rate.

    Share of the candidate's clusters with more than one name; the reference has the names.
    """
def shared_name_rate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Shared name rate.

    Share of the names that more than one cluster of the candidate has; the reference has the names.
    """
def homonymy_rate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Homonymy rate.

    Share of the candidate's clusters that share a name with another; the reference has the names.
    """
def variant_name_rate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Variant name rate.

    Share of the names that occur beside another name in a cluster of the candidate.
    """
def muc_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """MUC precision.

    Of the fewest links that hold the candidate's clusters together, the share that is right.
    """
def muc_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """MUC recall.

    Of the fewest links that hold the reference's clusters together, the share that is kept.
    """
def muc_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """MUC F1.

    Harmonic mean of MUC precision and recall.
    """
def ceaf_m_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-m precision.

    Share of the candidate's elements that the best one-to-one matching of clusters puts right.
    """
def ceaf_m_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-m recall.

    Share of the reference's elements that the best one-to-one matching of clusters puts right.
    """
def ceaf_m_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CEAF-m F1.

    Harmonic mean of CEAF-m precision and recall: every mention counts the same.
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

    Similarity of the clusters under the best one-to-one matching.
    """
def lea_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """LEA precision.

    Share of each candidate cluster's links that are right, weighted by its size.
    """
def lea_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """LEA recall.

    Share of each reference cluster's links that are kept, weighted by its size.
    """
def lea_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """LEA F1.

    Harmonic mean of LEA precision and recall; 0 where no link is right.
    """
def blanc_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """BLANC precision.

    Mean of the shares of the candidate's coreferent and non-coreferent links that are right.
    """
def blanc_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """BLANC recall.

    Mean of the shares of the reference's coreferent and non-coreferent links that are kept.
    """
def blanc(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """BLANC.

    Mean of the F-measures of the coreferent and of the non-coreferent links.
    """
def conll(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CoNLL average.

    The mean of three coreference scores, the custom of the CoNLL shared tasks.
    """
def element_centric(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Element-centric similarity.

    Mean over the elements of the share of the larger of their two clusters that both hold.
    """
def adjusted_element_centric(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adjusted element-centric similarity.

    Element-centric similarity corrected for chance: 0 on average when the elements are shuffled.
    """
def element_jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Element-wise Jaccard.

    Mean over the elements of the Jaccard similarity of their two clusters.
    """
def adapted_rand_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adapted Rand precision.

    The chance that two elements drawn from one candidate region, with replacement, share a
    reference one.
    """
def adapted_rand_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adapted Rand recall.

    The chance that two elements drawn from one reference region, with replacement, share a
    candidate one.
    """
def adapted_rand_error(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Adapted Rand error.

    One minus the harmonic mean of the adapted Rand precision and recall.
    """
def adapted_rand_error_of_pairs(reference: Any, candidate: Any, *, alpha: float = 0.5, **options: Unpack[Options]) -> float:
    """Adapted Rand error of pairs.

    One minus the weighted harmonic mean of precision and recall of pairs of different elements.
    alpha: a number between 0 and 1
    """
def vi_split(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Split half of the variation of information.

    Bits that the candidate's regions add to the reference's: the cost of wrong splits.
    """
def vi_merge(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Merge half of the variation of information.

    Bits of the reference's regions that the candidate's lose: the cost of wrong merges.
    """
def cremi_score(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """CREMI score.

    The geometric mean of the variation of information in bits and the adapted Rand error.
    """
def segmentation_covering(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Segmentation covering.

    Jaccard index of each reference region with the candidate region that suits it best, by size.
    """
def segmentation_covering_of_candidate(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Segmentation covering of the candidate.

    Jaccard index of each candidate region with the reference region that suits it best, by size.
    """
def global_consistency_error(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Global consistency error.

    Share of its region that an element loses in the other partition, for the side that loses less.
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

    The smaller of both directions of the mean Dice index of each region with its best partner.
    """
def panoptic_quality(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Panoptic quality.

    Recognition quality times segmentation quality: were objects found, and are they drawn well.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def segmentation_quality(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Segmentation quality.

    The mean overlap over union of the objects that match.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def recognition_quality(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "miss", **options: Unpack[Options]) -> float:
    """Recognition quality.

    The F1 of objects found, where a match has J above the threshold.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def object_precision(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object precision.

    Share of the candidate's objects that match one of the reference.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def object_recall(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object recall.

    Share of the reference's objects that match one of the candidate.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def object_f1(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Object F1.

    The harmonic mean of object precision and recall.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def object_average_precision(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Average precision of objects.

    Objects matched, of all objects of either side: TP/(TP + FP + FN).
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def mean_object_average_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Mean average precision of objects.

    The average precision of objects, averaged over ten thresholds.
    """
def mean_true_iou(reference: Any, candidate: Any, *, iou: float = 0.5, at_threshold: Literal["match", "miss"] = "match", **options: Unpack[Options]) -> float:
    """Mean IoU of reference objects.

    The overlap over union of each reference object with its match, 0 where it has none, averaged.
    iou: a number between 0 and 1
    at_threshold: one of 'match', 'miss'
    """
def seg_measure(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """SEG measure.

    The overlap over union of each reference object with the one that covers most of it, averaged.
    """
def aggregated_jaccard(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Aggregated Jaccard index.

    All that best partners share, over all that they cover together, and all that nobody uses.
    """
def aggregated_jaccard_plus(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Aggregated Jaccard index, one to one.

    The aggregated Jaccard index with objects paired one to one, so that none serves twice.
    """
def basic_merge_distance(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Basic merge distance.

    Splits and merges that lead from one partition to the other through their overlaps.
    """
def generalised_merge_distance(reference: Any, candidate: Any, *, split: Literal["constant", "product", "pairwise", "information"] | Callable[[int, int], float] = "constant", merge: Literal["constant", "product", "pairwise", "information"] | Callable[[int, int], float] = "constant", **options: Unpack[Options]) -> float:
    """Generalised merge distance.

    Cost of going from the reference to the candidate, with your own prices for splits and merges.
    split: a function of two sizes, or one of 'constant', 'product', 'pairwise', 'information'
    merge: a function of two sizes, or one of 'constant', 'product', 'pairwise', 'information'
    """
def lattice_distance_join(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Lattice distance through the join.

    Fewest merges and splits of whole clusters that lead from one partition to the other.
    """
def pantel_lin(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Pantel-Lin edit score.

    Share of the work of building the reference by hand that the candidate saves.
    """
def omega(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Omega index.

    Share of the pairs that share as many clusters on both sides, corrected for chance.
    """
def unadjusted_omega(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Omega index without adjustment.

    Share of the pairs that share as many clusters on both sides.
    """
def extended_bcubed_precision(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Extended B-cubed precision.

    Of the clusters that the candidate lets an element share with another, the share that is right.
    """
def extended_bcubed_recall(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Extended B-cubed recall.

    Of the clusters that the reference lets an element share with another, the share that is kept.
    """
def extended_bcubed_f(reference: Any, candidate: Any, *, beta: float = 1.0, **options: Unpack[Options]) -> float:
    """Extended B-cubed F-measure.

    Harmonic mean of extended B-cubed precision and recall.
    beta: a positive finite number
    """
def overlapping_average_f1(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1 with overlaps.

    Mean, over both sides, of the F1 of each cluster with its best partner.
    """
def average_f1_harmonic(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1, harmonic.

    Harmonic mean of how well the clusters of each side find a partner on the other.
    """
def average_f1_weighted(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1, weighted by size.

    Mean, over both sides, of the F1 of each cluster with its best partner, large clusters weighing
    more.
    """
def average_f1_harmonic_weighted(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Average F1, harmonic and weighted by size.

    Harmonic mean, over both sides, of the F1 of clusters with their best partners, weighted by
    size.
    """
def best_partner_ochiai(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Ochiai measure of best partners.

    Harmonic mean, over both sides, of the Ochiai measure of each cluster with its best partner.
    """
def overlapping_matching_ratio(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Maximum matching ratio with overlaps.

    Squared overlap of matched clusters, averaged over the reference's clusters.
    """
def overlapping_element_centric(reference: Any, candidate: Any, *, alpha: float = 0.9, **options: Unpack[Options]) -> float:
    """Element-centric similarity with overlaps.

    Mean over the elements of how alike the walks are that lead from them through clusters and
    members.
    alpha: a number between 0 and 1
    """
def onmi_max(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the maximum.

    Information that the clusters have of each other, as a share of the larger entropy.
    """
def onmi_mean(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the mean.

    Information that the clusters have of each other, as a share of the mean entropy.
    """
def onmi_min(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the minimum.

    Information that the clusters have of each other, as a share of the smaller entropy.
    """
def onmi_sqrt(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the geometric mean.

    Information that the clusters have of each other, as a share of the geometric mean of the
    entropies.
    """
def onmi_joint(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, by the joint entropy.

    Information that the clusters have of each other, as a share of what both say together.
    """
def onmi_lfk(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI of Lancichinetti, Fortunato and Kertész.

    Mean share of each cluster's entropy that its best partner explains.
    """
def onmi_lfr(reference: Any, candidate: Any, **options: Unpack[Options]) -> float:
    """Overlapping NMI, mean of the explained shares.

    Mean share of each side's entropy that the other explains.
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
