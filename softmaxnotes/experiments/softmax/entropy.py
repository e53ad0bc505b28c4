"""The laws over three items that have at least a given entropy: their border, for a figure."""

import numpy as np
from scipy.special import entr

__all__ = ["entropy_level"]


def entropy_level(least, angles):
    r"""Border of the laws over three items that have at least a given entropy.

    It is seen from the uniform law, in the directions :math:`\cos\alpha\,(-1, 1, 0)/\sqrt2
    + \sin\alpha\,(-1, -1, 2)/\sqrt6`, along which the entropy falls. Where it is still larger on the edge
    of the triangle, the border is there.

    Parameters
    ----------
    least : float
        From 0 to log 3.
    angles : array_like, shape (m,)
        The angles :math:`\alpha`.

    Returns
    -------
    ndarray, shape (m, 3)
        Laws, to a few units in the last place of the entropy.

    Raises
    ------
    ValueError
        `least` is no entropy of three items.

    Examples
    --------
    >>> entropy_level(0.8, [np.pi / 2, -np.pi / 2]).round(3)  # towards the third item, and away from it
    array([[0.144, 0.144, 0.712],
           [0.486, 0.486, 0.027]])
    """
    if not 0 <= least <= np.log(3) * (1 + 1e-15):
        raise ValueError(f"expected an entropy from 0 to log 3, got {least}")
    rays = np.outer(np.cos(angles), [-1, 1, 0]) / 2**0.5 + np.outer(np.sin(angles), [-1, -1, 2]) / 6**0.5
    low, high = np.zeros((len(rays), 1)), 1 / (3 * -rays.min(axis=1, keepdims=True))
    for _ in range(60):
        middle = (low + high) / 2
        inside = entr(np.maximum(1 / 3 + middle * rays, 0)).sum(axis=1, keepdims=True) >= least
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return 1 / 3 + low * rays
