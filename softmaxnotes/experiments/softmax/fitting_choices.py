r"""How well a fitted learner predicts choices that it was not fitted to, alone or as one of a group.

    >>> bool(predict("guessing", seed=0, budget=25) == -np.log(2))
    True
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from proofread.experiments import Experiment
from softmaxnotes.arguments import read_choice, read_count
from softmaxnotes.softmax import fit, log_likelihood, log_likelihood_hessian, simulate

__all__ = ["POOLING", "empirical_prior", "group_of", "posterior_modes"]

#: Ways of fitting a group, between knowing nothing and knowing all.
WAYS = ("guessing", "one for all", "each alone", "fixed prior", "empirical prior", "true numbers")
PLAYERS, HELD_OUT = 40, 100


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


def posterior_modes(players, mean, variance, theta):
    r"""The most probable :math:`\theta = (\operatorname{logit}\alpha, \log\beta)` under a normal prior.

    Parameters
    ----------
    players : Choices
        Of shape (S, T).
    mean, variance : array_like, shape (2,)
        Of the prior; infinite variances are none.
    theta : ndarray, shape (S, 2)
        Where the search starts.

    Returns
    -------
    theta : ndarray, shape (S, 2)
    variances : ndarray, shape (S, 2)
        Of the normal approximation there, the diagonal of the inverse of minus the Hessian.
    """
    def loss(flat):
        at = flat.reshape(theta.shape)
        alpha, beta = expit(at[:, 0]), np.exp(at[:, 1])
        value, gradient = log_likelihood(alpha, beta, *players)
        pull = (at - mean) / variance
        chain = np.stack([alpha * (1 - alpha), beta], axis=-1)
        return ((at - mean) * pull).sum() / 2 - value.sum(), (pull - chain * gradient).ravel()

    found = minimize(loss, theta.ravel(), jac=True, method="L-BFGS-B",
                     bounds=[(-12, 12), (-12, 6)] * len(theta),
                     options={"ftol": 1e-14, "gtol": 1e-7, "maxiter": 2000, "maxfun": 4000})
    theta = found.x.reshape(theta.shape)
    alpha, beta = expit(theta[:, 0]), np.exp(theta[:, 1])
    _, gradient, hessian = log_likelihood_hessian(alpha, beta, *players)
    chain = np.stack([alpha * (1 - alpha), beta], axis=-1)
    bend = np.stack([chain[:, 0] * (1 - 2 * alpha), beta], axis=-1)
    hessian = hessian * chain[:, :, None] * chain[:, None, :]
    hessian[:, [0, 1], [0, 1]] += gradient * bend - 1 / np.asarray(variance)
    return theta, np.diagonal(np.linalg.inv(-hessian), axis1=1, axis2=2)


def empirical_prior(players, *, rounds=30):
    """A normal prior that is estimated from the group, and each player's most probable parameters under it.

    Expectation maximisation, with a normal approximation of each posterior.

    Parameters
    ----------
    players : Choices
        Of shape (S, T).
    rounds : int

    Returns
    -------
    theta : ndarray, shape (S, 2)
    mean, variance : ndarray, shape (2,)
    """
    mean, variance = np.array([0.0, 1.0]), np.array([1.0, 1.0])
    theta = np.tile(mean, (len(players.choices), 1))
    for _ in range(read_count("rounds", rounds)):
        theta, spread = posterior_modes(players, mean, variance, theta)
        mean = theta.mean(axis=0)
        variance = ((theta - mean) ** 2 + spread).mean(axis=0)
    return theta, mean, variance


def predict(method, *, seed, budget, beta_max=100.0, width=1.0):
    """Mean log-probability of a choice among the next hundred of each player, after a fit to the first.

    Parameters
    ----------
    method : str
        One of `WAYS`: one half; maximum likelihood for all players together, or for each; the most probable
        parameters under a normal prior that is centred at a learning rate of 1/2 and an inverse temperature
        of e, or that is estimated from the group; the parameters that made the choices.
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
    float
        In nats.
    """
    read_choice("method", method, WAYS)
    seen = read_count("budget", budget)
    alpha, beta, players = group_of(seen + HELD_OUT, rng=seed)
    early = type(players)(*(part[:, :seen] for part in players))
    start = np.tile([0.0, 1.0], (PLAYERS, 1))
    if method == "guessing":
        return float(-np.log(2))
    if method == "each alone":
        found = fit(*early, beta_bounds=(0.0, beta_max))
        alpha, beta = found.alpha, found.beta
    elif method != "true numbers":
        if method == "one for all":
            theta = _one_for_all(early)
        elif method == "fixed prior":
            theta, _ = posterior_modes(early, start[0], width**2 * np.ones(2), start)
        else:
            theta, _, _ = empirical_prior(early)
        alpha, beta = expit(theta[:, 0]), np.exp(theta[:, 1])
    both = log_likelihood(alpha, beta, *players).value - log_likelihood(alpha, beta, *early).value
    return float(both.mean() / HELD_OUT)


def _one_for_all(players):
    def loss(theta):
        alpha, beta = expit(theta[0]), np.exp(theta[1])
        value, gradient = log_likelihood(alpha, beta, *players)
        return -value.sum(), -gradient.sum(axis=0) * [alpha * (1 - alpha), beta]

    return minimize(loss, [0.0, 1.0], jac=True).x[None]


POOLING = Experiment("pooling", predict, {
    "guessing": {},
    "one for all": {},
    "each alone": {"beta_max": (2.5, 5.0, 10.0, 20.0)},
    "fixed prior": {"width": (0.25, 0.5, 1.0, 2.0)},
    "empirical prior": {},
    "true numbers": {},
}, seeds=range(10), tuning_seeds=range(90, 95), budgets=(25, 50, 100, 200), spent="trials", better="more",
    digits=4)
