"""The indices of the kind `soft` as attributes. Written by scripts/make_types.py from the declarations."""

from typing import ClassVar

from concordant.indices.catalogue import Catalogue

class SoftIndices:
    _sections: ClassVar[tuple[Catalogue, ...]]

    @property
    def soft_adjusted_rand(self) -> float:
        """Soft adjusted Rand index.

        How much closer the two sides are, pair by pair, than after permuting the records of one side.

        1 if both sides put every pair together with the same probability; 0 on average for permuted
        records.

        Notes
        -----
        1 − Σ(p − q)² / E[Σ(p − q)²], in (-∞, 1].

        References
        ----------
        this library: the adjusted Rand index of Hubert & Arabie 1985 for probabilities.
        """
    @property
    def soft_rand_squared(self) -> float:
        """Soft Rand index, squared differences.

        One minus the mean squared difference of the probabilities that a pair is together.

        Notes
        -----
        1 − Σ(p − q)² / T, in [0, 1].

        References
        ----------
        this library: the Rand index of Rand 1971 for probabilities.
        """
    @property
    def soft_rand(self) -> float:
        """Soft Rand index.

        One minus the mean absolute difference of the probabilities that a pair is together.

        Notes
        -----
        1 − Σ|p − q| / T, in [0, 1].

        References
        ----------
        Denœux, Li & Sriboonchitta 2018, IEEE Trans. Fuzzy Syst. 26:1231, for probabilities.
        """
    @property
    def soft_matching_accuracy(self) -> float:
        """Soft matching accuracy.

        The weight that both sides give to the same clusters, under the best one-to-one matching of
        clusters.

        1 only if both sides are equal up to cluster names. Pair-counting indices miss some differences that
        this index detects, so read it together with soft_adjusted_rand.

        Notes
        -----
        max over one-to-one names σ of Σₓ Σᵢ min(uₓᵢ, vₓσ₍ᵢ₎) / n, in [0, 1].

        References
        ----------
        this library: matching accuracy for weights.
        """
    @property
    def degree_of_concordance(self) -> float:
        """Degree of concordance.

        One minus the mean absolute difference of the row similarities of a pair on both sides.

        Equal rows count as together, whatever their weights. If all rows are equal, the value against one
        cluster is 1.

        Notes
        -----
        1 − Σ|e − f| / T, with e(x, y) = 1 − ½Σ|uₓ − u_y|, in [0, 1].

        References
        ----------
        Hüllermeier, Rifqi, Henzgen & Senge 2012, IEEE Trans. Fuzzy Syst. 20:546.
        """
    @property
    def adjusted_concordance(self) -> float:
        """Adjusted concordance index.

        The degree of concordance, rescaled so permuted records score 0 on average.

        Notes
        -----
        (NDC − E[NDC]) / (1 − E[NDC]), NDC the degree of concordance, in (-∞, 1].

        References
        ----------
        D'Ambrosio, Amodio, Iorio, Pandolfo & Siciliano 2021, J. Classif. 38:112.
        """
    @property
    def frobenius_adjusted_rand(self) -> float:
        """Frobenius adjusted Rand index.

        Agreement of the two Gram matrices of rows, each scaled to match itself best.

        A record also counts with itself, and scaling makes vague rows look sharp.

        Notes
        -----
        (FRI − E[FRI]) / (1 − E[FRI]), FRI = 1 − ‖αA − βB‖² / n(n − 1), A = UU′, α = ΣA / ΣA², in (-∞, 1].

        References
        ----------
        Andrews, Browne & Hvingelby 2022, J. Classif. 39:326.
        """
