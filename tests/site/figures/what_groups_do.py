"""What the expected updates of groups on book/rewards/groups must compute."""

import numpy as np
from scipy import stats

PAGE = "book/rewards/groups"


def expected(knobs, data):
    """By SciPy's binomial law; a product of up to 32 factors, and as many summands below 1."""
    size, rates = int(knobs["size"]), np.array(data["rates"])
    wins = np.arange(size + 1)
    chance = stats.binom.pmf(wins, size, rates[:, None])
    slope = rates * (1 - rates)
    updates = np.array([slope, slope * (size - 1) / size, chance @ np.sqrt(wins * (size - wins)) / size])
    return {"size": (size, 0), "rates": (rates, 0), "updates": (updates, 1e-12),
            "quotients": (updates / slope, 1e-10)}


def check_that_only_groups_of_two_and_three_weigh_all_rates_alike(live):
    for size in (2, 3, 4, 32):
        live.turn("size", size)
        standardised = live.values()["quotients"][2]
        assert (np.ptp(standardised) < 1e-12) == (size < 4)
