"""The wire along which a bead slides fastest."""

from typing import NamedTuple

import numpy as np
import scipy.optimize

__all__ = ["Cycloid", "fastest_wire"]


class Cycloid(NamedTuple):
    r"""A wire that is drawn by a point on the rim of a wheel, from where a bead starts from rest.

    It is :math:`x = R\,(\theta - \sin\theta)`, :math:`y = R\,(1 - \cos\theta)`, reached in the time
    :math:`\theta \sqrt{2R}`.

    Attributes
    ----------
    radius : float
        Radius :math:`R` of the wheel.
    turn : float
        The angle :math:`\theta` at the end of the wire.
    """

    radius: float
    turn: float

    @property
    def time(self):
        """When the bead arrives, in units in which its speed is the root of its drop."""
        return self.turn * (2 * self.radius) ** 0.5

    def at(self, time):
        """Where the bead is, x and the drop y, of shape (2, ...); from its arrival on it is at the end."""
        angle = np.minimum(np.asarray(time) / (2 * self.radius) ** 0.5, self.turn)
        return self.radius * np.array([angle - np.sin(angle), 2 * np.sin(angle / 2) ** 2])


def fastest_wire(across, down):
    r"""The wire along which a bead slides fastest from rest, without friction: a cycloid.

    Parameters
    ----------
    across, down : float
        How far the end is from the start, to the side and below; positive.

    Returns
    -------
    Cycloid

    Raises
    ------
    ValueError
        An argument is not a positive number.

    Notes
    -----
    The angle solves :math:`(\theta - \sin\theta)/(1 - \cos\theta) = x/y`, of which the left side increases.

    Implements: eq-cycloid-time

    Examples
    --------
    >>> wire = fastest_wire(1, 1)
    >>> round(float(wire.time), 4)
    2.5819
    """
    if not (0 < across < np.inf and 0 < down < np.inf):
        raise ValueError(f"expected positive numbers, got {across} and {down}")

    def beside(angle):
        return down * (angle - np.sin(angle)) - across * 2 * np.sin(angle / 2) ** 2

    turn = scipy.optimize.brentq(beside, min(1e-3, across / down), 2 * np.pi, xtol=1e-15)
    return Cycloid(down / (2 * np.sin(turn / 2) ** 2), turn)
