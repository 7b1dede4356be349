"""Which index to report: questions people come with, the indices that answer, and what to beware of.

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
        "Both are 1 for identical partitions and 0 on average for shuffled ones, whatever the number of "
        "clusters. Large clusters weigh more in the first, small ones in the second; where they disagree, "
        "look at which clusters are wrong.",
        "rand, nmi_arithmetic and purity look high for useless partitions.",
    ),
    Advice(
        "Did it split what belongs together, or merge what belongs apart?",
        ("precision", "recall", "adjusted_wallace_precision", "adjusted_wallace_recall"),
        "Low recall: clusters of the reference were split. Low precision: they were merged. The adjusted "
        "forms say so beyond chance, and the two halves of the variation of information do it too.",
        "Never report one without the other: singletons have precision 1, one big cluster recall 1.",
    ),
    Advice(
        "Which of two candidates is better?",
        ("adjusted_rand", "adjusted_mutual_information"),
        "Only an index adjusted for chance compares candidates with different numbers of clusters. Against "
        "the same reference, report the difference and how it varies over samples of the elements.",
        "Most indices that are not adjusted favour the candidate with more clusters.",
    ),
    Advice(
        "I need a distance that obeys the triangle inequality.",
        ("variation_of_information", "rand_distance", "transfer_distance", "split_join"),
        "For medians, embeddings and clusterings of clusterings. The first measures information, the second "
        "pairs, the last two elements that have to be moved.",
        "1 − adjusted_rand and 1 − nmi_arithmetic are not metrics; 1 − nmi_joint and 1 − nmi_max are.",
    ),
    Advice(
        "How many elements are in the wrong cluster?",
        ("matching_accuracy", "transfer_distance"),
        "Clusters are paired one to one as well as possible, and the elements outside the pairs are counted: "
        "a number that everyone understands.",
        "Only one part of a split cluster counts as right, however the rest was cut.",
    ),
    Advice(
        "How likely is such agreement by chance?",
        ("lerman", "standardised_mutual_information"),
        "Standard deviations above the mean of all permutations.",
        "A z-score grows with the number of elements: it tests, but does not measure.",
    ),
    Advice(
        "What do I cite, and what do I print beside the number?",
        ("adjusted_rand", "adjusted_mutual_information", "nmi_arithmetic"),
        "Every index carries its reference (`concordant explain NAME`), and the signature of a comparison is "
        "one line with version, sizes and conventions. Print both.",
        "“NMI”, “F1” and “B-cubed” each name several indices: give the full name, with its mean or weight.",
    ),
)

BY_DATA = (
    Advice(
        "A few large clusters of similar size",
        ("adjusted_rand", "matching_accuracy"),
        "Pairs and matched elements say the same here.",
        "Two shuffled halves already agree on half of all pairs: rand is near 0.5 without any skill.",
    ),
    Advice(
        "Many small clusters: entity resolution, deduplication",
        ("precision", "recall", "f_measure", "bcubed_f", "cluster_f"),
        "Pairs are what a matcher decides, B-cubed is what a record sees, and exact clusters are what a user "
        "of the result gets. The three can disagree, so report one of each.",
        "Nearly all pairs are apart on both sides, so rand is 0.99 and more for anything.",
    ),
    Advice(
        "Very unequal sizes",
        ("adjusted_mutual_information", "bcubed_f", "element_centric"),
        "Each element has one vote there. In pair counting a cluster of 1,000 has half a million votes, and "
        "a cluster of two has one.",
        "One big cluster that is right hides a thousand small ones that are wrong.",
    ),
    Advice(
        "Singletons",
        ("bcubed_f", "element_centric", "cluster_f"),
        "Singletons are clusters like others to these.",
        "Pair counting and MUC do not see singletons at all; purity and homogeneity are 1 if all are "
        "singletons.",
    ),
    Advice(
        "Coreference chains",
        ("conll", "lea_f1", "muc_f1", "bcubed_f", "ceaf_e_f1"),
        "The CoNLL average is what papers report, and it is the mean of MUC, B-cubed and CEAF-e; LEA "
        "weighs each chain by its size.",
        "Keep the mentions that only one side has, or the numbers are not those of papers; "
        "`concordant coref` sums over documents.",
    ),
    Advice(
        "Communities of a network",
        ("adjusted_mutual_information", "variation_of_information", "element_centric"),
        "Detected communities differ in number and size from the planted ones, which is what the first "
        "corrects for; the last also says which nodes are placed differently.",
        "nmi_arithmetic, the custom of the field, grows with the number of communities.",
    ),
    Advice(
        "Different numbers of clusters",
        ("adjusted_rand", "adjusted_mutual_information", "homogeneity", "completeness"),
        "Adjusted indices keep 0 at chance for any two numbers; homogeneity against completeness shows which "
        "side is finer.",
        "One-to-one matching leaves the surplus clusters without a partner and counts them as wrong.",
    ),
    Advice(
        "Noise, outliers, elements in no cluster",
        ("adjusted_rand", "bcubed_f"),
        "Say what noise means: one cluster, singletons, or left out. The signature keeps the choice.",
        "A label -1 that is taken for a cluster joins elements that have nothing to do with each other.",
    ),
    Advice(
        "Hierarchies: dendrograms, taxonomies",
        ("bakers_gamma", "cophenetic_correlation", "shared_cluster_f", "triplet_agreement"),
        "The first compares the order in which pairs join, the second also the heights, the last two only "
        "which clusters there are. For a truth against a hierarchy or scored pairs, read an index of "
        "partitions at every cut.",
        "Correlations of heights follow the few large joins at the top, which most pairs share.",
    ),
    Advice(
        "Memberships: mixtures, topic models, draws of a posterior",
        ("soft_adjusted_rand", "soft_matching_accuracy"),
        "The first compares pairs and is 0 on average for permuted records; the second gives the weight "
        "that both sides put on the same clusters.",
        "Labels of the largest weight hide how sure each side was.",
    ),
    Advice(
        "Huge data",
        ("adjusted_rand", "adjusted_mutual_information", "bcubed_f"),
        "They need only the sizes of clusters and overlaps, of which even huge data have few distinct ones.",
        "One-to-one matching is the exception: its time depends on how the clusters overlap.",
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
    lines += _indented("More on one of them: concordant explain NAME. With examples: docs/choosing.md.", "")
    return "\n".join(lines) + "\n"


def _indented(text: str, first: str) -> list[str]:
    return textwrap.wrap(
        text, line_width(), initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False
    )
