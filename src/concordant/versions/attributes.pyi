"""The indices of the kind `diff` as attributes. Written by scripts/make_types.py from the declarations."""

from typing import ClassVar

from concordant.indices.catalogue import Catalogue

class DiffIndices:
    _sections: ClassVar[tuple[Catalogue, ...]]

    @property
    def affected(self) -> float:
        """Affected records.

        Share of the records whose cluster changed.

        Notes
        -----
        mean of [U ≠ V], in [0, 1].

        References
        ----------
        this library.
        """
    @property
    def split_rate(self) -> float:
        """Split rate.

        Share of its cluster before that a record lost.

        It is 1 − bcubed_recall of the comparison of both clusterings.

        Notes
        -----
        mean of w(S) / w(U), in [0, 1].

        References
        ----------
        van Staden & Grubb 2024, arXiv:2407.21430.
        """
    @property
    def merge_rate(self) -> float:
        """Merge rate.

        Share of its cluster after that is new.

        It is 1 − bcubed_precision of the comparison of both clusterings.

        Notes
        -----
        mean of w(M) / w(V), in [0, 1].

        References
        ----------
        van Staden & Grubb 2024, arXiv:2407.21430.
        """
    @property
    def jaccard_distance(self) -> float:
        """Jaccard distance.

        Share of both clusters that only one of them has.

        It is 1 − element_jaccard of the comparison of both clusterings.

        Notes
        -----
        mean of D(U, V), in [0, 1].

        References
        ----------
        van Staden & Grubb 2024, arXiv:2407.21430.
        """
    @property
    def split_distance(self) -> float:
        """Split distance.

        Part of jaccard_distance that was split off.

        Notes
        -----
        mean of w(S) / w(U∪V), in [0, 1].

        References
        ----------
        van Staden 2024a, arXiv:2409.18522.
        """
    @property
    def merge_distance(self) -> float:
        """Merge distance.

        Part of jaccard_distance that was merged in.

        Notes
        -----
        mean of w(M) / w(U∪V), in [0, 1].

        References
        ----------
        van Staden 2024a, arXiv:2409.18522.
        """
    @property
    def good_split_rate(self) -> float:
        """Good split rate.

        Split off, and another entity.

        Together with bad_split_rate it is split_rate.

        Notes
        -----
        mean of w(S∖T) / w(U), in [0, 1].

        References
        ----------
        van Staden & Grubb 2024, arXiv:2407.21430.
        """
    @property
    def bad_split_rate(self) -> float:
        """Bad split rate.

        Split off, but the same entity.

        Notes
        -----
        mean of w(S∩T) / w(U), in [0, 1].

        References
        ----------
        van Staden & Grubb 2024, arXiv:2407.21430.
        """
    @property
    def good_merge_rate(self) -> float:
        """Good merge rate.

        Merged in, and the same entity.

        Together with bad_merge_rate it is merge_rate.

        Notes
        -----
        mean of w(M∩T) / w(V), in [0, 1].

        References
        ----------
        van Staden & Grubb 2024, arXiv:2407.21430.
        """
    @property
    def bad_merge_rate(self) -> float:
        """Bad merge rate.

        Merged in, but another entity.

        Notes
        -----
        mean of w(M∖T) / w(V), in [0, 1].

        References
        ----------
        van Staden & Grubb 2024, arXiv:2407.21430.
        """
    @property
    def delta_precision(self) -> float:
        """Change of precision.

        Change of B-cubed precision.

        It is good_merge_rate − bad_split_rate + kept.

        Notes
        -----
        mean of w(V∩T)/w(V) − w(U∩T)/w(U), in [-1, 1].

        References
        ----------
        van Staden & Grubb 2024, arXiv:2407.21430.
        """
    @property
    def kept(self) -> float:
        """Change of precision by kept records.

        Change of precision by pairs kept together.

        When a cluster grows, each of its old pairs has a smaller share of it.

        Notes
        -----
        mean of w(K∩T)/w(V) − w(K∩T)/w(U), in [-1, 1].

        References
        ----------
        this library: the rest of delta_precision.
        """
    @property
    def delta_recall(self) -> float:
        """Change of recall.

        Change of B-cubed recall.

        Notes
        -----
        mean of (w(M∩T) − w(S∩T)) / w(T), in [-1, 1].

        References
        ----------
        van Staden 2024b, arXiv:2409.13376.
        """
    @property
    def delta_recall_closed(self) -> float:
        """Closed change of recall.

        Change of recall within both clusters.

        For each record it has the sign of delta_recall and is at least as far from 0.

        Notes
        -----
        mean of (w(M∩T) − w(S∩T)) / w(T′), in [-1, 1].

        References
        ----------
        this library: bounds from the records of both clusters.
        """
    @property
    def gain_recall_closed(self) -> float:
        """Closed gain of recall.

        Gain of recall: delta_recall is at most this.

        It is the mean of the positive values of delta_recall_closed.

        Notes
        -----
        mean of max(w(M∩T) − w(S∩T), 0) / w(T′), in [0, 1].

        References
        ----------
        this library: bounds from the records of both clusters.
        """
    @property
    def loss_recall_closed(self) -> float:
        """Closed loss of recall.

        Loss of recall: delta_recall is at least −this.

        It is the mean of the negative values of delta_recall_closed, without their sign.

        Notes
        -----
        mean of max(w(S∩T) − w(M∩T), 0) / w(T′), in [0, 1].

        References
        ----------
        this library: bounds from the records of both clusters.
        """
    @property
    def improvement(self) -> float:
        """Improvement.

        How much nearer to the entity (Jaccard distance).

        Notes
        -----
        mean of D(U, T) − D(V, T), in [-1, 1].

        References
        ----------
        van Staden 2024b, arXiv:2409.13376.
        """
    @property
    def improvement_closed(self) -> float:
        """Closed improvement.

        Improvement within both clusters.

        Notes
        -----
        mean of D(U, T′) − D(V, T′), in [-1, 1].

        References
        ----------
        this library: bounds from the records of both clusters.
        """
    @property
    def iq(self) -> float:
        """Improvement quotient.

        Improvement per unit of change, from −1 to 1.

        −1 if every change is wrong, 1 if every change is right.

        Notes
        -----
        improvement / jaccard_distance, in [-1, 1].

        References
        ----------
        van Staden 2024b, arXiv:2409.13376.
        """
    @property
    def iq_closed(self) -> float:
        """Closed improvement quotient.

        Closed improvement per unit of change.

        It can differ in sign from iq where entities reach beyond both runs.

        Notes
        -----
        improvement_closed / jaccard_distance, in [-1, 1].

        References
        ----------
        this library: bounds from the records of both clusters.
        """
    @property
    def recall_ratio(self) -> float:
        """Recall ratio.

        True pairs after the change over those before.

        It is infinite if there are true pairs only after.

        Notes
        -----
        true pairs after / true pairs before, in [0, ∞).

        References
        ----------
        this library: the ratio of the recalls of pairs.
        """
