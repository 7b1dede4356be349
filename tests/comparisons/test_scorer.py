"""An index as a scorer of scikit-learn: the best model is the one that the index calls best."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from inner import INDICES
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import AgglomerativeClustering
from sklearn.model_selection import GridSearchCV, cross_val_score

import concordant as cc
from concordant.errors import ParameterError, UnknownIndexError

CENTRES = np.array([(0, 0), (9, 0), (0, 9), (1, 1), (9, 1), (0, 8)])
Y = np.arange(90) % 3
X = CENTRES[Y] + np.column_stack([np.arange(90) % 5, np.arange(90) % 7]) / 5 - 0.6


class Nearest(ClusterMixin, BaseEstimator):
    """The nearest of the first centres: the same clusters with every version and on every machine."""

    def __init__(self, n_clusters=3):
        self.n_clusters = n_clusters

    def fit(self, X, y=None):  # noqa: ARG002  (the arguments of scikit-learn)
        self.centres_ = CENTRES[: self.n_clusters]
        return self

    def predict(self, X):
        return ((X[:, None] - self.centres_) ** 2).sum(axis=2).argmin(axis=1)


MODEL = Nearest()


@pytest.mark.parametrize("index", ["adjusted_mutual_information", "variation_of_information", "ARI"])
def test_a_search_finds_the_number_of_clusters(index):
    search = GridSearchCV(MODEL, {"n_clusters": [2, 3, 6]}, scoring=cc.scorer(index), cv=3).fit(X, Y)
    assert search.best_params_ == {"n_clusters": 3}
    assert search.best_score_ == INDICES[index].perfect


def test_several_indices_at_once():
    scoring = {name: cc.scorer(name) for name in ("precision", "recall")}
    search = GridSearchCV(MODEL, {"n_clusters": [2, 3]}, scoring=scoring, refit="recall", cv=3).fit(X, Y)
    assert search.cv_results_["mean_test_precision"][0] < search.cv_results_["mean_test_precision"][1] == 1


def test_the_score_is_the_value_of_the_index():
    model = Nearest(2).fit(X)
    assert cc.scorer("bcubed_f")(model, X, Y) == cc.bcubed_f(Y, model.predict(X))
    assert cc.scorer("rand_distance")(model, X, Y) == -cc.rand_distance(Y, model.predict(X))
    assert np.isfinite(cross_val_score(model, X, Y, scoring=cc.scorer("f_measure(beta=2)"))).all()


def test_it_can_be_sent_to_other_processes_and_says_what_it_is():
    copy = pickle.loads(pickle.dumps(cc.scorer("f_measure(beta=2)")))
    assert repr(copy) == "scorer('f_measure(beta=2)')"


def test_what_cannot_score_is_refused():
    with pytest.raises(ParameterError, match="chi_square has no direction"):
        cc.scorer("chi_square")
    with pytest.raises(UnknownIndexError, match="did you mean"):
        cc.scorer("adjusted_rnd")
    with pytest.raises(ParameterError, match="pass them as y"):
        cc.scorer("ARI")(MODEL, X)
    without = AgglomerativeClustering(3).fit(X)
    with (
        pytest.warns(UserWarning, match="GridSearchCV gives every setting the score NaN"),
        pytest.raises(ParameterError, match=r"AgglomerativeClustering has no predict\(\)"),
    ):
        cc.scorer("ARI")(without, X, Y)


def test_scikit_learn_is_not_imported():
    code = "import sys, concordant as cc; cc.scorer('ARI'); sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603  (our own code)
