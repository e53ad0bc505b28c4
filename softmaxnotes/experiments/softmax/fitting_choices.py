r"""How well a fitted learner predicts choices that it was not fitted to, alone or as one of a group.

    >>> round(predict("guessing", seed=0, budget=25)["held out"], 4)
    -0.6931
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, softmax

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.softmax import fit, log_likelihood, simulate

__all__ = ["POOLING_25", "POOLING_50", "POOLING_100", "POOLING_200", "SPREADS", "empirical_prior", "grid",
           "group_of", "log_likelihoods", "posterior", "spread_of"]

#: Ways of fitting a group, between knowing nothing and knowing all.
WAYS = ("guessing", "one for all", "each alone", "fixed prior", "earlier study", "empirical prior",
        "true numbers")
PLAYERS, HELD_OUT = 40, 100
#: Trials of each player in the earlier study, and how far its seed is from that of the group.
EARLIER, APART = 200, 10_000


def group_of(n_trials, n_players=PLAYERS, *, rng):
    """A group of learners in the reversal task: two machines that exchange their roles after fifty trials.

    Learning rates are uniform between 0.05 and 0.6, inverse temperatures have a gamma distribution with mean
    4 and standard deviation 2; neither is normal after the transforms.

    Parameters
    ----------
    n_trials, n_players : int
    rng : None, int or numpy.random.Generator

    Returns
    -------
    alpha, beta : ndarray, shape (S,)
    players : Choices
        Of shape (S, T).

    Examples
    --------
    >>> group_of(25, rng=0)[2].choices.shape
    (40, 25)
    """
    rng = np.random.default_rng(rng)
    alpha, beta = rng.uniform(0.05, 0.6, n_players), rng.gamma(4.0, size=n_players)
    first_is_good = np.arange(n_trials) // 50 % 2 == 0
    chances = np.where(first_is_good[:, None], [0.8, 0.2], [0.2, 0.8])
    offers = (rng.random((n_players, n_trials, 2)) < chances).astype(float)
    return alpha, beta, simulate(alpha, beta, offers, rng=rng)


def grid(n_alpha=49, n_beta=37):
    r"""Pairs of :math:`\operatorname{logit}\alpha` from -6 to 6 and :math:`\log\beta` from -2 to 4.

    Parameters
    ----------
    n_alpha, n_beta : int

    Returns
    -------
    ndarray, shape (G, 2)

    Examples
    --------
    >>> grid(2, 2).tolist()
    [[-6.0, -2.0], [-6.0, 4.0], [6.0, -2.0], [6.0, 4.0]]
    """
    a, b = np.meshgrid(np.linspace(-6, 6, n_alpha), np.linspace(-2, 4, n_beta), indexing="ij")
    return np.stack([a.ravel(), b.ravel()], axis=-1)


def log_likelihoods(players, points):
    """The log-likelihood of each player at each point of a grid.

    Parameters
    ----------
    players : Choices
        Of shape (S, T), between two machines.
    points : ndarray, shape (G, 2)

    Returns
    -------
    ndarray, shape (S, G)
    """
    rate, sharp = expit(points[:, 0]), np.exp(points[:, 1])
    found = np.zeros((len(players.choices), len(points)))
    for total, choices, rewards in zip(found, *players):
        values = np.zeros((2, len(points)))
        for c, r in zip(choices, rewards):
            total -= np.logaddexp(0, sharp * (values[1 - c] - values[c]))
            values[c] += rate * (r - values[c])
    return found


def posterior(logs, points, mean, variance):
    """Probabilities of the points for each player, under a normal prior with independent coordinates.

    Parameters
    ----------
    logs : ndarray, shape (S, G)
        Log-likelihoods.
    points : ndarray, shape (G, n)
    mean, variance : ndarray, shape (n,)

    Returns
    -------
    ndarray, shape (S, G)

    Examples
    --------
    >>> posterior(np.zeros((1, 2)), np.array([[-1.0], [1.0]]), np.zeros(1), np.ones(1)).tolist()
    [[0.5, 0.5]]
    """
    return softmax(logs - ((points - mean) ** 2 / variance).sum(axis=1) / 2, axis=1)


def empirical_prior(logs, points, *, rest=1e-6, max_iterations=20_000):
    """A normal prior that is estimated from the group, and each player's mean parameters under it.

    Expectation maximisation, exact on the points; it stops when mean and variance no longer move.
    No standard deviation is less than half the distance of neighbouring points: they would not resolve it.

    Parameters
    ----------
    logs : ndarray, shape (S, G)
        Log-likelihoods.
    points : ndarray, shape (G, n)
    rest : float
        The largest change of a mean or a variance in the last round.
    max_iterations : int

    Returns
    -------
    theta : ndarray, shape (S, n)
    mean, variance : ndarray, shape (n,)
    """
    mean, variance = points.mean(axis=0), points.var(axis=0)
    least = [(np.diff(np.unique(each)).min(initial=np.inf) / 2) ** 2 for each in points.T]
    for _ in range(read_count("max_iterations", max_iterations)):
        before = np.append(mean, variance)
        weights = posterior(logs, points, mean, variance)
        mean = (weights @ points).mean(axis=0)
        variance = np.maximum((weights @ (points - mean) ** 2).mean(axis=0), least)
        if np.abs(np.append(mean, variance) - before).max() < rest:
            break
    return weights @ points, mean, variance


def predict(method, *, seed, budget, beta_max=100.0, width=1.0):
    """What a fit to the first trials of each player is worth, for the next hundred and for the parameters.

    Parameters
    ----------
    method : str
        One of `WAYS`: an inverse temperature of 0; maximum likelihood for all players together, or for each;
        the mean parameters under a normal prior that is centred at a learning rate of 1/2 and an inverse
        temperature of e, that is estimated from another group with many trials, or from the group itself;
        the parameters that made the choices.
    seed : int
        Of the group.
    budget : int
        Trials of each player that the fit sees.
    beta_max : float
        The largest inverse temperature that maximum likelihood may give to a player.
    width : float
        Standard deviation of the fixed prior.

    Returns
    -------
    dict of float
        "held out", the mean log-probability of a choice among the next hundred, in nats; and "alpha" and
        "beta", the median absolute errors of the parameters.
    """
    read_choice("method", method, WAYS)
    seen = read_count("budget", budget)
    true_alpha, true_beta, players = group_of(seen + HELD_OUT, rng=seed)
    early = type(players)(*(part[:, :seen] for part in players))
    alpha, beta = true_alpha, true_beta
    if method == "guessing":
        alpha, beta = np.full(PLAYERS, 0.5), np.zeros(PLAYERS)
    elif method == "each alone":
        found = fit(*early, beta_bounds=(0.0, beta_max))
        alpha, beta = found.alpha, found.beta
    elif method != "true numbers":
        if method == "one for all":
            theta = _one_for_all(early)
        else:
            points = grid()
            logs = log_likelihoods(early, points)
            if method == "fixed prior":
                theta = posterior(logs, points, np.array([0.0, 1.0]), np.full(2, width**2)) @ points
            elif method == "earlier study":
                others = group_of(EARLIER, rng=seed + APART)[2]
                _, mean, variance = empirical_prior(log_likelihoods(others, points), points)
                theta = posterior(logs, points, mean, variance) @ points
            else:
                theta, _, _ = empirical_prior(logs, points)
        alpha, beta = expit(theta[:, 0]), np.exp(theta[:, 1])
    both = log_likelihood(alpha, beta, *players).value - log_likelihood(alpha, beta, *early).value
    return {"held out": float(both.mean() / HELD_OUT),
            "alpha": float(np.median(np.abs(alpha - true_alpha))),
            "beta": float(np.median(np.abs(beta - true_beta)))}


def _one_for_all(players):
    def loss(theta):
        alpha, beta = expit(theta[0]), np.exp(theta[1])
        value, gradient = log_likelihood(alpha, beta, *players)
        return -value.sum(), -gradient.sum(axis=0) * [alpha * (1 - alpha), beta]

    return minimize(loss, [0.0, 1.0], jac=True).x[None]


def _pooling(n_trials):
    return Experiment(f"pooling-{n_trials}", predict, {
        "guessing": {},
        "one for all": {},
        "each alone": {"beta_max": (2.5, 5.0, 10.0, 20.0)},
        "fixed prior": {"width": (0.25, 0.5, 1.0, 2.0)},
        "earlier study": {},
        "empirical prior": {},
        "true numbers": {},
    }, seeds=range(10), tuning_seeds=range(90, 95), budgets=(n_trials,), spent="trials", better="more",
        measure="held out", digits=4)


#: Fits to the first 25, 50, 100, 200 trials; each has its own bound and width.
POOLING_25, POOLING_50, POOLING_100, POOLING_200 = (_pooling(n_trials) for n_trials in (25, 50, 100, 200))


def spread_of(method, *, seed, budget):
    """The standard deviation that `empirical_prior` finds for the logits of a group's learning rates.

    Parameters
    ----------
    method : str
        Only ``"empirical prior"``.
    seed : int
        Of the group.
    budget : int
        Trials of each player.

    Returns
    -------
    float
    """
    read_choice("method", method, ("empirical prior",))
    players = group_of(budget, rng=seed)[2]
    return float(np.sqrt(empirical_prior(log_likelihoods(players, grid()), grid())[2][0]))


SPREADS = Experiment("spreads", spread_of, {"empirical prior": {}}, seeds=range(200, 210), budgets=(25,),
                     spent="trials", digits=3)
