r"""Random variables as functions of noise: a table of base distributions and their maps.

A draw is written as :math:`z = g(\varepsilon, \theta)` with a noise :math:`\varepsilon` from a base law.
The parameters that the base law does not depend on can be differentiated through the draw:

.. math:: \partial_\theta\, \mathbb{E}[f(z)]
          = \mathbb{E}\bigl[f'(g(\varepsilon, \theta))\, \partial_\theta g(\varepsilon, \theta)\bigr].

`reparameterise` gives the rows of the table of such maps as objects.

Arrays are those of NumPy, computed with in ``float64`` and returned in the widest floating type among draws
and parameters, where numbers of Python have none, as in NumPy.  With a tensor of torch among them all become
tensors of its type, the widest of several, and the result can be differentiated.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial, reduce
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
from scipy import special, stats
from scipy.linalg import solve_triangular

from ..arguments import (
    as_array,
    broadcast_shape,
    check_entries,
    is_tensor,
    read_choice,
    read_floats,
    read_rng,
    read_size,
)
from .covariances import cholesky, read_symmetric

__all__ = ["Reparameterised", "reparameterise"]

_LOG_2PI = math.log(2 * math.pi)


# --- The table ----------------------------------------------------------------


class _Row(NamedTuple):
    """A row of the table: ``transform`` and ``log_prob`` get the functions that they may use first."""

    defaults: dict  # what is not given; None must be given
    base: Callable  # the law of one noise number, of the parameters in it
    transform: Callable
    log_prob: Callable
    in_base: tuple = ()
    numbers: int = 0  # how many noise numbers make one draw, on an axis of their own; 0 is one, without it
    vector: bool = False  # whether a draw is a vector of so many numbers


def _uniform():
    return stats.uniform()


_ANYWHERE, _SCALED = {"loc": 0.0, "scale": 1.0}, {"scale": 1.0}
_FREE = ("loc", "scale_tril", "covariance")  # the parameters that may be negative


def _positive(x, value, xp):
    """``value(x)`` where x is positive, and no mass elsewhere."""
    return xp.where(x > 0, value(xp.where(x > 0, x, 1.0)), -math.inf)  # no NaN gets into a gradient


def _exponential(xp, x, scale):
    return xp.where(x >= 0, -x / scale - xp.log(scale), -math.inf)


def _normal(xp, x, loc, scale):
    z = (x - loc) / scale
    return -0.5 * z * z - xp.log(scale) - 0.5 * _LOG_2PI


def _cauchy(xp, x, loc, scale):
    return xp.log(scale) - 2 * xp.log(xp.hypot(x - loc, scale)) - math.log(math.pi)


def _laplace(xp, x, loc, scale):
    return -xp.abs(x - loc) / scale - xp.log(scale) - math.log(2)


def _logistic(xp, x, loc, scale):
    z = xp.abs(x - loc) / scale
    return -z - 2 * xp.log1p(xp.exp(-z)) - xp.log(scale)


def _gumbel(xp, x, loc, scale):
    z = (x - loc) / scale
    return xp.where(z > -math.inf, -(z + xp.exp(-z)), z) - xp.log(scale)


def _weibull(xp, x, shape, scale):
    def inside(x):
        t = 2 * xp.log(xp.sqrt(x) / xp.sqrt(scale))  # the ratio of the roots is always a double
        return xp.log(shape) - xp.log(scale) + (shape - 1) * t - xp.exp(shape * t)
    return _positive(x, inside, xp)


def _kumaraswamy(xp, x, a, b):
    middle = (x > 0) & (x < 1)
    t = xp.log(xp.where(middle, x, 0.5))
    value = xp.log(a) + xp.log(b) + (a - 1) * t + (b - 1) * xp.log(-xp.expm1(a * t))
    return xp.where(middle, value, -math.inf)


def _inverse_gamma(xp, x, shape, scale):
    constant = shape * xp.log(scale) - xp.gammaln(shape)
    return _positive(x, lambda x: constant - (shape + 1) * xp.log(x) - scale / x, xp)


def _gamma(xp, x, shape, scale):
    constant = -shape * xp.log(scale) - xp.gammaln(shape)
    return _positive(x, lambda x: constant + (shape - 1) * xp.log(x) - x / scale, xp)


def _factor(xp, scale_tril=None, covariance=None):
    return xp.cholesky(covariance) if scale_tril is None else scale_tril


def _affine(xp, e, loc, **matrix):
    return loc + (_factor(xp, **matrix) @ e[..., None])[..., 0]


def _multivariate_normal(xp, x, loc, **matrix):
    factor = _factor(xp, **matrix)
    z = (xp.invert_triangular(factor) @ (x - loc)[..., None])[..., 0]
    return (-0.5 * z * z - xp.log(xp.diagonal(factor, 0, -2, -1)) - 0.5 * _LOG_2PI).sum(-1)


def _box_muller(xp, u, loc, scale):
    return loc + scale * xp.sqrt(-2 * xp.log(u[..., 0])) * xp.cos(2 * math.pi * u[..., 1])


_ROWS = {
    "exponential": _Row(_SCALED, _uniform, lambda xp, u, scale: -scale * xp.log(u), _exponential),
    "cauchy": _Row(
        _ANYWHERE, _uniform, lambda xp, u, loc, scale: loc + scale * xp.tan(math.pi * u), _cauchy),
    "laplace": _Row(
        _ANYWHERE, lambda: stats.uniform(-0.5, 1),
        lambda xp, v, loc, scale: loc - scale * xp.sign(v) * xp.log1p(-2 * xp.abs(v)), _laplace),
    "laplace_ratio": _Row(
        _ANYWHERE, _uniform,
        lambda xp, u, loc, scale: loc + scale * (xp.log(u[..., 0]) - xp.log(u[..., 1])), _laplace, numbers=2),
    "box_muller": _Row(_ANYWHERE, _uniform, _box_muller, _normal, numbers=2),
    "normal": _Row(_ANYWHERE, stats.norm, lambda xp, e, loc, scale: loc + scale * e, _normal),
    "multivariate_normal": _Row(
        {"loc": 0.0, "scale_tril": None}, stats.norm, _affine, _multivariate_normal, vector=True),
    "rademacher": _Row(
        {}, lambda: stats.bernoulli(0.5), lambda xp, e: 2 * e - 1,
        lambda xp, x: xp.where(xp.abs(x) == 1, 0 * x - math.log(2), -math.inf)),
    "lognormal": _Row(
        _ANYWHERE, stats.norm, lambda xp, e, loc, scale: xp.exp(loc + scale * e),
        lambda xp, x, loc, scale: _positive(x, lambda x: _normal(xp, xp.log(x), loc, scale) - xp.log(x), xp)),
    "inverse_gamma": _Row(
        {"shape": None, "scale": 1.0}, lambda shape: stats.gamma(shape),
        lambda xp, e, shape, scale: scale / e, _inverse_gamma, in_base=("shape",)),
    "gamma": _Row(
        {"shape": None, "scale": 1.0}, lambda shape: stats.gamma(shape),
        lambda xp, e, shape, scale: scale * e, _gamma, in_base=("shape",)),
    "logistic": _Row(
        _ANYWHERE, _uniform, lambda xp, u, loc, scale: loc + scale * (xp.log(u) - xp.log1p(-u)), _logistic),
    "gumbel": _Row(
        _ANYWHERE, _uniform, lambda xp, u, loc, scale: loc - scale * xp.log(-xp.log(u)), _gumbel),
    "weibull": _Row(
        {"shape": None, "scale": 1.0}, _uniform,
        lambda xp, u, shape, scale: scale * xp.exp(xp.log(-xp.log(u)) / shape), _weibull),
    "kumaraswamy": _Row(
        {"a": None, "b": None}, _uniform,
        lambda xp, u, a, b: xp.exp(xp.log(-xp.expm1(xp.log(u) / b)) / a), _kumaraswamy),
}


@dataclass(frozen=True, eq=False)
class Reparameterised:
    """A law as a function of noise: made by `reparameterise`.

    Attributes
    ----------
    name : str
    parameters : dict
        Arrays, tensors of torch, or floats.
    base : frozen law of `scipy.stats`
        Of one noise number.
    in_base : tuple of str
        The parameters that the base law depends on: through these a draw has no slope.
    shape : tuple of int
        The shape that the parameters have together; of vectors, without their axis.
    dtype : numpy.dtype
        Of the noise: the widest floating type of the parameters, ``float64`` if they have none.
    """

    name: str
    parameters: dict
    base: object
    in_base: tuple
    shape: tuple
    dtype: np.dtype
    _row: _Row = field(repr=False)

    def __reduce__(self):  # a pickle holds no functions of the table
        return partial(reparameterise, self.name, **self.parameters), ()

    def noise(self, size=None, *, rng=None):
        """Noise for draws of a shape; where a draw takes several numbers, they are on a last axis.

        Parameters
        ----------
        size : int, tuple of int or None
            Shape of the draws, of vectors without their axis; `None` is that of the parameters, which must
            broadcast to it.
        rng : None, int or numpy.random.Generator

        Returns
        -------
        ndarray or scalar
            Uniform numbers are the midpoints of a grid of as many cells as the type has fractions, in
            ``float64`` :math:`2^{52}`, so that neither end is drawn.

        Raises
        ------
        ValueError
            The parameters don't broadcast to the size.
        """
        shape = self.shape if size is None else read_size(size)
        if not _fits(self.shape, shape):
            raise ValueError(f"expected a size to which the parameters' shape {self.shape} broadcasts, "
                             f"got {shape}")
        shape += (self._row.numbers,) * bool(self._row.numbers)
        rng = read_rng(rng)
        if self.base.dist.name == "uniform":
            cells, low = 2 ** np.finfo(self.dtype).nmant, self.base.support()[0]
            noise = (rng.integers(cells, size=shape) + 0.5) / cells + low
        else:
            noise = self.base.rvs(shape, random_state=rng)
        return np.asarray(noise, self.dtype)[()]

    def transform(self, noise):
        """The draws that belong to some noise.

        Parameters
        ----------
        noise : array_like or tensor
            Within the support of the base law; where a draw takes several numbers, these are its last axis.

        Returns
        -------
        ndarray or tensor

        Raises
        ------
        ValueError
            Noise outside the support of the base law, or a last axis of another length.
        """
        xp, noise, parameters, returned = self._read("noise", noise, self._row.numbers)
        low, high = (np.min(end) for end in self.base.support())  # the same for all parameters
        plain = as_array(noise.detach() if xp.is_torch else noise)
        check_entries("noise", plain, (low <= plain) & (plain <= high),
                      f"from {low:g} to {high:g}, where the base law lives")
        with np.errstate(all="ignore"):
            return returned(self._row.transform(xp, noise, **parameters))

    def sample(self, size=None, *, rng=None):
        """Draws: `transform` of `noise`.

        Parameters
        ----------
        size, rng
            As in `noise`.

        Returns
        -------
        ndarray, scalar or tensor
        """
        return self.transform(self.noise(size, rng=rng))

    def log_prob(self, x):
        """Logarithm of the density, of the mass for a discrete law.

        It is ``-inf`` outside the support and at both infinities; NaN stays NaN.

        Parameters
        ----------
        x : array_like or tensor
            Broadcast with the parameters; vectors are on the last axis.

        Returns
        -------
        ndarray, scalar or tensor

        Raises
        ------
        ValueError
            A vector of another length.
        """
        xp, x, parameters, returned = self._read("x", x, self._row.numbers if self._row.vector else 0)
        with np.errstate(all="ignore"):
            value = self._row.log_prob(xp, x, **parameters)
            far = xp.amax(xp.abs(x), -1) if self._row.vector else xp.abs(x)
            return returned(xp.where(far < math.inf, value, xp.where(far == far, -math.inf, math.nan)))

    def _read(self, name, x, numbers):
        """What `_library` gives, of an array that fits the parameters."""
        xp, x, parameters, returned = _library(name, x, self.parameters)
        if numbers and (x.ndim == 0 or x.shape[-1] != numbers):
            raise ValueError(f"expected {name} with {numbers} numbers on the last axis, got shape "
                             f"{tuple(x.shape)}")
        lead = x.shape[:-1] if numbers else x.shape
        if lead and self.shape:
            broadcast_shape(**{name: np.broadcast_to(0, lead), "parameters": np.broadcast_to(0, self.shape)})
        return xp, x, parameters, returned


def reparameterise(name, **parameters):
    r"""A law as a function of noise.

    ================= ================ =================== ==================================================
    name              parameters       base                map
    ================= ================ =================== ==================================================
    ``exponential``   ``scale``        uniform             :math:`-s \log u`
    ``cauchy``        ``loc, scale``   uniform             :math:`m + s \tan \pi u`
    ``laplace``       ``loc, scale``   uniform around 0    :math:`m - s \operatorname{sgn}(v) \log(1 - 2|v|)`
    ``laplace_ratio`` ``loc, scale``   two uniform         :math:`m + s \log(u_1/u_2)`
    ``box_muller``    ``loc, scale``   two uniform         :math:`m + s \sqrt{-2\log u_1} \cos 2\pi u_2`
    ``normal``        ``loc, scale``   standard normal     :math:`m + s\varepsilon`
    ``rademacher``                     fair coin           :math:`2\varepsilon - 1`
    ``lognormal``     ``loc, scale``   standard normal     :math:`e^{m + s\varepsilon}`
    ``inverse_gamma`` ``shape, scale`` gamma of that shape :math:`s / \varepsilon`
    ``gamma``         ``shape, scale`` gamma of that shape :math:`s \varepsilon`
    ``logistic``      ``loc, scale``   uniform             :math:`m + s \log(u/(1-u))`
    ``gumbel``        ``loc, scale``   uniform             :math:`m - s \log(-\log u)`
    ``weibull``       ``shape, scale`` uniform             :math:`s\,(-\log u)^{1/k}`
    ``kumaraswamy``   ``a, b``         uniform             :math:`(1 - u^{1/b})^{1/a}`
    ================= ================ =================== ==================================================

    And ``multivariate_normal``, :math:`m + L \varepsilon`, of vectors with d standard normal numbers: its
    parameters are ``loc`` and either ``scale_tril``, which is :math:`L`, or ``covariance``, which is
    :math:`L L^\top`.

    Parameters
    ----------
    name : str
    **parameters : float, array_like or tensor
        Broadcast together.  ``loc`` is 0 and ``scale`` 1 unless given; all but ``loc`` are positive.  Vectors
        have ``loc`` of shape (..., d), ``scale_tril`` of shape (..., d, d), lower triangular with a positive
        diagonal, or ``covariance`` of that shape, symmetric and positive definite.

    Returns
    -------
    Reparameterised

    Raises
    ------
    ValueError
        The name is none of these; a parameter is missing, unknown, not finite or not positive; the shapes
        don't fit, or a matrix isn't as it must be.

    Notes
    -----
    The Laplace and the normal law have two rows each, with one noise number and with two.  A covariance is
    factored anew by each call, so that gradients pass to it; its symmetry is judged as by `kl_mvn`, and its
    lower triangle is what counts.

    Implements: eq-base-laplace
    Implements: eq-affine-density

    References
    ----------
    L. Devroye, "Random variate generation in one line of code", Winter Simulation Conference (1996) 265-272.

    Examples
    --------
    >>> waiting = reparameterise("weibull", shape=[0.5, 2.0], scale=3.0)
    >>> waiting.transform(0.25).round(4)
    array([5.7654, 3.5322])
    >>> waiting.sample((1000, 2), rng=0).shape, waiting.in_base
    ((1000, 2), ())
    >>> reparameterise("inverse_gamma", shape=2.0).in_base
    ('shape',)
    >>> pair = reparameterise("multivariate_normal", loc=[1.0, 2.0], covariance=[[4.0, 2.0], [2.0, 2.0]])
    >>> pair.transform([1.0, 1.0])
    array([3., 4.])
    """
    row = _ROWS[read_choice("name", name, list(_ROWS))]
    defaults, wanted = row.defaults, ", ".join(row.defaults)
    if row.vector:
        wanted += " or covariance"
        if "covariance" in parameters:
            defaults = {"loc": 0.0, "covariance": None}
    given = {**defaults, **parameters}
    missing = [key for key, value in given.items() if value is None]
    if missing or set(given) != set(defaults):
        raise ValueError(f"expected the parameters ({wanted}) of {name}, got {sorted(parameters)}")
    plain = {}
    for key, value in given.items():
        found, = read_floats(**{key: value.detach() if is_tensor(value) else value})
        free = key in _FREE
        check_entries(key, found, np.isfinite(found) & (free | (found > 0)),
                      "to be finite" if free else "to be finite and positive")
        plain[key] = found
        if not is_tensor(value):
            given[key] = float(value) if type(value) in (bool, int, float) else found.copy()
    base = row.base(**{key: plain[key].astype(float) for key in row.in_base})
    shaped = plain
    if row.vector:
        row = row._replace(numbers=_read_dimension(**plain))
        loc, (key, matrix) = plain["loc"], list(plain.items())[1]
        shaped = {"loc": loc[..., 0] if loc.ndim else loc, key: matrix[..., 0, 0]}
    dtype = _widest(value if type(value) is float else plain[key] for key, value in given.items())
    return Reparameterised(name, given, base, row.in_base, broadcast_shape(**shaped), dtype, row)


def _widest(values):
    """Floating type of arrays; a float of Python has none."""
    types = [v.dtype for v in values if type(v) is not float]
    return np.result_type(*types) if types else np.dtype(np.float64)


def _read_dimension(loc, **matrix):
    """That of the vectors, from matrices that are as they must be."""
    (key, a), = matrix.items()
    d = a.shape[-1] if a.ndim > 1 else 0
    if d == 0 or a.shape[-2] != d:
        raise ValueError(f"expected {key} of shape (..., d, d), got {a.shape}")
    if loc.ndim and loc.shape[-1] != d:
        raise ValueError(f"expected loc of shape (..., {d}), got {loc.shape}")
    if key == "covariance":
        cholesky(key, read_symmetric(key, a.astype(np.result_type(a, np.float32))))
    elif np.triu(a, 1).any() or not (np.diagonal(a, 0, -2, -1) > 0).all():
        raise ValueError(f"expected {key} to be lower triangular with a positive diagonal, got {a}")
    return d


_COMMON = "log1p exp expm1 tan cos sqrt hypot abs sign where amax diagonal"
_NUMPY = SimpleNamespace(
    is_torch=False, gammaln=special.gammaln, log=np.log, cholesky=np.linalg.cholesky,
    invert_triangular=np.vectorize(
        lambda a: solve_triangular(a, np.eye(len(a)), lower=True), signature="(d,d)->(d,d)"),
    **{name: getattr(np, name) for name in _COMMON.split()})


def _library(name, x, parameters):
    """The functions for these arrays, the arrays, and what gives a result its type.

    With one tensor among them, all become tensors.
    """
    tensors = [v for v in (x, *parameters.values()) if is_tensor(v)]
    if not tensors:
        x = float(x) if type(x) in (bool, int, float) else read_floats(**{name: x})[0]
        dtype = _widest([x, *parameters.values()])
        parameters = {key: np.asarray(v, np.float64) for key, v in parameters.items()}
        return _NUMPY, np.asarray(x, np.float64), parameters, lambda value: np.asarray(value, dtype)[()]
    torch = sys.modules["torch"]
    dtypes = [v.dtype if v.is_floating_point() else torch.float64 for v in tensors]
    dtype = reduce(torch.promote_types, dtypes)
    like = {"dtype": torch.promote_types(dtype, torch.float32), "device": tensors[0].device}

    def log(v):
        return torch.log(torch.as_tensor(v, **like))

    def invert_triangular(a):
        return torch.linalg.solve_triangular(a, torch.eye(a.shape[-1], **like), upper=False)

    xp = SimpleNamespace(
        is_torch=True, gammaln=torch.lgamma, log=log, cholesky=torch.linalg.cholesky,
        invert_triangular=invert_triangular, **{name: getattr(torch, name) for name in _COMMON.split()})
    if not is_tensor(x):
        x, = read_floats(**{name: x})
    parameters = {key: torch.as_tensor(v, **like) for key, v in parameters.items()}
    return xp, torch.as_tensor(x, **like), parameters, lambda value: value.to(dtype)


def _fits(shape, size):
    """Whether arrays of that shape broadcast to that size."""
    return len(shape) <= len(size) and all(a in (1, b) for a, b in zip(shape[::-1], size[::-1]))
