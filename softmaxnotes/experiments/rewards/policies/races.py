"""Ways to learn a policy, compared at equal numbers of steps in the world, and of episodes.

The runs are recorded; ``make record NAME=rewards/policies`` makes them again.
"""

import numpy as np

from proofread.experiments import Experiment

from .baselines import TimeAverage, ValueNetwork
from .learning import learn_policies, policy_estimate
from .networks import Policies
from .worlds import Acrobot, CartPole

__all__ = ["BY_EPISODES", "CART", "LINKS", "N_WINDOWS"]

N_WINDOWS = 10  #: in each of which the return and the variance of the gradient are reported
N_ASSESSED = 100  #: episodes with the policy at the end, which aren't counted

#: What each way hands to `policy_estimate`.
WAYS = {
    "REINFORCE": {},
    "moving average": {"baseline": "average"},
    "value network": {"baseline": "network"},
    "leave-one-out": {"method": "leave-one-out"},
    "ARSM": {"method": "arsm"},
}


def balance(method, *, seed, budget, **options):
    """How well a policy learns to balance a pole, at most 200 steps an episode."""
    return _learn(CartPole(horizon=200), method, seed, budget, **options)


def balance_by_episodes(method, *, seed, budget, lr=0.03, discount=0.99, **options):
    """How well a policy learns to balance a pole in a number of episodes, not counting those at branches.

    Parameters
    ----------
    method : str
        One of `WAYS`, or ``"untrained"``.
    seed : int
    budget : int
        Episodes from the start, in all updates together, at most.
    lr, discount, **options
        As of `learn_policies`.

    Returns
    -------
    dict
        Mean returns: ``"way"`` of all episodes that count, ``"end"`` of further ones with the policy at the
        end; and ``"thousand steps"`` in the world that were made on the way, at branches, too.
    """
    world, rng = CartPole(horizon=200), np.random.default_rng(seed)
    if method == "untrained":
        policy, spent = Policies(4, world.n_actions, rng=rng), 0.0
    else:
        options |= WAYS[method]
        if "baseline" in options:
            options["baseline"] = (TimeAverage(world.horizon) if options["baseline"] == "average"
                                   else ValueNetwork(4, rng=rng))
        of_update = 2 * options.get("n_episodes", 1)  # for two estimates
        policy, learnt = learn_policies(world, steps=budget // of_update, n_runs=1, lr=lr, discount=discount,
                                        rng=rng, **options)
        spent = learnt["world_steps"][-1] / 1000
    last = policy_estimate(world, policy, n_episodes=N_ASSESSED, rng=rng).returns.mean()
    return {"way": last if method == "untrained" else learnt["return"].mean(), "end": last,
            "thousand steps": spent}


def swing_up(method, *, seed, budget, **options):
    """How well a policy learns to swing two links up, torques held for four steps."""
    return _learn(Acrobot(horizon=75, hold=4), method, seed, budget, **options)


def _learn(world, method, seed, budget, lr=0.03, discount=0.99, **options):
    """Mean return of the policy at the end, and of the episodes on the way, altogether and by windows."""
    rng = np.random.default_rng(seed)
    n_features = world.observe(world.start(1, rng=0)).shape[1]
    if method == "untrained":
        policy = Policies(n_features, world.n_actions, rng=rng)
    else:
        options |= WAYS[method.split(",")[0]]
        baseline = options.pop("baseline", None)
        if baseline == "average":
            options["baseline"] = TimeAverage(world.horizon)
        elif baseline == "network":
            options["baseline"] = ValueNetwork(n_features, rng=rng)
        policy, record = learn_policies(world, budget=budget, n_runs=1, lr=lr, discount=discount, rng=rng,
                                        **options)
    last = policy_estimate(world, policy, n_episodes=N_ASSESSED, rng=rng).returns.mean()
    if method == "untrained":  # it stays where it is
        found = {f"return {k}": last for k in range(1, N_WINDOWS + 1)} | {
            f"noise {k}": 0.0 for k in range(1, N_WINDOWS + 1)}
    else:
        found = _windows(record, budget)
    way = np.mean([found[f"return {k}"] for k in range(1, N_WINDOWS + 1)])
    return {"way": way, "end": last} | found


def _windows(record, budget):
    """Means of the return, and of the variance of the gradient, over the updates of each window."""
    which = np.minimum(record["world_steps"] * N_WINDOWS // budget, N_WINDOWS - 1).astype(int)
    found, last = {}, which[0]
    for number in range(N_WINDOWS):
        last = number if (which == number).any() else last
        chosen = which == last
        found[f"return {number + 1}"] = record["return"][chosen].mean()
        found[f"noise {number + 1}"] = np.log10(max(record["variance"][chosen].mean(), 1.0))
    return found


RATES = (0.01, 0.03, 0.1)
EPISODES = {"lr": RATES, "n_episodes": (2, 4)}
BRANCHES = {"lr": RATES, "n_branches": (4, 16)}
RIVALS = {"untrained": {}, "REINFORCE": EPISODES, "moving average": EPISODES, "value network": EPISODES,
          "leave-one-out": EPISODES, "ARSM": BRANCHES}
HOW = {"seeds": range(10), "tuning_seeds": range(90, 93), "spent": "steps in the world", "better": "more",
       "measure": "way", "digits": 0}

CART = Experiment("cart", balance, RIVALS | {
    "REINFORCE, undiscounted": EPISODES | {"discount": (1.0,)},
    "leave-one-out, undiscounted": EPISODES | {"discount": (1.0,)},
}, budgets=(40_000,), **HOW)

LINKS = Experiment("links", swing_up, {"untrained": {}} | {
    way: {"lr": RATES, **({"n_branches": (4,)} if way == "ARSM" else {"n_episodes": (2,)})} for way in WAYS
}, budgets=(16_000,), **HOW)

BY_EPISODES = Experiment("episodes", balance_by_episodes, RIVALS, budgets=(900,),
                         **HOW | {"spent": "episodes"})
