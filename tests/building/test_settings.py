"""The environment in which chapters are executed, and tests run."""


def test_a_process_that_tests_keeps_to_one_thread_and_forgets_nothing():
    import numpy  # noqa: F401
    import torch
    from sympy.core import cache
    from threadpoolctl import threadpool_info

    pools = threadpool_info()
    assert pools and {pool["num_threads"] for pool in pools} == {torch.get_num_threads()} == {1}
    assert cache.SYMPY_CACHE_SIZE is None
