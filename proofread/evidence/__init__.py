"""Second routes: an equation meets something that was not derived from it.

`agree` sets a function against a formula, `enumeration` sums over every outcome, `quadrature` integrates;
`mean_agrees`, `frequencies_agree` and `cdf_agrees` are for what only sampling can tell, with both error rates
stated.
"""

from .routes import agree, enumeration, quadrature
from .statistics import cdf_agrees, frequencies_agree, mean_agrees

__all__ = ["agree", "cdf_agrees", "enumeration", "frequencies_agree", "mean_agrees", "quadrature"]
