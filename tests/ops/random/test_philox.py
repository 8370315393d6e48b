"""Philox against its authors' known answers, and its three implementations among each other."""

import numpy as np
import pytest
from ml_dtypes import bfloat16

from tapeflow.ops.random.samplers import distributions
from tapeflow.ops.random.streams import bits, philox, sharding

# The test vectors published with the generator: counter, key, block.
KNOWN = [
    (0, 0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((1 << 128) - 1, (1 << 64) - 1, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        0x0370734413198A2E85A308D3243F6A88,
        0x299F31D0A4093822,
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize("counter, key, expected", KNOWN)
def test_known_answers(counter, key, expected):
    assert philox.block(key, counter) == expected
    assert tuple(philox.words(key, counter, 1)[0].tolist()) == expected
    assert tuple(philox.words_at(key, counter, np.zeros(20, int))[7].tolist()) == expected


@pytest.mark.parametrize("counter", [0, (1 << 32) - 3, (1 << 64) - 3, (1 << 128) - 3, 5 << 90])
@pytest.mark.parametrize("blocks, stride", [(7, 1), (190, 256), (300, 1), (9000, 128)])
def test_every_way_gives_the_same_blocks(counter, blocks, stride):
    words = philox.words(99, counter, blocks, stride)
    offsets = np.arange(blocks) * stride
    assert (words == philox.words_at(99, counter, offsets)).all()
    for i in {0, 1, 2, 3, 4, 5, 6, blocks - 1}:
        place = philox.skip(counter, i * stride)
        assert tuple(words[i].tolist()) == philox.block(99, place)


def test_a_large_draw_is_the_small_ones_in_turn():
    for dtype in (bits.HALF, np.dtype(bfloat16), bits.FLOAT, bits.DOUBLE):
        for draw in (distributions.uniform, distributions.normal):
            large = draw(5, 7, (40_001,), dtype)
            per_block = distributions.format_of(dtype).per_block
            for start in (0, 4 * 8192, 40_000 // per_block * per_block):
                part = draw(5, 7 + start // per_block, (min(40, 40_001 - start),), dtype)
                assert (large[start : start + 40] == part).all()


def test_normals_by_python_floats_equal_those_by_numpy():
    words = philox.words(3, 0, 2000).ravel()
    words[:4] = 0  # the radius of the smallest uniform
    one_by_one = np.concatenate([bits.normal_float(w) for w in words.reshape(-1, 8)])
    assert (one_by_one.view(np.uint32) == bits.normal_float(words).view(np.uint32)).all()


def test_normals_have_the_moments_of_normals():
    for dtype in (bits.FLOAT, bits.DOUBLE):
        x = distributions.normal(1, 2, (200_000,), dtype).astype(float)
        assert abs(x.mean()) < 0.01 and abs(x.std() - 1) < 0.01
        assert abs((x**3).mean()) < 0.03 and abs((x**4).mean() - 3) < 0.1


def test_truncated_normals_stay_within_two():
    for dtype in (bits.FLOAT, bits.DOUBLE):
        x = distributions.truncated_normal(1, 2, (50_001,), dtype)
        assert np.abs(x).max() < 2
        assert len(np.unique(x)) > 49_000


@pytest.mark.parametrize("total, cost, threads", [(1, 1e9, 8), (1000, 50, 8), (70, 9000, 1)])
def test_small_or_single_threaded_loops_are_not_cut(total, cost, threads):
    assert sharding.parts(total, cost, threads) == [(0, total)]


@pytest.mark.parametrize("total, cost, threads", [(1000, 6000, 2), (17, 110_000, 2), (64, 5000, 8)])
def test_large_loops_are_cut_into_all_of_their_parts(total, cost, threads):
    cut = sharding.parts(total, cost, threads)
    assert 1 < len(cut) <= 4 * threads
    assert cut[0][0] == 0 and cut[-1][1] == total
    assert all(a[1] == b[0] for a, b in zip(cut, cut[1:]))
