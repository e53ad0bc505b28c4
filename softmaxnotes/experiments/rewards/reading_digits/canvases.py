"""Canvases: cells of which some hold a digit, and the others the pieces of one."""

from typing import NamedTuple

import numpy as np

from softmaxnotes.arguments import as_real, read_count, read_rng, read_size

__all__ = ["Canvases", "make_canvases"]


class Canvases(NamedTuple):
    """Canvases and what stands on them.

    Attributes
    ----------
    cells : ndarray, shape (..., L, 64)
        Pixels from 0 to 1, cell by cell, row by row.
    places : ndarray of int, shape (..., T)
        The cells that hold a digit, ascending.
    digits : ndarray of int, shape (..., T)
        The digits in these.
    """

    cells: np.ndarray
    places: np.ndarray
    digits: np.ndarray


def make_canvases(examples, size=None, *, n_cells=6, n_digits=2, rng=None):
    """Canvases with digits of which each keeps its place among the pieces of others.

    Parameters
    ----------
    examples : Examples
        Images of 64 pixels.
    size : int, tuple of int or None
        How many canvases.
    n_cells, n_digits : int
        L and T; T is at most L. In the other cells stands an image whose four quarters have changed places.
    rng : None, int or numpy.random.Generator

    Returns
    -------
    Canvases

    Raises
    ------
    TypeError
        A number or `size` isn't made of integers.
    ValueError
        There are more digits than cells, or none; the images haven't 64 pixels; `size` is negative.

    Examples
    --------
    >>> from softmaxnotes.digits import load
    >>> train, _ = load()
    >>> made = make_canvases(train, 5, n_cells=4, n_digits=3, rng=0)
    >>> bool((np.diff(made.places) > 0).all())
    True
    """
    images = as_real(examples.images, "images")[0].astype(np.float64)
    if images.ndim != 2 or images.shape[1] != 64 or not len(images):
        raise ValueError(f"expected images of shape (n, 64), one or more, got {images.shape}")
    n_cells, n_digits = read_count("n_cells", n_cells), read_count("n_digits", n_digits)
    if n_digits > n_cells:
        raise ValueError(f"expected n_digits to be at most {n_cells}, the number of cells, got {n_digits}")
    size, rng = read_size(size), read_rng(rng)
    shape = (*size, n_cells)
    chosen = rng.integers(len(images), size=shape)
    places = np.sort(rng.random(shape).argsort(axis=-1)[..., :n_digits], axis=-1)
    quarters = images[chosen].reshape(*shape, 2, 4, 2, 4).swapaxes(-3, -2).reshape(*shape, 4, 16)
    turn = rng.integers(1, 4, size=(*shape, 1))  # no quarter stays
    order = (np.arange(4) + turn) % 4
    np.put_along_axis(order, places[..., None], np.arange(4), axis=-2)
    moved = np.take_along_axis(quarters, order[..., None], axis=-2)
    made = moved.reshape(*shape, 2, 2, 4, 4).swapaxes(-3, -2).reshape(*shape, 64)
    return Canvases(made, places, np.asarray(examples.labels)[np.take_along_axis(chosen, places, axis=-1)])
