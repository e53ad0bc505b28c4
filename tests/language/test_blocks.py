"""softmaxnotes.language.blocks against one pass over all keys, torch, and extreme input."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F

from proofread.evidence.statistics import has_frequencies
from softmaxnotes.language import (
    blockwise_attention,
    chunked_cross_entropy,
    merge_draws,
    merge_means,
    partial_mean,
)
from softmaxnotes.softmax import logsumexp, softmax

INF, NAN = math.inf, math.nan
FLOATS = [np.float16, np.float32, np.float64]


def some(seed, *shape, scale=1.0):
    return scale * np.random.default_rng(seed).normal(size=shape)


def as_whole(scores, values):
    return logsumexp(scores), np.einsum("...n,...nv->...v", softmax(scores), values)


def cut(scores, values, ends):
    places = zip([0, *ends], [*ends, scores.shape[-1]])
    return [partial_mean(scores[..., a:b], values[..., a:b, :]) for a, b in places]


# --- Pairs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
@pytest.mark.parametrize("scale", [1, 30, 1000])
def test_the_pair_of_a_block(shape, scale):
    z, v = some(0, *shape, 7, scale=scale), some(1, *shape, 7, 2)
    lse, mean = partial_mean(z, v)
    wanted = as_whole(z, v)
    assert lse.shape == shape and mean.shape == (*shape, 2)
    assert np.allclose(lse, wanted[0], rtol=1e-14) and np.allclose(mean, wanted[1], rtol=1e-10, atol=1e-13)


def test_leading_axes_broadcast():
    lse, mean = partial_mean(some(0, 4, 1, 5), some(1, 3, 5, 2))
    assert lse.shape == (4, 3) and mean.shape == (4, 3, 2)
    assert np.allclose(mean[2, 1], as_whole(some(0, 4, 1, 5)[2, 0], some(1, 3, 5, 2)[1])[1])


@pytest.mark.parametrize("dtype", FLOATS)
def test_floating_types_stay(dtype):
    z, v = some(0, 3, 5).astype(dtype), some(1, 3, 5, 2).astype(dtype)
    pair = partial_mean(z, v)
    assert {part.dtype for part in pair} == {np.dtype(dtype)}
    assert {part.dtype for part in merge_means([pair, pair])} == {np.dtype(dtype)}
    out = blockwise_attention(v, v, v, block=2)
    assert {part.dtype for part in out} == {np.dtype(dtype)}
    exact = partial_mean(z.astype(float), v.astype(float))
    assert np.allclose(pair.mean, exact.mean, rtol=0, atol=4 * np.finfo(dtype).eps)


def test_integers_are_float64_and_the_wider_type_wins():
    assert partial_mean([0, 0], [[1], [2]]).mean == 1.5
    assert partial_mean(np.float32([0, 0]), [[1], [2]]).mean.dtype == np.float64


def test_nothing_is_the_neutral_element():
    for z, v in ((np.zeros((2, 0)), np.zeros((2, 0, 3))), (np.full((2, 4), -INF), some(0, 2, 4, 3)),
                 (np.full((2, 4), -INF), np.full((2, 4, 3), NAN))):
        lse, mean = partial_mean(z, v)
        assert (lse == -INF).all() and (mean == 0).all() and mean.shape == (2, 3)
    pair = partial_mean(some(0, 2, 4), some(1, 2, 4, 3))
    for parts in ([pair, (lse, mean)], [(lse, mean), pair], [pair, (lse, np.full((2, 3), NAN))]):
        merged = merge_means(parts)
        assert np.array_equal(merged.lse, pair.lse) and np.array_equal(merged.mean, pair.mean)
    nothing = merge_means([(lse, mean)] * 2)
    assert (nothing.lse == -INF).all() and (nothing.mean == 0).all()


def test_what_is_masked_does_not_matter():
    z, v = some(0, 2, 5), some(1, 2, 5, 3)
    z[0, 1] = z[1, 4] = -INF
    wanted = partial_mean(z, v)
    for bad in (NAN, INF, 1e308):
        v[0, 1] = v[1, 4] = bad
        found = partial_mean(z, v)
        assert np.allclose(found.mean, wanted.mean, rtol=1e-15)
    v[0, 0] = NAN
    found = partial_mean(z, v)
    assert np.isnan(found.mean[0]).all() and np.isfinite(found.mean[1]).all()


def test_a_score_that_is_nan_makes_its_pair_nan():
    lse, mean = partial_mean([[0.0, NAN], [0.0, 1.0]], np.ones((2, 1)))
    assert np.isnan(lse[0]) and np.isnan(mean[0]).all() and mean[1] == 1


# --- Merging ----------------------------------------------------------------------------------------------


@given(st.integers(0, 2**31), st.lists(st.integers(0, 12), max_size=5), st.sampled_from([1, 30, 700]))
def test_any_cut_any_order_any_grouping(seed, ends, scale):
    rng = np.random.default_rng(seed)
    z, v = scale * rng.normal(size=(3, 12)), rng.normal(size=(3, 12, 2))
    parts = cut(z, v, sorted(ends))
    wanted = as_whole(z, v)
    parts = [parts[at] for at in rng.permutation(len(parts))]
    while len(parts) > 1:
        at = rng.integers(len(parts) - 1)
        parts[at : at + 2] = [merge_means(parts[at : at + 2])]
    assert np.allclose(parts[0].lse, wanted[0], rtol=1e-13)
    assert np.allclose(parts[0].mean, wanted[1], rtol=1e-10, atol=1e-12)


@pytest.mark.filterwarnings("error")
def test_far_apart_nothing_is_lost():
    merged = merge_means([(1e4, [1.0]), (-1e4, [5.0])])
    assert merged == (1e4, [1.0])
    merged = merge_means([(-1e4, [1.0]), (-1e4, [5.0])])
    assert np.allclose(merged.mean, 3) and np.isclose(merged.lse, -1e4 + math.log(2))
    small = merge_means([(0.0, [1.0]), (-40.0, [1.0])]).lse
    assert np.isclose(small, math.exp(-40), rtol=1e-14, atol=0)


def test_parts_may_come_from_a_generator():
    assert merge_means((lse, [lse]) for lse in (0.0, 0.0)).lse == math.log(2)


# --- Attention --------------------------------------------------------------------------------------------


def tensors(*shapes, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, dtype=torch.float64, generator=generator) for shape in shapes]


@pytest.mark.parametrize("block", [1, 3, 64, 1000])
@pytest.mark.parametrize("lead", [(), (4,), (2, 3)])
def test_attention_is_that_of_pytorch(block, lead):
    q, k, v = tensors((*lead, 5, 8), (*lead, 70, 8), (*lead, 70, 6))
    out, lse = blockwise_attention(q, k, v, block=block)
    assert np.allclose(out, F.scaled_dot_product_attention(q, k, v), rtol=0, atol=1e-14)
    assert np.allclose(lse, torch.logsumexp(q @ k.mT / math.sqrt(8), -1), rtol=0, atol=1e-14)
    scaled = blockwise_attention(q, k, v, block=block, scale=0.3).output
    assert np.allclose(scaled, F.scaled_dot_product_attention(q, k, v, scale=0.3), rtol=0, atol=1e-14)


@pytest.mark.parametrize("block", [1, 3, 8, 9, 100])
@pytest.mark.parametrize("length", [1, 4, 9])
def test_causal_is_aligned_at_the_end(block, length):
    q, k, v = tensors((2, length, 3), (2, 9, 3), (2, 9, 2))
    seen = torch.ones(length, 9, dtype=torch.bool).tril(9 - length)
    out = blockwise_attention(q, k, v, block=block, causal=True).output
    assert np.allclose(out, F.scaled_dot_product_attention(q, k, v, attn_mask=seen), rtol=0, atol=1e-14)


def test_values_that_are_not_seen_do_not_matter():
    q, k, v = (x.numpy() for x in tensors((4, 3), (4, 3), (4, 2)))
    wanted = blockwise_attention(q, k, v, block=2, causal=True)
    for bad in (NAN, INF, -INF):
        spoilt = v.copy()
        spoilt[2] = bad
        found = blockwise_attention(q, k, spoilt, block=2, causal=True)
        assert np.allclose(found.output[:2], wanted.output[:2], rtol=1e-15)
        assert not np.isfinite(found.output[2:]).any() and np.allclose(found.lse, wanted.lse)


def test_a_sink_is_a_key_with_the_value_zero():
    q, k, v = (x.numpy() for x in tensors((3, 4, 5), (3, 9, 5), (3, 9, 2)))
    sink = some(3, 4)
    out, lse = blockwise_attention(q, k, v, block=4, sink=sink)
    z = q @ np.swapaxes(k, -1, -2) / math.sqrt(5)
    weights = softmax(np.concatenate([np.broadcast_to(sink[:, None], (3, 4, 1)), z], -1))[..., 1:]
    assert np.allclose(out, weights @ v, rtol=0, atol=1e-14) and np.allclose(lse, logsumexp(z))
    plain = blockwise_attention(q, k, v, block=4)
    assert np.array_equal(blockwise_attention(q, k, v, block=4, sink=-INF).output, plain.output)
    assert (blockwise_attention(q, k, v, block=4, sink=INF).output == 0).all()
    assert np.isfinite(blockwise_attention(q, k, v, sink=1e4).output).all()


def test_a_query_that_sees_nothing_has_its_sink():
    out, lse = blockwise_attention(np.ones((2, 3)), np.zeros((0, 3)), np.zeros((0, 4)), sink=0.0)
    assert out.shape == (2, 4) and (out == 0).all() and (lse == -INF).all()


@pytest.mark.filterwarnings("error")
def test_large_scores_neither_overflow_nor_warn():
    q, k, v = (x.numpy() for x in tensors((4, 3), (50, 3), (50, 2)))
    out, lse = blockwise_attention(1e4 * q, k, v, block=7)
    z = 1e4 * q @ k.T / math.sqrt(3)
    assert np.allclose(out, v[z.argmax(-1)], rtol=0, atol=1e-9) and np.allclose(lse, z.max(-1))


def test_a_query_that_is_nan_spoils_itself_only():
    q, k, v = (x.numpy() for x in tensors((4, 3), (9, 3), (9, 2)))
    wanted = blockwise_attention(q, k, v, block=2).output
    q[1] = NAN
    found = blockwise_attention(q, k, v, block=2).output
    assert np.isnan(found[1]).all() and np.allclose(np.delete(found, 1, 0), np.delete(wanted, 1, 0))


def test_memory_does_not_grow_with_the_keys():
    most = []
    for n in (2000, 20_000):
        q, k, v = some(0, 32, 8), some(1, n, 8), some(2, n, 8)
        tracemalloc.start()
        blockwise_attention(q, k, v)
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert most[1] < 1.2 * most[0] < 20 * 32 * 128 * 8


# --- Draws ------------------------------------------------------------------------------------------------


def test_draws_have_the_probabilities_of_the_whole():
    z = np.array([0.3, -1.0, 2.0, 0.0, 0.7, -INF])
    parts = (0, 2), (2, 3), (3, 6)

    def drawn(n, rng):
        blocks = [(np.full(n, logsumexp(z[a:b])), rng.choice(np.arange(a, b), size=n, p=softmax(z[a:b])))
                  for a, b in parts]
        return merge_draws([merge_draws(blocks[:2], rng=rng), blocks[2]], rng=rng).draw

    has_frequencies(drawn, softmax(z), effect=0.01, title="draws of three machines")


def test_a_part_without_weight_is_never_chosen():
    parts = [(np.full(1000, -INF), np.zeros(1000, int)), (np.zeros(1000), np.ones(1000, int))]
    lse, draw = merge_draws(parts)
    assert (draw == 1).all() and (lse == 0).all()
    assert draw.dtype.kind == "i" and lse.dtype == np.float64


def test_merged_log_sum_exps_are_those_of_the_whole():
    z = some(0, 4, 10)
    blocks = [(logsumexp(z[:, a:b]), np.full(4, a)) for a, b in itertools.pairwise([0, 3, 4, 10])]
    assert np.allclose(merge_draws(blocks, rng=0).lse, logsumexp(z), rtol=1e-14)
    assert np.array_equal(merge_draws(blocks, rng=0).draw, merge_draws(blocks, rng=0).draw)


# --- A loss over many classes -----------------------------------------------------------------------------


def gradients(loss, x, w, labels):
    x, w = x.clone().requires_grad_(), w.clone().requires_grad_()
    value = loss(x, w, labels)
    (3 * value).backward()
    return value.detach(), x.grad, w.grad


def usual(x, w, labels):
    return F.cross_entropy(x @ w.T, labels)


@pytest.mark.parametrize("chunk", [1, 7, 50, 4096])
@pytest.mark.parametrize("scale", [1, 100])
def test_the_loss_is_that_of_pytorch(chunk, scale):
    x, w = tensors((6, 4), (50, 4))
    labels = torch.tensor([0, 49, 7, 7, 13, 6])
    found = gradients(lambda *at: chunked_cross_entropy(*at, chunk=chunk), scale * x, w, labels)
    for one, wanted in zip(found, gradients(usual, scale * x, w, labels)):
        assert torch.allclose(one, wanted, rtol=1e-12, atol=1e-13 * scale)


def test_the_gradient_is_that_of_finite_differences():
    x, w = (one.requires_grad_() for one in tensors((3, 2), (5, 2)))
    labels = torch.tensor([0, 4, 2])
    assert torch.autograd.gradcheck(lambda x, w: chunked_cross_entropy(x, w, labels, chunk=2), (x, w))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_half_precision_is_summed_in_float32(dtype):
    x, w = (one.to(dtype) for one in tensors((4, 8), (70_000, 8)))
    labels = torch.tensor([0, 1, 69_999, 5])
    found = gradients(chunked_cross_entropy, 0.01 * x, w, labels)
    wanted = gradients(usual, (0.01 * x).double(), w.double(), labels)
    assert found[0].dtype == found[1].dtype == found[2].dtype == dtype
    assert torch.isclose(found[0].double(), wanted[0], rtol=2 * torch.finfo(dtype).eps)
    assert torch.allclose(found[1].double(), wanted[1], rtol=1e-2, atol=1e-3)


def test_autocast_changes_nothing():
    x, w = (one.float() for one in tensors((4, 8), (100, 8)))
    labels = torch.tensor([0, 1, 99, 5])
    wanted = gradients(chunked_cross_entropy, x, w, labels)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = gradients(chunked_cross_entropy, x, w, labels)
    assert all(torch.equal(*pair) for pair in zip(found, wanted))


@pytest.mark.parametrize(("of_features", "of_weights"), [
    (torch.bfloat16, torch.float32), (torch.float32, torch.bfloat16), (torch.float32, torch.float64)])
def test_of_two_types_the_wider_one_is_computed_in(of_features, of_weights):
    x, w = tensors((4, 8), (100, 8))
    x, w, labels = x.to(of_features), w.to(of_weights), torch.tensor([0, 1, 99, 5])
    found = gradients(chunked_cross_entropy, x, w, labels)
    wanted = gradients(usual, x.double(), w.double(), labels)
    wider = torch.promote_types(of_features, of_weights)
    assert [one.dtype for one in found] == [wider, of_features, of_weights]
    for one, exact in zip(found, wanted):
        assert torch.allclose(one.double(), exact, rtol=4 * torch.finfo(one.dtype).eps, atol=1e-6)


def test_features_that_autocast_made():
    x, w = (one.float() for one in tensors((4, 8), (100, 8)))
    head, labels = torch.nn.Linear(8, 8), torch.tensor([0, 1, 99, 5])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        features = head(x)
        loss = chunked_cross_entropy(features, w, labels)
    assert features.dtype == torch.bfloat16 and loss.dtype == torch.float32
    assert torch.allclose(loss, usual(features.float(), w, labels))


def test_no_second_derivative_is_promised():
    x, w = (one.requires_grad_() for one in tensors((3, 2), (5, 2)))
    first, = torch.autograd.grad(chunked_cross_entropy(x, w, torch.tensor([0, 4, 2])), x, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable|does not require grad"):
        first.sum().backward()


def test_few_logits_are_held():
    rows = []
    real = torch.Tensor.__matmul__

    def watched(one, other):
        found = real(one, other)
        rows.append(found.numel())
        return found

    x, w = (one.requires_grad_() for one in tensors((4, 2), (1000, 2)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.Tensor, "__matmul__", watched)
        chunked_cross_entropy(x, w, torch.tensor([0, 4, 2, 999]), chunk=10).backward()
    assert len(rows) > 200 and max(rows) <= 40
