"""Which index to report: common questions, the indices that answer them, and pitfalls.

Plain data. ``concordant explain --choose`` prints it, and docs/choosing.md shows it with examples.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from concordant.text_layout import line_width


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
        "Large clusters weigh more in the first, small ones in the second. If the two disagree, look at the "
        "clusters that are wrong.",
        "rand, nmi_arithmetic and purity can be high even for useless partitions.",
    ),
    Advice(
        "Did it split clusters, or merge them?",
        ("precision", "recall", "adjusted_wallace_precision", "adjusted_wallace_recall"),
        "Low recall means that true clusters were split. Low precision means that they were merged. The last "
        "two are corrected for chance.",
        "Report both. Singletons have precision 1, and one big cluster has recall 1.",
    ),
    Advice(
        "Which of two candidates is better?",
        ("adjusted_rand", "adjusted_mutual_information"),
        "If the numbers of clusters differ, only chance-adjusted indices are comparable. Report the "
        "difference with its interval.",
        "Most unadjusted indices favour the candidate with more clusters.",
    ),
    Advice(
        "I need a distance that obeys the triangle inequality.",
        ("variation_of_information", "rand_distance", "transfer_distance", "split_join"),
        "The first measures information, the second pairs, and the last two the elements that have to move. "
        "Use them for medians, embeddings and clusterings of clusterings.",
        "1 − adjusted_rand and 1 − nmi_arithmetic are not metrics. 1 − nmi_joint and 1 − nmi_max are.",
    ),
    Advice(
        "How many elements are in the wrong cluster?",
        ("matching_accuracy", "transfer_distance"),
        "These match clusters one to one and count the elements outside the matches. Everyone "
        "understands the result.",
        "Only one part of a split cluster counts as correct.",
    ),
    Advice(
        "How likely is this agreement by chance?",
        ("lerman", "standardised_mutual_information"),
        "Both count standard deviations above the mean of all permutations.",
        "A z-score grows with the number of elements. It does not measure the strength of agreement.",
    ),
    Advice(
        "What do I cite, and what do I print with the number?",
        ("adjusted_rand", "adjusted_mutual_information"),
        "`concordant explain NAME` shows the paper behind an index. The signature of a comparison lists "
        "version, sizes and conventions in one line. Print both.",
        "“NMI”, “F1” and “B-cubed” each name several indices. Give the full name.",
    ),
)

BY_DATA = (
    Advice(
        "A few large clusters of similar size",
        ("adjusted_rand", "matching_accuracy"),
        "Pair-counting and matching indices agree here.",
        "rand is near 0.5 even for two random divisions into halves.",
    ),
    Advice(
        "Many small clusters: entity resolution, deduplication",
        ("precision", "recall", "f_measure", "bcubed_f", "cluster_f"),
        "Pairwise scores reflect the matcher's decisions, B-cubed the perspective of one record, and cluster "
        "scores what users see. The three can disagree, so report one of each.",
        "Nearly all pairs are apart on both sides, so rand is above 0.99 for almost anything.",
    ),
    Advice(
        "Very unequal sizes",
        ("adjusted_mutual_information", "bcubed_f", "element_centric"),
        "Each element has one vote. In pair counting, a cluster of 1,000 has half a million votes, and a "
        "cluster of two has one.",
        "In pair counting, one large correct cluster hides a thousand small wrong ones.",
    ),
    Advice(
        "Singletons",
        ("bcubed_f", "element_centric", "cluster_f"),
        "These treat singletons like any other cluster.",
        "Pair counting and MUC ignore singletons. Purity and homogeneity are 1 if all clusters are "
        "singletons.",
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
        "Detected communities often differ in number from the planted ones, and the first corrects for that. "
        "The last also shows which nodes are placed differently.",
        "nmi_arithmetic, the usual choice in the field, grows with the number of communities.",
    ),
    Advice(
        "Different numbers of clusters",
        ("adjusted_rand", "adjusted_mutual_information", "homogeneity", "completeness"),
        "Adjusted indices average 0 for random labels, whatever the number of clusters. Homogeneity and "
        "completeness show which side is finer.",
        "One-to-one matching counts surplus clusters as wrong.",
    ),
    Advice(
        "Noise, outliers, elements in no cluster",
        ("adjusted_rand", "bcubed_f"),
        "Decide whether noise is one cluster, singletons, or left out. The signature records your choice.",
        "If you treat -1 as a cluster, unrelated elements are together.",
    ),
    Advice(
        "Hierarchies: dendrograms, taxonomies",
        ("bakers_gamma", "cophenetic_correlation", "shared_cluster_f", "triplet_agreement"),
        "The first compares the order in which pairs join, the second also the heights, and the last two "
        "only the clusters. To compare true clusters with a hierarchy or with scored pairs, use a partition "
        "index at every cut.",
        "Height correlations mostly reflect the few large joins at the top.",
    ),
    Advice(
        "Memberships: mixtures, topic models, posterior draws",
        ("soft_adjusted_rand", "soft_matching_accuracy"),
        "The first compares pairs and is 0 on average for permuted records. The second is the weight that "
        "both sides put on the same clusters.",
        "If you keep only the largest weight, you no longer know how sure each side was.",
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
