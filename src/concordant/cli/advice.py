"""Which index to report: common questions, the indices that answer them, and pitfalls.

Plain data. ``concordant explain --choose`` prints it, and docs/choosing.md shows it with examples.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from concordant.foundation.text_layout import line_width


@dataclass(frozen=True, slots=True)
class Advice:
    """A question or a kind of data, the indices to report, why, and the pitfall."""

    case: str
    names: tuple[str, ...]
    because: str
    beware: str


BY_QUESTION = (
    Advice(
        "Is my clustering the same as the truth?",
        ("adjusted_rand", "adjusted_mutual_information"),
        "Both are 1 for identical partitions and 0 on average for random ones, for any number of clusters. "
        "Large clusters count for more in ARI than in AMI. If the two disagree, look at the "
        "clusters that are wrong.",
        "rand, nmi_arithmetic and purity can be high even for useless partitions.",
    ),
    Advice(
        "Did it split clusters, or merge them?",
        ("precision", "recall", "adjusted_wallace_precision", "adjusted_wallace_recall"),
        "Low recall means that true clusters were split. Low precision means that they were merged. The "
        "adjusted Wallace indices are corrected for chance.",
        "Report precision together with recall. If all clusters are singletons, precision is 1; if there is "
        "only one cluster, recall is 1.",
    ),
    Advice(
        "Which of two candidates is better?",
        ("adjusted_rand", "adjusted_mutual_information"),
        "If the numbers of clusters differ, compare chance-adjusted indices. Report the difference with its "
        "interval.",
        "Many other indices depend on the number of clusters: purity and homogeneity favour many clusters, "
        "recall and completeness few.",
    ),
    Advice(
        "I need a distance that obeys the triangle inequality.",
        ("variation_of_information", "rand_distance", "transfer_distance", "split_join"),
        "`variation_of_information` measures information, `rand_distance` pairs, `transfer_distance` and "
        "`split_join` records that move. Use them for medians, embeddings and clusterings of clusterings.",
        "1 − adjusted_rand and 1 − nmi_arithmetic are not metrics. 1 − nmi_joint and 1 − nmi_max are.",
    ),
    Advice(
        "How many records are in the wrong cluster?",
        ("matching_accuracy", "transfer_distance"),
        "These match clusters one to one. `matching_accuracy` is the share of records inside the matches; "
        "`transfer_distance` is the number outside.",
        "At most one part of a split cluster counts as correct.",
    ),
    Advice(
        "How likely is this agreement by chance?",
        ("lerman", "standardised_mutual_information"),
        "Both are z-scores: the number of standard deviations above the mean over all permutations. "
        "`c.significance` gives p-values.",
        "For the same strength of agreement, a z-score grows with the number of records.",
    ),
    Advice(
        "What do I cite, and what do I print with the number?",
        ("adjusted_rand", "adjusted_mutual_information"),
        "`concordant explain NAME` shows the papers to cite for an index. Print the signature of the "
        "comparison, which lists version, sizes and conventions in one line.",
        "“NMI”, “F1” and “B-cubed” each name several indices. Give the full name.",
    ),
)

BY_DATA = (
    Advice(
        "A few large clusters of similar size",
        ("adjusted_rand", "matching_accuracy"),
        "Here, pair-counting and matching indices usually agree on which candidate is better.",
        "rand is near 0.5 even for two random divisions into halves.",
    ),
    Advice(
        "Many small clusters: entity resolution, deduplication",
        ("precision", "recall", "f_measure", "bcubed_f", "cluster_f"),
        "Pairwise scores judge the matcher's decisions. B-cubed asks how well one record is served. Cluster "
        "scores count the entities users see intact. The three kinds can disagree, so report one of each.",
        "Nearly all pairs are apart on both sides, so rand is close to 1 even for poor candidates.",
    ),
    Advice(
        "Very unequal sizes",
        ("adjusted_mutual_information", "bcubed_f", "element_centric"),
        "These count each record once. In pair counting, a cluster of 1,000 has about half a million "
        "pairs, and a cluster of two has one.",
        "In pair counting, one large correct cluster can hide a thousand small wrong ones.",
    ),
    Advice(
        "Singletons",
        ("bcubed_f", "element_centric", "cluster_f"),
        "These treat singletons like any other cluster.",
        "Pairwise precision and recall, and MUC, give no credit for correct singletons. Purity and "
        "homogeneity are 1 if all candidate clusters are singletons.",
    ),
    Advice(
        "Coreference chains",
        ("conll", "lea_f1", "muc_f1", "bcubed_f", "ceaf_e_f1"),
        "Papers report the CoNLL average, the mean of MUC, B-cubed and CEAF-e. LEA weights each chain by its "
        "size.",
        "Keep mentions that are on one side only, or your numbers will differ from published ones. "
        "`concordant coref` sums counts over documents.",
    ),
    Advice(
        "Communities of a network",
        ("adjusted_mutual_information", "variation_of_information", "element_centric"),
        "The number of detected communities is often wrong; AMI corrects for that. `element_centric` is a "
        "mean over nodes; `c.records()` lists the nodes that differ most.",
        "nmi_arithmetic, the usual choice in the field, grows with the number of communities even if they "
        "are random.",
    ),
    Advice(
        "Different numbers of clusters",
        ("adjusted_rand", "adjusted_mutual_information", "homogeneity", "completeness"),
        "Adjusted indices average 0 for random labels, whatever the number of clusters. Homogeneity and "
        "completeness show which side is finer.",
        "One-to-one matching counts the records of surplus clusters as wrong.",
    ),
    Advice(
        "Noise, outliers, records in no cluster",
        ("adjusted_rand", "bcubed_f"),
        "Decide whether noise is one cluster, singletons, or left out. The signature records your choice.",
        "If you treat noise as one cluster, unrelated records count as belonging together.",
    ),
    Advice(
        "Hierarchies: dendrograms, taxonomies",
        ("bakers_gamma", "cophenetic_correlation", "shared_cluster_f1", "triplet_agreement"),
        "`bakers_gamma` compares the order in which pairs join, and `cophenetic_correlation` compares the "
        "heights. `shared_cluster_f1` and `triplet_agreement` ignore heights. To compare true clusters with "
        "a hierarchy or scored pairs, use a partition index at every cut.",
        "Most pairs join near the top, so `bakers_gamma` and `cophenetic_correlation` mostly reflect the few "
        "large joins there.",
    ),
    Advice(
        "Memberships: mixtures, topic models",
        ("soft_adjusted_rand", "soft_matching_accuracy"),
        "`soft_adjusted_rand` compares pairs and is 0 on average for permuted records. "
        "`soft_matching_accuracy` is the share of weight that both sides put on matched clusters.",
        "If you keep only the largest weight of each record, you no longer know how certain each side was.",
    ),
    Advice(
        "Huge data",
        ("adjusted_rand", "adjusted_mutual_information", "bcubed_f"),
        "These need only the sizes of clusters and overlaps.",
        "The cost of one-to-one matching depends on how the clusters overlap.",
    ),
)

SECTIONS: dict[str, tuple[Advice, ...]] = {"By question": BY_QUESTION, "By data": BY_DATA}


def advice() -> str:
    """The advice as plain text.

    >>> advice().splitlines()[0]
    'Which index to report?'
    """
    lines = ["Which index to report?", ""]
    for title, section in SECTIONS.items():
        lines += [title.upper(), ""]
        for each in section:
            lines += [
                *_indented(each.case, ""),
                *_indented(", ".join(each.names), "  report  "),
                *_indented(each.because, "  because "),
                *_indented(each.beware, "  beware  "),
                "",
            ]
    lines += _indented("For one index: concordant explain NAME. For examples: docs/choosing.md.", "")
    return "\n".join(lines) + "\n"


def _indented(text: str, first: str) -> list[str]:
    return textwrap.wrap(
        text, line_width(), initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False
    )
