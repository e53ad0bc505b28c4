"""What must not pass: each line makes a page wrong, and says how that must be noticed."""

from proofread.errors import Refuted
from proofread.testing import Falsified, Page

SPREAD = Page("spread.md", [
    Falsified("- n * mean()**2", "+ n * mean()**2", Refuted, says="the middle term"),
    Falsified("np.var(v)", "np.var(v, ddof=1)", Refuted, says="n np.var"),
])

UPDATE = Page("update.md", [
    Falsified('alpha * (q - target()), "chain', 'alpha * (q + target()), "chain', Refuted,
              says="chain rule"),
    Falsified("r + gamma * m - q)", "r - gamma * m - q)", Refuted, says="learn"),
    Falsified("q - alpha * (r + gamma * m)),", "q + alpha * (r + gamma * m)),", ValueError,
              says="is not refuted"),
    Falsified("rest.step(-target(),", "rest.step(target(),", Refuted),
], quotations={
    "Dive into Deep Learning (2023), Q-Learning, the update":
        r"q - \alpha \frac{\partial}{\partial q} \frac{(q - y)^{2}}{2}"
        r" = (1 - \alpha) q - \alpha (r + \gamma m)",
})
