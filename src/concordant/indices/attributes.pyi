"""Every index as an attribute. Written by scripts/make_types.py from the declarations of the indices."""

from collections.abc import Iterator
from typing import Any, Literal, NoReturn, TypeAlias

from concordant.catalogue.index import Index
from concordant.results import Result

# editors complete these; any other spelling, such as "f_measure(beta=2)", is a str
IndexName: TypeAlias = Literal[
    "precision", "pair_precision", "PrS", "wallace_ii", "ppv", "recall", "pair_recall", "ReS",
    "sensitivity", "wallace_i", "f_measure", "pair_f_beta", "pairwise_f", "FS", "rand", "RI", "RaS",
    "pair_accuracy", "simple_matching", "PRI", "rand_distance", "GPS", "disagreement_rate",
    "pair_bonds_distance", "mirkin", "equivalence_mismatch_distance", "symdiff",
    "symmetric_difference", "hamann", "GAS", "hubert", "jaccard", "JS", "critical_success_index",
    "dice", "CDS", "czekanowski", "czekanowski_dice", "sorensen", "pairwise_f1", "specificity",
    "pair_specificity", "true_negative_rate", "negative_predictive_value", "pair_npv", "NPV",
    "balanced_accuracy", "pair_balanced_accuracy", "fowlkes_mallows", "FM", "FMS", "ochiai",
    "kulczynski", "KS", "kulczynski_2", "southwood", "kulczynski_1", "mcconnaughey",
    "overlap_simpson", "simpson", "overlap_coefficient", "braun_blanquet", "sorgenfrei",
    "rogers_tanimoto", "RTS", "sokal_sneath_1", "SS1S", "sokal_sneath_2", "SS2S", "gower_legendre",
    "sokal_sneath_4", "sokal_sneath_5", "ochiai_2", "russell_rao", "RRS", "russel_rao", "phi",
    "PhS", "HGS", "hubert_gamma", "matthews", "pair_correlation", "pearson_albatineh",
    "correlation_distance", "peirce", "informedness", "youden_j", "markedness", "yule_q",
    "goodman_kruskal_gamma", "yule_y", "colligation", "baulieu_1", "baulieu_2", "fager_mcgowan",
    "mcnemar", "minkowski", "rv", "loevinger_h", "cole_c7", "adjusted_simpson", "binder_loss",
    "binder", "mirkin_over_n_squared", "n_invariant_mirkin", "tversky", "partition_difference",
    "sokal_sneath_3", "katz_powell", "KP", "forbes", "lift_of_pairs", "michael", "anderberg_d",
    "dennis", "scott_pi_of_pairs", "scott_pi", "adjusted_rand", "ARI", "ARS",
    "cohen_kappa_of_pairs", "adjusted_rand_morey_agresti", "mari", "modified_adjusted_rand",
    "mari_raw", "adjusted_wallace_recall", "adjusted_wallace", "AW", "adjusted_wallace_precision",
    "adjusted_fowlkes_mallows", "AFM", "lerman", "standardised_rand", "SRI", "lerman_normalised",
    "adjusted_rand_models", "adjusted_jaccard", "reference_entropy", "entropy", "H",
    "candidate_entropy", "joint_entropy", "conditional_entropy_of_reference", "conditional_entropy",
    "cluster_entropy", "conditional_entropy_of_candidate", "mutual_information", "MI", "MIS",
    "variation_of_information", "VI", "vi_over_log_n", "variation_of_information_over_log_n", "nvi",
    "rajski", "rajski_distance", "normalised_variation_of_information", "information_distance",
    "ID", "nid", "normalised_information_distance", "nmi_arithmetic",
    "normalised_mutual_information_arithmetic", "normalised_mutual_information", "NMI", "NMIS",
    "nmi_geometric", "normalised_mutual_information_geometric", "nmi_sqrt", "nmi_max",
    "normalised_mutual_information_max", "nmi_min", "normalised_mutual_information_min",
    "nmi_joint", "normalised_mutual_information_joint", "homogeneity", "HS", "theil_u",
    "completeness", "CS", "v_measure", "VMS", "fnmi", "fair_nmi",
    "fair_normalised_mutual_information", "generalised_variation_of_information", "vi_lfk",
    "nvi_lfk", "vi_over_reference_entropy", "nvi_reichart_rappoport", "dom_q0", "dom", "dom_q2",
    "microcanonical_mutual_information", "normalised_microcanonical_mutual_information",
    "adjusted_mutual_information", "AMI", "standardised_mutual_information", "SMI",
    "standardized_mutual_information", "ami_q", "adjusted_mutual_information_q", "AMI_tsallis",
    "rnmi", "relative_nmi", "relative_normalised_mutual_information", "reduced_mutual_information",
    "RMI", "normalised_reduced_mutual_information", "NRMI", "nrmi_symmetric", "nrmi_asymmetric",
    "normalised_reduced_mutual_information_asymmetric", "ami_models",
    "pairwise_adjusted_mutual_information", "PAMI", "rmi_dirichlet", "RMI_dirichlet",
    "nrmi_dirichlet", "chi_square", "chi2", "adjusted_chi_square", "adjusted_chi2", "cramers_v",
    "tschuprow_t", "pearson_contingency", "contingency_coefficient", "sakoda_contingency",
    "adjusted_contingency_coefficient", "g_statistic", "likelihood_ratio_statistic",
    "goodman_kruskal_lambda", "gk_lambda", "goodman_kruskal_lambda_of_candidate",
    "goodman_kruskal_tau", "gk_tau", "goodman_kruskal_tau_of_candidate", "frobenius", "purity",
    "PuS", "brohee_ppv", "inverse_purity", "collocation", "brohee_sensitivity", "purity_f",
    "brohee_accuracy", "brohee_sensitivity_ppv", "geometric_accuracy", "separation",
    "f_class_weighted", "fscore", "clustering_f", "f_cluster_weighted", "larsen_aone",
    "larsen_aone_of_candidate", "average_f1", "split_join", "van_dongen", "van_dongen_normalised",
    "NVD", "projection_distance_of_reference", "projection_distances",
    "projection_distance_of_candidate", "centroid_index", "CI", "prediction_strength",
    "prediction_strength_of_candidate", "matching_accuracy", "clustering_accuracy", "ACC",
    "classification_error", "transfer_distance", "partition_distance",
    "normalised_clustering_accuracy", "NCA", "normalised_pivoted_accuracy", "NPA",
    "pair_sets_index", "PSI", "simplified_pair_sets_index", "SPSI", "max_matching_ratio", "MMR",
    "gordon_vichi", "bcubed_precision", "b3_precision", "average_cluster_purity", "ACP",
    "bcubed_recall", "b3_recall", "average_author_purity", "AAP", "bcubed_f", "bcubed_f1", "bcubed",
    "b3_f", "adjusted_bcubed_precision", "adjusted_bcubed_recall", "bcubed_precision_macro",
    "bcubed_recall_macro", "bcubed_f_macro", "bcubed_macro", "k_measure", "cluster_precision",
    "cluster_recall", "cluster_f", "cluster_f1", "cluster_jaccard", "closest_cluster_precision",
    "closest_cluster_recall", "closest_cluster_f1", "ccf1", "talburt_wang", "TWI",
    "name_variation_rate", "shared_name_rate", "homonymy_rate", "variant_name_rate",
    "muc_precision", "muc_recall", "muc_f1", "ceaf_m_precision", "ceaf_m_recall", "ceaf_m_f1",
    "ceaf_m", "ceaf_e_precision", "ceaf_e_recall", "ceaf_e_f1", "ceaf_e", "lea_precision",
    "lea_recall", "lea_f1", "lea", "blanc_precision", "blanc_recall", "blanc", "blanc_f1", "conll",
    "conll_f1", "element_centric", "ECS", "element_sim", "adjusted_element_centric",
    "element_jaccard", "adapted_rand_precision", "rand_merge_score", "v_rand_merge",
    "adapted_rand_recall", "rand_split_score", "v_rand_split", "adapted_rand_error", "ARE",
    "adapted_rand_error_of_pairs", "vi_split", "voi_split", "vi_merge", "voi_merge", "cremi_score",
    "segmentation_covering", "covering", "segmentation_covering_of_candidate",
    "global_consistency_error", "GCE", "local_consistency_error", "LCE",
    "bidirectional_consistency_error", "BCE", "symmetric_best_dice", "SBD", "panoptic_quality",
    "PQ", "segmentation_quality", "SQ", "recognition_quality", "RQ", "object_precision",
    "object_recall", "object_f1", "object_average_precision", "object_accuracy",
    "mean_object_average_precision", "mAP_objects", "mean_true_iou", "seg_measure", "SEG",
    "aggregated_jaccard", "AJI", "aggregated_jaccard_plus", "AJI_plus", "basic_merge_distance",
    "lattice_distance_meet", "generalised_merge_distance", "gmd", "GMD", "lattice_distance_join",
    "pantel_lin", "omega", "unadjusted_omega", "extended_bcubed_precision",
    "extended_bcubed_recall", "extended_bcubed_f", "overlapping_average_f1", "average_f1_harmonic",
    "average_f1_weighted", "average_f1_harmonic_weighted", "best_partner_ochiai",
    "overlapping_matching_ratio", "overlapping_element_centric", "onmi_max", "onmi", "ONMI",
    "onmi_mean", "onmi_sum", "onmi_min", "onmi_sqrt", "onmi_joint", "onmi_lfk", "onmi_lfr"
]

class IndexAttributes(Result):
    def value(self, declared: Index) -> float: ...
    def keys(self) -> tuple[str, ...]: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, spelling: object) -> bool: ...
    def __getitem__(self, spelling: IndexName | str) -> float: ...
    def values(self) -> tuple[float, ...]: ...
    def items(self) -> tuple[tuple[str, float], ...]: ...
    def get(self, spelling: IndexName | str, default: Any = None) -> Any: ...
    def to_dict(self, *spellings: IndexName | str) -> dict[str, float]: ...
    def _not_a_number(self, *_: object) -> NoReturn: ...
    @property
    def precision(self) -> float:
        """Pairwise precision.

        Share of the candidate's pairs that are also together in the reference.
        """
    @property
    def recall(self) -> float:
        """Pairwise recall.

        Share of the reference's pairs that are also together in the candidate.
        """
    @property
    def f_measure(self) -> float:
        """Pairwise F-measure.

        Weighted harmonic mean of pairwise precision and recall; beta is the weight of recall.
        """
    @property
    def rand(self) -> float:
        """Rand index.

        Share of all pairs on which the partitions agree, together or apart.
        """
    @property
    def rand_distance(self) -> float:
        """Rand distance.

        Share of all pairs on which the partitions disagree.
        """
    @property
    def mirkin(self) -> float:
        """Mirkin metric.

        Number of ordered pairs on which the partitions disagree.
        """
    @property
    def symdiff(self) -> float:
        """Symmetric difference of the pair sets.

        Number of pairs on which the partitions disagree.
        """
    @property
    def hamann(self) -> float:
        """Hamann coefficient.

        Agreeing pairs minus disagreeing pairs, as a share of all pairs.
        """
    @property
    def jaccard(self) -> float:
        """Jaccard index.

        Share of the pairs together in either partition that are together in both.
        """
    @property
    def dice(self) -> float:
        """Dice index.

        Harmonic mean of pairwise precision and recall.
        """
    @property
    def specificity(self) -> float:
        """Pairwise specificity.

        Share of the reference's apart pairs that the candidate also keeps apart.
        """
    @property
    def negative_predictive_value(self) -> float:
        """Pairwise negative predictive value.

        Share of the candidate's apart pairs that are also apart in the reference.
        """
    @property
    def balanced_accuracy(self) -> float:
        """Pairwise balanced accuracy.

        Mean of pairwise recall and pairwise specificity.
        """
    @property
    def fowlkes_mallows(self) -> float:
        """Fowlkes-Mallows index.

        Geometric mean of pairwise precision and recall.
        """
    @property
    def kulczynski(self) -> float:
        """Kulczynski index.

        Arithmetic mean of pairwise precision and recall.
        """
    @property
    def southwood(self) -> float:
        """Southwood index.

        Number of pairs together in both partitions for each disagreeing pair.
        """
    @property
    def mcconnaughey(self) -> float:
        """McConnaughey index.

        Pairwise precision plus recall minus one.
        """
    @property
    def overlap_simpson(self) -> float:
        """Simpson overlap of the pairs.

        The larger of pairwise precision and recall.
        """
    @property
    def braun_blanquet(self) -> float:
        """Braun-Blanquet index of the pairs.

        The smaller of pairwise precision and recall.
        """
    @property
    def sorgenfrei(self) -> float:
        """Sorgenfrei index.

        Pairwise precision times recall.
        """
    @property
    def rogers_tanimoto(self) -> float:
        """Rogers-Tanimoto index.

        The Rand index with disagreeing pairs counted twice.
        """
    @property
    def sokal_sneath_1(self) -> float:
        """Sokal-Sneath index 1.

        The Jaccard index with disagreeing pairs counted twice.
        """
    @property
    def sokal_sneath_2(self) -> float:
        """Sokal-Sneath index 2.

        The Rand index with disagreeing pairs counted half.
        """
    @property
    def sokal_sneath_4(self) -> float:
        """Sokal-Sneath index 4 (mean of four ratios).

        Mean of pairwise precision, recall, specificity and negative predictive value.
        """
    @property
    def sokal_sneath_5(self) -> float:
        """Sokal-Sneath index 5 (geometric).

        Geometric mean of pairwise precision, recall, specificity and negative predictive value,
        squared.
        """
    @property
    def russell_rao(self) -> float:
        """Russell-Rao index.

        Share of all pairs that are together in both partitions.
        """
    @property
    def phi(self) -> float:
        """Correlation of the pairs (phi).

        Pearson correlation of the pair indicators, which are 1 for pairs together (Matthews,
        Hubert's Γ).
        """
    @property
    def pearson_albatineh(self) -> float:
        """Pearson index of Albatineh.

        Hubert's Γ without its square root, as printed in a paper. Use it only to reproduce
        published values.
        """
    @property
    def correlation_distance(self) -> float:
        """Correlation distance.

        Angle between the two centred pair vectors, as a share of 180 degrees.
        """
    @property
    def peirce(self) -> float:
        """Peirce index (informedness).

        Pairwise recall minus the share of the reference's apart pairs that the candidate joins.
        """
    @property
    def markedness(self) -> float:
        """Markedness of the pairs.

        Pairwise precision minus the share of the candidate's apart pairs that are together in the
        reference.
        """
    @property
    def yule_q(self) -> float:
        """Yule's Q of the pairs.

        The odds ratio of the pairs, mapped to [-1, 1].
        """
    @property
    def yule_y(self) -> float:
        """Yule's Y of the pairs.

        The square root of the odds ratio of the pairs, mapped to [-1, 1].
        """
    @property
    def baulieu_1(self) -> float:
        """Baulieu index 1.

        The Rand index, raised if most disagreeing pairs are of one kind.
        """
    @property
    def baulieu_2(self) -> float:
        """Baulieu index 2.

        Covariance of the pair indicators, which are 1 for pairs together.
        """
    @property
    def fager_mcgowan(self) -> float:
        """Fager-McGowan index.

        The Fowlkes-Mallows index minus a correction for small samples.
        """
    @property
    def mcnemar(self) -> float:
        """McNemar statistic of the pairs.

        Whether the candidate splits more than it merges (positive) or less (negative), in standard
        units.
        """
    @property
    def minkowski(self) -> float:
        """Minkowski measure.

        Square root of the disagreeing pairs relative to the reference's pairs.
        """
    @property
    def rv(self) -> float:
        """RV coefficient of two partitions.

        Cosine of the two co-membership matrices, including the diagonal.
        """
    @property
    def loevinger_h(self) -> float:
        """Loevinger's H of the pairs.

        The Simpson overlap of the pairs, corrected for chance.
        """
    @property
    def binder_loss(self) -> float:
        """Binder loss.

        Share of the ordered pairs that disagree; a split pair costs a, a merged pair 2 − a.
        """
    @property
    def tversky(self) -> float:
        """Tversky index.

        Pairs together in both partitions, divided by these pairs plus the weighted pairs together
        in one only.
        """
    @property
    def partition_difference(self) -> float:
        """Partition difference.

        Number of pairs apart in both partitions.
        """
    @property
    def sokal_sneath_3(self) -> float:
        """Sokal-Sneath index 3.

        Number of agreeing pairs for each disagreeing pair.
        """
    @property
    def katz_powell(self) -> float:
        """Katz-Powell correlation.

        Pearson correlation of the pair indicators over all ordered pairs, including self-pairs.
        """
    @property
    def forbes(self) -> float:
        """Forbes index.

        Observed number of pairs together in both partitions, divided by its expectation under
        independence.
        """
    @property
    def michael(self) -> float:
        """Michael index.

        An approximation to the correlation of pairs without a square root.
        """
    @property
    def anderberg_d(self) -> float:
        """Anderberg's D of pairs.

        Reduction of the error when a pair's status in one partition is predicted from the other.
        """
    @property
    def dennis(self) -> float:
        """Dennis index.

        Deviation of N₁₁ from independence, in units of its Poisson standard deviation.
        """
    @property
    def scott_pi_of_pairs(self) -> float:
        """Scott's pi of pairs.

        Agreement of pairs beyond chance, if both partitions put the same share of pairs together.
        """
    @property
    def adjusted_rand(self) -> float:
        """Adjusted Rand index.

        The Rand index corrected for chance: 1 for identical partitions, 0 on average for random
        ones.
        """
    @property
    def adjusted_rand_morey_agresti(self) -> float:
        """Adjusted Rand index of Morey and Agresti.

        An early adjustment that draws elements with replacement.
        """
    @property
    def mari(self) -> float:
        """Modified adjusted Rand index.

        The adjusted Rand index with its expectation estimated from disjoint pairs of pairs.
        """
    @property
    def mari_raw(self) -> float:
        """Modified adjusted Rand index, raw.

        The unscaled modified adjusted Rand index: an excess share of pairs.
        """
    @property
    def adjusted_wallace_recall(self) -> float:
        """Adjusted Wallace index (recall).

        Pairwise recall corrected for chance.
        """
    @property
    def adjusted_wallace_precision(self) -> float:
        """Adjusted Wallace index (precision).

        Pairwise precision corrected for chance.
        """
    @property
    def adjusted_fowlkes_mallows(self) -> float:
        """Adjusted Fowlkes-Mallows index.

        The Fowlkes-Mallows index corrected for chance.
        """
    @property
    def lerman(self) -> float:
        """Lerman index.

        Number of standard deviations by which the agreement exceeds chance.
        """
    @property
    def lerman_normalised(self) -> float:
        """Normalised Lerman index.

        The Lerman index relative to the values of each partition with itself.
        """
    @property
    def adjusted_rand_models(self) -> float:
        """Adjusted Rand index under other random models.

        The Rand index corrected for random partitions instead of permutations.
        """
    @property
    def adjusted_jaccard(self) -> float:
        """Adjusted Jaccard index.

        The Jaccard index corrected for chance, with its exact mean over all permutations.
        """
    @property
    def reference_entropy(self) -> float:
        """Entropy of the reference.

        Entropy of the reference: how uncertain the reference cluster of a random element is.
        """
    @property
    def candidate_entropy(self) -> float:
        """Entropy of the candidate.

        Entropy of the candidate: how uncertain the candidate cluster of a random element is.
        """
    @property
    def joint_entropy(self) -> float:
        """Joint entropy.

        How uncertain the pair of clusters of a random element is.
        """
    @property
    def conditional_entropy_of_reference(self) -> float:
        """Conditional entropy of the reference.

        Uncertainty about the reference cluster if you know the candidate cluster: the cost of
        merges.
        """
    @property
    def conditional_entropy_of_candidate(self) -> float:
        """Conditional entropy of the candidate.

        Uncertainty about the candidate cluster if you know the reference cluster: the cost of
        splits.
        """
    @property
    def mutual_information(self) -> float:
        """Mutual information.

        The information that two partitions share.
        """
    @property
    def variation_of_information(self) -> float:
        """Variation of information.

        Sum of both conditional entropies: the information that is lost and gained between the
        partitions.
        """
    @property
    def vi_over_log_n(self) -> float:
        """Variation of information over log n.

        The variation of information as a share of its maximum for n elements.
        """
    @property
    def nvi(self) -> float:
        """Normalised variation of information.

        The variation of information relative to the joint entropy: the complement of nmi_joint.
        """
    @property
    def information_distance(self) -> float:
        """Information distance.

        The larger of the two conditional entropies: max(H(U), H(V)) − MI.
        """
    @property
    def nid(self) -> float:
        """Normalised information distance.

        The information distance relative to the larger entropy: the complement of nmi_max.
        """
    @property
    def nmi_arithmetic(self) -> float:
        """Normalised mutual information (arithmetic mean).

        Mutual information relative to the mean entropy; the same as the V-measure with beta=1.
        """
    @property
    def nmi_geometric(self) -> float:
        """Normalised mutual information (geometric mean).

        Mutual information relative to the geometric mean of the entropies.
        """
    @property
    def nmi_max(self) -> float:
        """Normalised mutual information (maximum).

        Mutual information relative to the larger entropy.
        """
    @property
    def nmi_min(self) -> float:
        """Normalised mutual information (minimum).

        Mutual information relative to the smaller entropy.
        """
    @property
    def nmi_joint(self) -> float:
        """Normalised mutual information (joint).

        Mutual information relative to the joint entropy.
        """
    @property
    def homogeneity(self) -> float:
        """Homogeneity.

        Whether each candidate cluster contains elements of only one reference cluster.
        """
    @property
    def completeness(self) -> float:
        """Completeness.

        Whether all elements of a reference cluster are in the same candidate cluster.
        """
    @property
    def v_measure(self) -> float:
        """V-measure.

        Weighted harmonic mean of homogeneity and completeness.
        """
    @property
    def fnmi(self) -> float:
        """Fair normalised mutual information.

        The arithmetic NMI, scaled down if the two numbers of clusters differ.
        """
    @property
    def generalised_variation_of_information(self) -> float:
        """Generalised variation of information.

        Variation of information in which splits cost a and merges cost 2 − a.
        """
    @property
    def vi_lfk(self) -> float:
        """Normalised variation of information of Lancichinetti, Fortunato and Kertész.

        Mean of both conditional entropies, each relative to its side's entropy.
        """
    @property
    def vi_over_reference_entropy(self) -> float:
        """Variation of information over the reference's entropy.

        Variation of information relative to the reference entropy.
        """
    @property
    def dom_q0(self) -> float:
        """Dom's Q0.

        Length of a message that describes the reference to a receiver with the candidate, per
        element.
        """
    @property
    def dom_q2(self) -> float:
        """Dom's Q2.

        The shortest possible message, for a candidate equal to the reference, divided by the actual
        message.
        """
    @property
    def microcanonical_mutual_information(self) -> float:
        """Microcanonical mutual information.

        Mutual information computed from exact numbers of labellings, per element.
        """
    @property
    def normalised_microcanonical_mutual_information(self) -> float:
        """Normalised microcanonical mutual information.

        Microcanonical mutual information relative to its value for identical partitions.
        """
    @property
    def adjusted_mutual_information(self) -> float:
        """Adjusted mutual information.

        Mutual information corrected for chance: 1 for identical partitions, 0 on average for
        permutations.
        """
    @property
    def standardised_mutual_information(self) -> float:
        """Standardised mutual information.

        Number of standard deviations by which the mutual information exceeds chance.
        """
    @property
    def ami_q(self) -> float:
        """Adjusted mutual information of order q.

        Both common adjusted indices in one family: q=1 is adjusted mutual information, q=2 adjusted
        Rand.
        """
    @property
    def rnmi(self) -> float:
        """Relative normalised mutual information.

        The arithmetic NMI minus its mean over all permutations.
        """
    @property
    def reduced_mutual_information(self) -> float:
        """Reduced mutual information.

        Mutual information minus the information needed to describe the contingency table.
        """
    @property
    def normalised_reduced_mutual_information(self) -> float:
        """Normalised reduced mutual information (symmetric).

        Reduced mutual information relative to its value for identical partitions.
        """
    @property
    def nrmi_asymmetric(self) -> float:
        """Normalised reduced mutual information (asymmetric).

        Reduced mutual information relative to that of the reference with itself.
        """
    @property
    def ami_models(self) -> float:
        """Adjusted mutual information under other random models.

        Mutual information corrected for random partitions instead of permutations.
        """
    @property
    def pairwise_adjusted_mutual_information(self) -> float:
        """Pairwise adjusted mutual information.

        Mean loss of mutual information when two elements are swapped, relative to identical
        partitions.
        """
    @property
    def rmi_dirichlet(self) -> float:
        """Reduced mutual information, Dirichlet-multinomial.

        Reduced mutual information with a Dirichlet-multinomial code for the contingency table.
        """
    @property
    def nrmi_dirichlet(self) -> float:
        """Normalised reduced mutual information, Dirichlet-multinomial.

        Dirichlet-multinomial reduced mutual information relative to that of the reference with
        itself.
        """
    @property
    def chi_square(self) -> float:
        """Pearson's chi-square.

        Squared deviation of the overlaps from independence, relative to their expectation.
        """
    @property
    def adjusted_chi_square(self) -> float:
        """Adjusted chi-square.

        Chi-square rescaled so random partitions score 0 on average and the maximum is 1.
        """
    @property
    def cramers_v(self) -> float:
        """Cramér's V.

        Chi-square scaled to [0, 1].
        """
    @property
    def tschuprow_t(self) -> float:
        """Tschuprow's T.

        Chi-square scaled so only identical partitions reach 1.
        """
    @property
    def pearson_contingency(self) -> float:
        """Pearson's contingency coefficient.

        Chi-square mapped to values below 1.
        """
    @property
    def sakoda_contingency(self) -> float:
        """Sakoda's contingency coefficient.

        Pearson's contingency coefficient relative to its maximum for the same number of clusters.
        """
    @property
    def g_statistic(self) -> float:
        """G statistic.

        The likelihood-ratio statistic of independence, in nats: 2n times the mutual information.
        """
    @property
    def goodman_kruskal_lambda(self) -> float:
        """Goodman and Kruskal's lambda.

        Reduction of the error when the reference cluster is predicted from the candidate cluster.
        """
    @property
    def goodman_kruskal_lambda_of_candidate(self) -> float:
        """Goodman and Kruskal's lambda of the candidate.

        Reduction of the error when the candidate cluster is predicted from the reference cluster.
        """
    @property
    def goodman_kruskal_tau(self) -> float:
        """Goodman and Kruskal's tau.

        Reduction of the error of a random prediction of the reference cluster, given the candidate
        cluster.
        """
    @property
    def goodman_kruskal_tau_of_candidate(self) -> float:
        """Goodman and Kruskal's tau of the candidate.

        Reduction of the error of a random prediction of the candidate cluster, given the reference
        cluster.
        """
    @property
    def frobenius(self) -> float:
        """Frobenius distance of the projections, squared.

        Squared distance between the averaging projections of both partitions, used for
        segmentations.
        """
    @property
    def purity(self) -> float:
        """Purity.

        Share of the elements in the majority reference cluster of their candidate cluster.
        """
    @property
    def inverse_purity(self) -> float:
        """Inverse purity.

        Share of the elements in the candidate cluster that has most of their reference cluster.
        """
    @property
    def purity_f(self) -> float:
        """F-measure of purity.

        Harmonic mean of purity and inverse purity.
        """
    @property
    def brohee_accuracy(self) -> float:
        """Geometric accuracy of Brohée and van Helden.

        Geometric mean of sensitivity and positive predictive value, for protein complexes.
        """
    @property
    def separation(self) -> float:
        """Separation.

        Whether each cluster corresponds to exactly one cluster of the other side.
        """
    @property
    def f_class_weighted(self) -> float:
        """Class-weighted F-measure.

        F-measure of each reference cluster with its best candidate cluster, weighted by cluster
        size.
        """
    @property
    def f_cluster_weighted(self) -> float:
        """Cluster-weighted F-measure.

        F-measure of each candidate cluster with its best reference cluster, weighted by cluster
        size.
        """
    @property
    def larsen_aone(self) -> float:
        """Larsen-Aone measure.

        F-measure of each reference cluster with its best candidate cluster, averaged.
        """
    @property
    def larsen_aone_of_candidate(self) -> float:
        """Larsen-Aone measure of the candidate.

        F-measure of each candidate cluster with its best reference cluster, averaged.
        """
    @property
    def average_f1(self) -> float:
        """Average F1.

        Mean of the Larsen-Aone measure in both directions.
        """
    @property
    def split_join(self) -> float:
        """Split-join distance.

        Number of elements outside the largest overlap of their cluster, summed over both sides.
        """
    @property
    def van_dongen_normalised(self) -> float:
        """Normalised van Dongen distance.

        The split-join distance divided by 2n.
        """
    @property
    def projection_distance_of_reference(self) -> float:
        """Projection distance, reference to candidate.

        Number of elements outside the largest overlap of their reference cluster.
        """
    @property
    def projection_distance_of_candidate(self) -> float:
        """Projection distance, candidate to reference.

        Number of elements outside the largest overlap of their candidate cluster.
        """
    @property
    def centroid_index(self) -> float:
        """Centroid index.

        Number of missing or superfluous clusters.
        """
    @property
    def prediction_strength(self) -> float:
        """Prediction strength.

        The smallest share of a reference cluster's pairs that are together in the candidate.
        """
    @property
    def prediction_strength_of_candidate(self) -> float:
        """Prediction strength of the candidate.

        The smallest share of a candidate cluster's pairs that are together in the reference.
        """
    @property
    def matching_accuracy(self) -> float:
        """Matching accuracy.

        Share of correctly classified elements under the best one-to-one matching of clusters.
        """
    @property
    def classification_error(self) -> float:
        """Classification error distance.

        Share of the elements that must change cluster to turn one partition into the other.
        """
    @property
    def transfer_distance(self) -> float:
        """Transfer distance.

        Minimal number of elements that must move to turn one partition into the other.
        """
    @property
    def normalised_clustering_accuracy(self) -> float:
        """Normalised clustering accuracy.

        Mean recall of the reference clusters under the best matching, rescaled so 0 is the worst
        value if K = L.
        """
    @property
    def normalised_pivoted_accuracy(self) -> float:
        """Normalised pivoted accuracy.

        Matching accuracy, rescaled so 0 is the worst value for k clusters of equal size.
        """
    @property
    def pair_sets_index(self) -> float:
        """Pair sets index.

        Similarity of matched clusters relative to the larger number of clusters, corrected for
        chance.
        """
    @property
    def simplified_pair_sets_index(self) -> float:
        """Simplified pair sets index.

        The pair sets index with a fixed correction for chance: the similarity of one cluster.
        """
    @property
    def max_matching_ratio(self) -> float:
        """Maximum matching ratio.

        Overlap score of matched clusters, averaged over the reference's clusters.
        """
    @property
    def gordon_vichi(self) -> float:
        """Gordon-Vichi dissimilarity.

        Square root of the number of elements by which matched clusters differ, without surplus
        clusters.
        """
    @property
    def bcubed_precision(self) -> float:
        """B-cubed precision.

        Mean over the elements of the share of their candidate cluster that is in their reference
        cluster.
        """
    @property
    def bcubed_recall(self) -> float:
        """B-cubed recall.

        Mean over the elements of the share of their reference cluster that is in their candidate
        cluster.
        """
    @property
    def bcubed_f(self) -> float:
        """B-cubed F-measure.

        Harmonic mean of B-cubed precision and recall; beta is the weight of recall.
        """
    @property
    def adjusted_bcubed_precision(self) -> float:
        """Adjusted B-cubed precision.

        B-cubed precision corrected for chance: 0 on average for random permutations.
        """
    @property
    def adjusted_bcubed_recall(self) -> float:
        """Adjusted B-cubed recall.

        B-cubed recall corrected for chance: 0 on average for random permutations.
        """
    @property
    def bcubed_precision_macro(self) -> float:
        """B-cubed precision, averaged over reference clusters.

        B-cubed precision in which every reference cluster has the same weight.
        """
    @property
    def bcubed_recall_macro(self) -> float:
        """B-cubed recall, averaged over reference clusters.

        B-cubed recall in which every reference cluster has the same weight.
        """
    @property
    def bcubed_f_macro(self) -> float:
        """B-cubed F-measure, averaged over reference clusters.

        Harmonic mean of macro B-cubed precision and recall; beta is the weight of recall.
        """
    @property
    def k_measure(self) -> float:
        """K measure.

        Geometric mean of average cluster purity and average author purity.
        """
    @property
    def cluster_precision(self) -> float:
        """Cluster precision.

        Share of the candidate's clusters that are exactly right.
        """
    @property
    def cluster_recall(self) -> float:
        """Cluster recall.

        Share of the reference's clusters that the candidate reproduces exactly.
        """
    @property
    def cluster_f(self) -> float:
        """Cluster F-measure.

        Harmonic mean of cluster precision and recall; beta is the weight of recall.
        """
    @property
    def cluster_jaccard(self) -> float:
        """Cluster Jaccard.

        Share of the distinct clusters of both sides that both sides contain.
        """
    @property
    def closest_cluster_precision(self) -> float:
        """Closest-cluster precision.

        Mean over the candidate's clusters of the Jaccard similarity with the closest reference
        cluster.
        """
    @property
    def closest_cluster_recall(self) -> float:
        """Closest-cluster recall.

        Mean over the reference's clusters of the Jaccard similarity with the closest candidate
        cluster.
        """
    @property
    def closest_cluster_f1(self) -> float:
        """Closest-cluster F1.

        Harmonic mean of closest-cluster precision and recall.
        """
    @property
    def talburt_wang(self) -> float:
        """Talburt-Wang index.

        Geometric mean of both numbers of clusters, divided by the number of overlaps.
        """
    @property
    def name_variation_rate(self) -> float:
        """Name variation rate.

        Share of the candidate's clusters with more than one name; the reference contains the names.
        """
    @property
    def shared_name_rate(self) -> float:
        """Shared name rate.

        Share of the names that occur in more than one candidate cluster; the reference contains the
        names.
        """
    @property
    def homonymy_rate(self) -> float:
        """Homonymy rate.

        Share of the candidate's clusters that share a name with another; the reference contains the
        names.
        """
    @property
    def variant_name_rate(self) -> float:
        """Variant name rate.

        Share of the names that occur together with another name in a candidate cluster.
        """
    @property
    def muc_precision(self) -> float:
        """MUC precision.

        Share of the minimal links of the candidate's clusters that are correct.
        """
    @property
    def muc_recall(self) -> float:
        """MUC recall.

        Share of the minimal links of the reference's clusters that the candidate keeps.
        """
    @property
    def muc_f1(self) -> float:
        """MUC F1.

        Harmonic mean of MUC precision and recall.
        """
    @property
    def ceaf_m_precision(self) -> float:
        """CEAF-m precision.

        Share of the candidate's elements that are correct under the best one-to-one matching of
        clusters.
        """
    @property
    def ceaf_m_recall(self) -> float:
        """CEAF-m recall.

        Share of the reference's elements that are correct under the best one-to-one matching of
        clusters.
        """
    @property
    def ceaf_m_f1(self) -> float:
        """CEAF-m F1.

        Harmonic mean of CEAF-m precision and recall: every mention has the same weight.
        """
    @property
    def ceaf_e_precision(self) -> float:
        """CEAF-e precision.

        Similarity of matched clusters, averaged over the candidate's clusters.
        """
    @property
    def ceaf_e_recall(self) -> float:
        """CEAF-e recall.

        Similarity of matched clusters, averaged over the reference's clusters.
        """
    @property
    def ceaf_e_f1(self) -> float:
        """CEAF-e F1.

        Similarity of clusters under the best one-to-one matching.
        """
    @property
    def lea_precision(self) -> float:
        """LEA precision.

        Share of each candidate cluster's links that are correct, weighted by cluster size.
        """
    @property
    def lea_recall(self) -> float:
        """LEA recall.

        Share of each reference cluster's links that the candidate keeps, weighted by cluster size.
        """
    @property
    def lea_f1(self) -> float:
        """LEA F1.

        Harmonic mean of LEA precision and recall; 0 if no link is correct.
        """
    @property
    def blanc_precision(self) -> float:
        """BLANC precision.

        Mean of two precisions: that of coreferent links and that of non-coreferent links.
        """
    @property
    def blanc_recall(self) -> float:
        """BLANC recall.

        Mean of two recalls: that of coreferent links and that of non-coreferent links.
        """
    @property
    def blanc(self) -> float:
        """BLANC.

        Mean of two F-measures: that of coreferent links and that of non-coreferent links.
        """
    @property
    def conll(self) -> float:
        """CoNLL average.

        Mean of three coreference scores, as in the CoNLL shared tasks.
        """
    @property
    def element_centric(self) -> float:
        """Element-centric similarity.

        Mean over the elements of the overlap of their two clusters, divided by the size of the
        larger one.
        """
    @property
    def adjusted_element_centric(self) -> float:
        """Adjusted element-centric similarity.

        Element-centric similarity corrected for chance: 0 on average for random permutations.
        """
    @property
    def element_jaccard(self) -> float:
        """Element-wise Jaccard.

        Mean over the elements of the Jaccard similarity of their two clusters.
        """
    @property
    def adapted_rand_precision(self) -> float:
        """Adapted Rand precision.

        Probability that two elements from the same candidate region are in the same reference
        region.
        """
    @property
    def adapted_rand_recall(self) -> float:
        """Adapted Rand recall.

        Probability that two elements from the same reference region are in the same candidate
        region.
        """
    @property
    def adapted_rand_error(self) -> float:
        """Adapted Rand error.

        One minus the harmonic mean of adapted Rand precision and recall.
        """
    @property
    def adapted_rand_error_of_pairs(self) -> float:
        """Adapted Rand error of pairs.

        One minus the weighted harmonic mean of pairwise precision and recall.
        """
    @property
    def vi_split(self) -> float:
        """Split half of the variation of information.

        Bits that the candidate's regions add to the reference's regions: the cost of wrong splits.
        """
    @property
    def vi_merge(self) -> float:
        """Merge half of the variation of information.

        Bits that the candidate's regions lose of the reference's regions: the cost of wrong merges.
        """
    @property
    def cremi_score(self) -> float:
        """CREMI score.

        Geometric mean of the variation of information in bits and the adapted Rand error.
        """
    @property
    def segmentation_covering(self) -> float:
        """Segmentation covering.

        Jaccard index of each reference region with its best candidate region, weighted by region
        size.
        """
    @property
    def segmentation_covering_of_candidate(self) -> float:
        """Segmentation covering of the candidate.

        Jaccard index of each candidate region with its best reference region, weighted by region
        size.
        """
    @property
    def global_consistency_error(self) -> float:
        """Global consistency error.

        Share of its region that an element loses in the other partition, averaged; the smaller of
        both sides.
        """
    @property
    def local_consistency_error(self) -> float:
        """Local consistency error.

        Share of its smaller region that an element loses in the other partition, averaged.
        """
    @property
    def bidirectional_consistency_error(self) -> float:
        """Bidirectional consistency error.

        Share of its larger region that an element loses in the other partition, averaged.
        """
    @property
    def symmetric_best_dice(self) -> float:
        """Symmetric best Dice.

        Dice index of each region with its best partner, averaged; the smaller of both directions.
        """
    @property
    def panoptic_quality(self) -> float:
        """Panoptic quality.

        Recognition quality times segmentation quality: how many objects were found, and how well.
        """
    @property
    def segmentation_quality(self) -> float:
        """Segmentation quality.

        Mean IoU of the matched objects.
        """
    @property
    def recognition_quality(self) -> float:
        """Recognition quality.

        F1 of object detection; matches need J above the threshold.
        """
    @property
    def object_precision(self) -> float:
        """Object precision.

        Share of the candidate's objects that match a reference object.
        """
    @property
    def object_recall(self) -> float:
        """Object recall.

        Share of the reference's objects that match a candidate object.
        """
    @property
    def object_f1(self) -> float:
        """Object F1.

        Harmonic mean of object precision and recall.
        """
    @property
    def object_average_precision(self) -> float:
        """Average precision of objects.

        Matched objects as a share of all objects: TP/(TP + FP + FN).
        """
    @property
    def mean_object_average_precision(self) -> float:
        """Mean average precision of objects.

        Object average precision, averaged over ten thresholds.
        """
    @property
    def mean_true_iou(self) -> float:
        """Mean IoU of reference objects.

        IoU of each reference object with its match, averaged; unmatched objects count 0.
        """
    @property
    def seg_measure(self) -> float:
        """SEG measure.

        IoU of each reference object with the candidate object that covers most of it, averaged.
        """
    @property
    def aggregated_jaccard(self) -> float:
        """Aggregated Jaccard index.

        Total intersection of best partners, divided by their total union plus all unused objects.
        """
    @property
    def aggregated_jaccard_plus(self) -> float:
        """Aggregated Jaccard index, one to one.

        The aggregated Jaccard index with one-to-one matching.
        """
    @property
    def basic_merge_distance(self) -> float:
        """Basic merge distance.

        Number of splits and merges that turn one partition into the other through their overlaps.
        """
    @property
    def generalised_merge_distance(self) -> float:
        """Generalised merge distance.

        Cost of turning the reference into the candidate, with your own costs for splits and merges.
        """
    @property
    def lattice_distance_join(self) -> float:
        """Lattice distance through the join.

        Minimal number of merges and splits of whole clusters that turn one partition into the
        other.
        """
    @property
    def pantel_lin(self) -> float:
        """Pantel-Lin edit score.

        Share of the edits to build the reference by hand that the candidate saves.
        """
    @property
    def omega(self) -> float:
        """Omega index.

        Share of the pairs that share the same number of clusters on both sides, corrected for
        chance.
        """
    @property
    def unadjusted_omega(self) -> float:
        """Omega index without adjustment.

        Share of the pairs that share the same number of clusters on both sides.
        """
    @property
    def extended_bcubed_precision(self) -> float:
        """Extended B-cubed precision.

        B-cubed precision for covers: the share of shared candidate clusters that the reference
        supports.
        """
    @property
    def extended_bcubed_recall(self) -> float:
        """Extended B-cubed recall.

        B-cubed recall for covers: the share of shared reference clusters that the candidate keeps.
        """
    @property
    def extended_bcubed_f(self) -> float:
        """Extended B-cubed F-measure.

        Harmonic mean of extended B-cubed precision and recall.
        """
    @property
    def overlapping_average_f1(self) -> float:
        """Average F1 with overlaps.

        F1 of each cluster with its best partner, averaged over the clusters of each side and both
        sides.
        """
    @property
    def average_f1_harmonic(self) -> float:
        """Average F1, harmonic.

        Harmonic mean of both sides' average F1 with the best partners.
        """
    @property
    def average_f1_weighted(self) -> float:
        """Average F1, weighted by size.

        F1 of each cluster with its best partner, weighted by cluster size and averaged over both
        sides.
        """
    @property
    def average_f1_harmonic_weighted(self) -> float:
        """Average F1, harmonic and weighted by size.

        Harmonic mean of both sides' average F1 with the best partners, weighted by cluster size.
        """
    @property
    def best_partner_ochiai(self) -> float:
        """Ochiai measure of best partners.

        Harmonic mean of both sides' average Ochiai coefficient with the best partners.
        """
    @property
    def overlapping_matching_ratio(self) -> float:
        """Maximum matching ratio with overlaps.

        Squared overlap of matched clusters, averaged over the reference's clusters.
        """
    @property
    def overlapping_element_centric(self) -> float:
        """Element-centric similarity with overlaps.

        Similarity of the random walks that start from an element on each side, averaged over the
        elements.
        """
    @property
    def onmi_max(self) -> float:
        """Overlapping NMI, by the maximum.

        Information shared by the clusters, relative to the larger entropy.
        """
    @property
    def onmi_mean(self) -> float:
        """Overlapping NMI, by the mean.

        Information shared by the clusters, relative to the mean entropy.
        """
    @property
    def onmi_min(self) -> float:
        """Overlapping NMI, by the minimum.

        Information shared by the clusters, relative to the smaller entropy.
        """
    @property
    def onmi_sqrt(self) -> float:
        """Overlapping NMI, by the geometric mean.

        Information shared by the clusters, relative to the geometric mean of the entropies.
        """
    @property
    def onmi_joint(self) -> float:
        """Overlapping NMI, by the joint entropy.

        Information shared by the clusters, relative to their joint entropy.
        """
    @property
    def onmi_lfk(self) -> float:
        """Overlapping NMI of Lancichinetti, Fortunato and Kertész.

        Mean share of each cluster's entropy that its best partner explains.
        """
    @property
    def onmi_lfr(self) -> float:
        """Overlapping NMI, mean of the explained shares.

        Mean share of each side's entropy that the other side explains.
        """
    @property
    def pair_precision(self) -> float: ...
    @property
    def PrS(self) -> float: ...
    @property
    def wallace_ii(self) -> float: ...
    @property
    def ppv(self) -> float: ...
    @property
    def pair_recall(self) -> float: ...
    @property
    def ReS(self) -> float: ...
    @property
    def sensitivity(self) -> float: ...
    @property
    def wallace_i(self) -> float: ...
    @property
    def pair_f_beta(self) -> float: ...
    @property
    def pairwise_f(self) -> float: ...
    @property
    def FS(self) -> float: ...
    @property
    def RI(self) -> float: ...
    @property
    def RaS(self) -> float: ...
    @property
    def pair_accuracy(self) -> float: ...
    @property
    def simple_matching(self) -> float: ...
    @property
    def PRI(self) -> float: ...
    @property
    def GPS(self) -> float: ...
    @property
    def disagreement_rate(self) -> float: ...
    @property
    def pair_bonds_distance(self) -> float: ...
    @property
    def equivalence_mismatch_distance(self) -> float: ...
    @property
    def symmetric_difference(self) -> float: ...
    @property
    def GAS(self) -> float: ...
    @property
    def hubert(self) -> float: ...
    @property
    def JS(self) -> float: ...
    @property
    def critical_success_index(self) -> float: ...
    @property
    def CDS(self) -> float: ...
    @property
    def czekanowski(self) -> float: ...
    @property
    def czekanowski_dice(self) -> float: ...
    @property
    def sorensen(self) -> float: ...
    @property
    def pairwise_f1(self) -> float: ...
    @property
    def pair_specificity(self) -> float: ...
    @property
    def true_negative_rate(self) -> float: ...
    @property
    def pair_npv(self) -> float: ...
    @property
    def NPV(self) -> float: ...
    @property
    def pair_balanced_accuracy(self) -> float: ...
    @property
    def FM(self) -> float: ...
    @property
    def FMS(self) -> float: ...
    @property
    def ochiai(self) -> float: ...
    @property
    def KS(self) -> float: ...
    @property
    def kulczynski_2(self) -> float: ...
    @property
    def kulczynski_1(self) -> float: ...
    @property
    def simpson(self) -> float: ...
    @property
    def overlap_coefficient(self) -> float: ...
    @property
    def RTS(self) -> float: ...
    @property
    def SS1S(self) -> float: ...
    @property
    def SS2S(self) -> float: ...
    @property
    def gower_legendre(self) -> float: ...
    @property
    def ochiai_2(self) -> float: ...
    @property
    def RRS(self) -> float: ...
    @property
    def russel_rao(self) -> float: ...
    @property
    def PhS(self) -> float: ...
    @property
    def HGS(self) -> float: ...
    @property
    def hubert_gamma(self) -> float: ...
    @property
    def matthews(self) -> float: ...
    @property
    def pair_correlation(self) -> float: ...
    @property
    def informedness(self) -> float: ...
    @property
    def youden_j(self) -> float: ...
    @property
    def goodman_kruskal_gamma(self) -> float: ...
    @property
    def colligation(self) -> float: ...
    @property
    def cole_c7(self) -> float: ...
    @property
    def adjusted_simpson(self) -> float: ...
    @property
    def binder(self) -> float: ...
    @property
    def mirkin_over_n_squared(self) -> float: ...
    @property
    def n_invariant_mirkin(self) -> float: ...
    @property
    def KP(self) -> float: ...
    @property
    def lift_of_pairs(self) -> float: ...
    @property
    def scott_pi(self) -> float: ...
    @property
    def ARI(self) -> float: ...
    @property
    def ARS(self) -> float: ...
    @property
    def cohen_kappa_of_pairs(self) -> float: ...
    @property
    def modified_adjusted_rand(self) -> float: ...
    @property
    def adjusted_wallace(self) -> float: ...
    @property
    def AW(self) -> float: ...
    @property
    def AFM(self) -> float: ...
    @property
    def standardised_rand(self) -> float: ...
    @property
    def SRI(self) -> float: ...
    @property
    def entropy(self) -> float: ...
    @property
    def H(self) -> float: ...
    @property
    def conditional_entropy(self) -> float: ...
    @property
    def cluster_entropy(self) -> float: ...
    @property
    def MI(self) -> float: ...
    @property
    def MIS(self) -> float: ...
    @property
    def VI(self) -> float: ...
    @property
    def variation_of_information_over_log_n(self) -> float: ...
    @property
    def rajski(self) -> float: ...
    @property
    def rajski_distance(self) -> float: ...
    @property
    def normalised_variation_of_information(self) -> float: ...
    @property
    def ID(self) -> float: ...
    @property
    def normalised_information_distance(self) -> float: ...
    @property
    def normalised_mutual_information_arithmetic(self) -> float: ...
    @property
    def normalised_mutual_information(self) -> float: ...
    @property
    def NMI(self) -> float: ...
    @property
    def NMIS(self) -> float: ...
    @property
    def normalised_mutual_information_geometric(self) -> float: ...
    @property
    def nmi_sqrt(self) -> float: ...
    @property
    def normalised_mutual_information_max(self) -> float: ...
    @property
    def normalised_mutual_information_min(self) -> float: ...
    @property
    def normalised_mutual_information_joint(self) -> float: ...
    @property
    def HS(self) -> float: ...
    @property
    def theil_u(self) -> float: ...
    @property
    def CS(self) -> float: ...
    @property
    def VMS(self) -> float: ...
    @property
    def fair_nmi(self) -> float: ...
    @property
    def fair_normalised_mutual_information(self) -> float: ...
    @property
    def nvi_lfk(self) -> float: ...
    @property
    def nvi_reichart_rappoport(self) -> float: ...
    @property
    def dom(self) -> float: ...
    @property
    def AMI(self) -> float: ...
    @property
    def SMI(self) -> float: ...
    @property
    def standardized_mutual_information(self) -> float: ...
    @property
    def adjusted_mutual_information_q(self) -> float: ...
    @property
    def AMI_tsallis(self) -> float: ...
    @property
    def relative_nmi(self) -> float: ...
    @property
    def relative_normalised_mutual_information(self) -> float: ...
    @property
    def RMI(self) -> float: ...
    @property
    def NRMI(self) -> float: ...
    @property
    def nrmi_symmetric(self) -> float: ...
    @property
    def normalised_reduced_mutual_information_asymmetric(self) -> float: ...
    @property
    def PAMI(self) -> float: ...
    @property
    def RMI_dirichlet(self) -> float: ...
    @property
    def chi2(self) -> float: ...
    @property
    def adjusted_chi2(self) -> float: ...
    @property
    def contingency_coefficient(self) -> float: ...
    @property
    def adjusted_contingency_coefficient(self) -> float: ...
    @property
    def likelihood_ratio_statistic(self) -> float: ...
    @property
    def gk_lambda(self) -> float: ...
    @property
    def gk_tau(self) -> float: ...
    @property
    def PuS(self) -> float: ...
    @property
    def brohee_ppv(self) -> float: ...
    @property
    def collocation(self) -> float: ...
    @property
    def brohee_sensitivity(self) -> float: ...
    @property
    def brohee_sensitivity_ppv(self) -> float: ...
    @property
    def geometric_accuracy(self) -> float: ...
    @property
    def fscore(self) -> float: ...
    @property
    def clustering_f(self) -> float: ...
    @property
    def van_dongen(self) -> float: ...
    @property
    def NVD(self) -> float: ...
    @property
    def projection_distances(self) -> float: ...
    @property
    def CI(self) -> float: ...
    @property
    def clustering_accuracy(self) -> float: ...
    @property
    def ACC(self) -> float: ...
    @property
    def partition_distance(self) -> float: ...
    @property
    def NCA(self) -> float: ...
    @property
    def NPA(self) -> float: ...
    @property
    def PSI(self) -> float: ...
    @property
    def SPSI(self) -> float: ...
    @property
    def MMR(self) -> float: ...
    @property
    def b3_precision(self) -> float: ...
    @property
    def average_cluster_purity(self) -> float: ...
    @property
    def ACP(self) -> float: ...
    @property
    def b3_recall(self) -> float: ...
    @property
    def average_author_purity(self) -> float: ...
    @property
    def AAP(self) -> float: ...
    @property
    def bcubed_f1(self) -> float: ...
    @property
    def bcubed(self) -> float: ...
    @property
    def b3_f(self) -> float: ...
    @property
    def bcubed_macro(self) -> float: ...
    @property
    def cluster_f1(self) -> float: ...
    @property
    def ccf1(self) -> float: ...
    @property
    def TWI(self) -> float: ...
    @property
    def ceaf_m(self) -> float: ...
    @property
    def ceaf_e(self) -> float: ...
    @property
    def lea(self) -> float: ...
    @property
    def blanc_f1(self) -> float: ...
    @property
    def conll_f1(self) -> float: ...
    @property
    def ECS(self) -> float: ...
    @property
    def element_sim(self) -> float: ...
    @property
    def rand_merge_score(self) -> float: ...
    @property
    def v_rand_merge(self) -> float: ...
    @property
    def rand_split_score(self) -> float: ...
    @property
    def v_rand_split(self) -> float: ...
    @property
    def ARE(self) -> float: ...
    @property
    def voi_split(self) -> float: ...
    @property
    def voi_merge(self) -> float: ...
    @property
    def covering(self) -> float: ...
    @property
    def GCE(self) -> float: ...
    @property
    def LCE(self) -> float: ...
    @property
    def BCE(self) -> float: ...
    @property
    def SBD(self) -> float: ...
    @property
    def PQ(self) -> float: ...
    @property
    def SQ(self) -> float: ...
    @property
    def RQ(self) -> float: ...
    @property
    def object_accuracy(self) -> float: ...
    @property
    def mAP_objects(self) -> float: ...
    @property
    def SEG(self) -> float: ...
    @property
    def AJI(self) -> float: ...
    @property
    def AJI_plus(self) -> float: ...
    @property
    def lattice_distance_meet(self) -> float: ...
    @property
    def gmd(self) -> float: ...
    @property
    def GMD(self) -> float: ...
    @property
    def onmi(self) -> float: ...
    @property
    def ONMI(self) -> float: ...
    @property
    def onmi_sum(self) -> float: ...
