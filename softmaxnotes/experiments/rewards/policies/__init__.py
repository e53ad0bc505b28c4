r"""Policies that choose a sequence of actions: estimates of the gradient of their mean return.

A policy (`networks`) draws the action :math:`a_t` from a softmax whose logits are a function of the state
:math:`s_t`, and the world (`worlds`) draws the next state and pays. `policy_estimate` (`learning`) estimates
the gradient of the mean of the sum of the rewards by each of the estimators of
`softmaxnotes.rewards.categorical_gradient` that ask for values, and counts what they cost: steps in the
world. `TimeAverage` and `ValueNetwork` (`baselines`) are what may be taken off the rewards. The package needs
torch.
"""

from .baselines import TimeAverage, ValueNetwork
from .learning import PolicyEstimate, learn_policies, policy_estimate
from .networks import Policies
from .worlds import Acrobot, CartPole, FiniteWorld, GymWorld

__all__ = [
    "Acrobot",
    "CartPole",
    "FiniteWorld",
    "GymWorld",
    "Policies",
    "PolicyEstimate",
    "TimeAverage",
    "ValueNetwork",
    "learn_policies",
    "policy_estimate",
]
