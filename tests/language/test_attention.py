"""`softmaxnotes.language.attention` against PyTorch, enumerations and optimisers."""

import math
import warnings

import numpy as np
import pytest
import torch
from scipy.special import softmax
from torch.nn import functional as F

from softmaxnotes.language import (
    attention,
    attention_gradients,
    largest_share,
    needed_lead,
)

INF, NAN = np.inf, np.nan


def made(*lead, length=5, n=7, d=4, width=3, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(*lead, length, d)), rng.normal(size=(*lead, n, d)),
            rng.normal(size=(*lead, n, width)), rng)


def sdpa(q, k, v, **named):
    mask = named.pop("mask", None)
    mask = None if mask is None else torch.tensor(mask)
    return F.scaled_dot_product_attention(*map(torch.tensor, (q, k, v)), attn_mask=mask, **named).numpy()


def with_appended_logit(scores, values, sink):
    """The forward pass of gpt-oss: a column of logits is appended, and dropped after the softmax."""
    scores, values = torch.as_tensor(scores), torch.as_tensor(values)
    column = torch.as_tensor(sink).expand(scores.shape[:-1])[..., None]
    return torch.softmax(torch.cat([scores, column], -1), -1)[..., :-1] @ values


@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
def test_it_is_that_of_pytorch(lead):
    q, k, v, rng = made(*lead)
    mask = rng.random((*lead, 5, 7)) < 0.7
    mask[..., 0] = True
    assert np.allclose(attention(q, k, v).output, sdpa(q, k, v), rtol=0, atol=1e-14)
    assert np.allclose(attention(q, k, v, mask=mask).output, sdpa(q, k, v, mask=mask), rtol=0, atol=1e-14)
    assert np.allclose(attention(q, k, v, scale=2).output, sdpa(q, k, v, scale=2), rtol=0, atol=1e-14)
    square = made(*lead, length=7)[:3]
    assert np.allclose(attention(*square, causal=True).output, sdpa(*square, is_causal=True),
                       rtol=0, atol=1e-14)


def test_causal_is_lower_right():
    from torch.nn.attention.bias import causal_lower_right

    q, k, v, _ = made(1, 2, length=2, n=6)
    there = F.scaled_dot_product_attention(*map(torch.tensor, (q, k, v)), causal_lower_right(2, 6)).numpy()
    assert np.allclose(attention(q, k, v, causal=True).output, there, rtol=0, atol=1e-14)
    assert not np.allclose(sdpa(q, k, v, is_causal=True), there, atol=0.1)
    last = attention(q[..., 1:, :], k, v, causal=True)
    assert np.allclose(last.output, attention(q[..., 1:, :], k, v).output, rtol=0, atol=1e-15)


def test_the_cap_comes_after_the_scale_and_before_the_mask():
    q, k, v, _ = made(2)
    q, seen = 20 * q, np.tri(5, 7, 2, dtype=bool)
    scores = 3 * np.tanh(q @ k.mT / 2 / 3)
    expected = softmax(np.where(seen, scores, -INF), -1) @ v
    assert np.allclose(attention(q, k, v, cap=3, causal=True).output, expected, rtol=0, atol=1e-14)
    assert np.allclose(attention(q, k, v, cap=1e9).output, attention(q, k, v).output, atol=1e-12)


def test_a_sink_is_a_logit_more():
    q, k, v, rng = made(2, 3)
    sink = rng.normal(size=(3, 1))  # one for each head
    scores = q @ k.mT / 2
    found = attention(q, k, v, sink=sink)
    assert np.allclose(found.output, with_appended_logit(scores, v, sink), rtol=0, atol=1e-14)
    assert np.allclose(found.lse, torch.logsumexp(torch.tensor(scores), -1), rtol=1e-14)
    appended = sdpa(q, *(np.concatenate([x, np.zeros_like(x[..., :1, :])], -2) for x in (k, v)))
    assert np.allclose(attention(q, k, v, sink=0.0).output, appended, rtol=0, atol=1e-14)
    assert np.array_equal(attention(q, k, v, sink=-INF).output, attention(q, k, v).output)
    assert np.abs(attention(q, k, v, sink=800.0).output).max() < 1e-300


def test_leading_axes_broadcast():
    q, k, v, _ = made(2, 3)
    shared = attention(q, k[:, :1], v[:, :1])  # a key head for three query heads
    repeated = attention(q, *(np.repeat(x[:, :1], 3, 1) for x in (k, v)))
    assert np.allclose(shared.output, repeated.output, rtol=0, atol=1e-14)
    assert shared.output.shape == (2, 3, 5, 3) and shared.lse.shape == (2, 3, 5)


def test_a_query_that_sees_nothing():
    q, k, v, _ = made()
    mask = np.ones((5, 7), bool)
    mask[3] = False
    found = attention(q, k, v, mask=mask, sink=1.0)
    assert np.array_equal(found.output[3], np.zeros(3)) and found.lse[3] == -INF
    assert np.isfinite(np.delete(found.lse, 3)).all()
    nothing = attention(q, k[:0], v[:0], sink=0.0)
    assert np.array_equal(nothing.output, np.zeros((5, 3))) and (nothing.lse == -INF).all()
    with pytest.raises(ValueError, match=r"no distribution: queries\[3\] sees no key"):
        attention(q, k, v, mask=mask)
    with pytest.raises(ValueError, match=r"no distribution: queries\[1, 3\] sees no key"):
        attention(np.stack([q, q]), k, v, mask=np.stack([mask | True, mask]),
                  sink=np.array([[0.0], [-INF]]))
    gradients = attention_gradients(q, k, v, np.ones((5, 3)), mask=mask, sink=1.0)
    assert np.array_equal(gradients.queries[3], np.zeros(4))
    assert all(np.isfinite(x).all() for x in gradients)


@pytest.mark.parametrize("odd", [INF, -INF, NAN])
def test_what_is_not_seen_does_not_matter(odd):
    q, k, v, rng = made()
    mask = np.ones((5, 7), bool)
    mask[:, 2], mask[1, 4] = False, False
    plain = attention(q, k, v, mask=mask)
    k_, v_ = k.copy(), v.copy()
    k_[2], v_[2], v_[4, 0] = odd, odd, odd
    found = attention(q, k_, v_, mask=mask)
    assert np.allclose(found.output[1], plain.output[1], rtol=0, atol=1e-14)
    assert np.array_equal(found.lse, plain.lse)
    assert np.array_equal(found.output[[0, 2, 3, 4], 0], np.full(4, odd), equal_nan=True)
    assert np.allclose(found.output[:, 1:], plain.output[:, 1:], rtol=0, atol=1e-14)
    v_[4] = v[4]
    upstream = rng.normal(size=(5, 3))
    for one, other in zip(attention_gradients(q, k_, v_, upstream, mask=mask)[:3],
                          attention_gradients(q, k, v, upstream, mask=mask)[:3], strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-14)


def test_infinite_scores_are_limits():
    found = attention([[1.0]], [[INF], [1.0], [INF]], [[1.0], [2.0], [4.0]])
    assert found.output == [[2.5]] and found.lse == [INF]
    assert attention([[1.0]], [[-INF], [1.0]], [[NAN], [2.0]]).output == [[2.0]]
    assert np.isnan(attention([[NAN]], [[1.0]], [[2.0]]).output).all()
    far = attention([[1000.0]], [[1000.0], [-1000.0]], [[1.0], [2.0]], sink=1e6)
    assert far.output == [[0.5]] and far.lse == [1e6]


@pytest.mark.parametrize("kind, tolerance", [(np.float64, 1e-13), (np.float32, 1e-5), (np.float16, 1e-2)])
def test_types_are_kept(kind, tolerance):
    q, k, v, rng = made(2)
    exact = attention(q, k, v, sink=0.3)
    given = [x.astype(kind) for x in (q, k, v)]
    found = attention(*given, sink=0.3)
    gradients = attention_gradients(*given, rng.normal(size=(2, 5, 3)).astype(kind), sink=[0.3])
    assert all(x.dtype == kind for x in (*found, *gradients))
    assert np.allclose(found.output, exact.output, atol=tolerance)
    integers = attention([[1]], [[2]], [[3]])
    assert integers.output.dtype == np.float64 and integers.output == [[3]]


def test_nothing_warns():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        attention([[1e200]], [[1e200], [-INF]], [[INF], [NAN]], sink=0.0)
        attention_gradients([[1e200]], [[1e200], [-INF]], [[INF], [NAN]], [[1.0]], sink=0.0)
        largest_share(2**40, [400.0, 0.0, INF])
        needed_lead(1, 0.5)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("sink", [None, "each head", "one", "each query"])
def test_gradients_are_those_of_autograd(causal, sink):
    q, k, v, rng = made(2, 3)
    k, v = k[:, :1], v[:, :1]  # shared by the heads
    mask = rng.random((5, 7)) < 0.8
    mask[:, 0] = True
    s = {"each head": rng.normal(size=(3, 1)), "one": np.array(0.4),
         "each query": rng.normal(size=(2, 3, 5)), None: None}[sink]
    upstream = rng.normal(size=(2, 3, 5, 3))
    given = [torch.tensor(x, requires_grad=True) for x in (q, k, v, *([] if s is None else [s]))]
    seen = torch.tensor(mask & np.tri(5, 7, 2, dtype=bool) if causal else mask)
    scores = (given[0] @ given[1].mT / 2).masked_fill(~seen, -math.inf)
    lse = scores.logsumexp(-1, keepdim=True)
    out = (scores - lse).exp() @ given[2]
    if s is not None:
        out = torch.sigmoid(lse - given[3][..., None]) * out
    out.backward(torch.tensor(upstream))
    found = attention_gradients(q, k, v, upstream, mask=mask, causal=causal, sink=s)
    assert (found.sink is None) == (s is None)
    for one, other in zip(found, given, strict=False):
        assert one.shape == tuple(other.shape)
        assert np.allclose(one, other.grad, rtol=0, atol=1e-13)


def test_leads():
    n, share = np.array([2, 16, 1024]), np.array([[0.1], [0.5], [0.9]])
    leads = needed_lead(n, share)
    for row, s in zip(leads, share[:, 0], strict=True):
        for lead, m in zip(row, n, strict=True):
            assert np.isclose(softmax([lead, *np.zeros(m - 1)])[0], s, rtol=1e-13)
    assert needed_lead(1, 0.3) == -INF
    assert needed_lead(1024, np.float32(0.5)).dtype == np.float32
    back = np.maximum(leads, 0)
    assert np.allclose(largest_share(n, back), np.where(leads > 0, share, 1 / n), rtol=1e-13)
    assert largest_share(1, 3.0) == 1 and largest_share(2**40, 400.0) == 1 and largest_share(7, INF) == 1
    assert np.isclose(largest_share(10**12, 1.0), 1 / (1 + (10**12 - 1) / np.e), rtol=1e-14)
