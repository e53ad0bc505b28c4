// How often each item has the largest logit + scale * noise, for three laws of the noise.
// data: logits, of which the knob replaces the first.
softmaxFigures.which_noise = (() => {
  const SD = Math.PI / Math.sqrt(6); // of the standard Gumbel, hence of all three
  const HALF = SD * Math.sqrt(3); // half the width of the uniform

  // G. Marsaglia, "Evaluating the normal distribution", Journal of Statistical Software 11 (2004), no. 4.
  const Phi = (x) => {
    if (Math.abs(x) > 9) return x > 0 ? 1 : 0;
    let term = x;
    let sum = x;
    for (let i = 3, last = 0; sum !== last; i += 2) {
      last = sum;
      term *= (x * x) / i;
      sum += term;
    }
    return 0.5 + sum * normal(x);
  };
  const normal = (x) => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);

  // The trapezoid rule gains digits geometrically on these: they are analytic and vanish at both ends.
  const trapezoid = (low, high, width) => () =>
    Array.from({ length: Math.round((high - low) / width) + 1 }, (_, i) => [low + i * width, width]);

  // The uniform makes cubics with kinks; between the kinks two points of Gauss are exact.
  const gauss = (shifts) => {
    const cuts = [-HALF, HALF, ...shifts.flatMap((shift) => [-HALF - shift, HALF - shift])]
      .filter((cut) => Math.abs(cut) <= HALF).sort((a, b) => a - b);
    return cuts.slice(1).flatMap((right, i) => {
      const [middle, half] = [(right + cuts[i]) / 2, (right - cuts[i]) / 2];
      return [[middle - half / Math.sqrt(3), half], [middle + half / Math.sqrt(3), half]];
    });
  };

  const NOISE = {
    Gumbel: { pdf: (t) => Math.exp(-t - Math.exp(-t)), cdf: (t) => Math.exp(-Math.exp(-t)), rule: trapezoid(-4, 40, 0.1) },
    normal: { pdf: (t) => normal(t / SD) / SD, cdf: (t) => Phi(t / SD), rule: trapezoid(-9 * SD, 9 * SD, 0.1 * SD) },
    uniform: { pdf: () => 0.5 / HALF, cdf: (t) => Math.min(1, Math.max(0, 0.5 + 0.5 * t / HALF)), rule: gauss },
  };

  const softmax = (logits) => {
    const top = Math.max(...logits);
    const weights = logits.map((logit) => Math.exp(logit - top));
    const sum = weights.reduce((a, b) => a + b);
    return weights.map((weight) => weight / sum);
  };

  const compute = ({ logit, noise, scale }, data) => {
    const logits = [logit, ...data.logits.slice(1)].map((a) => a / scale);
    const { pdf, cdf, rule } = NOISE[noise];
    // Item k wins with noise t if every other noise stays below t + its lead.
    const win = logits.map((own, k) => {
      const leads = logits.filter((_, j) => j !== k).map((other) => own - other);
      return rule(leads).reduce((sum, [t, weight]) =>
        sum + leads.reduce((product, lead) => product * cdf(t + lead), weight * pdf(t)), 0);
    });
    return { win, softmax: softmax(logits) };
  };

  // Bars are thick lines from 0; the softmax is a mark across each.
  const draw = ({ win, softmax }) => ({
    win: [win.flatMap((_, k) => [k + 1, k + 1, NaN]), win.flatMap((p) => [0, p, NaN])],
    softmax: [softmax.flatMap((_, k) => [k + 0.6, k + 1.4, NaN]), softmax.flatMap((p) => [p, p, NaN])],
  });

  const describe = ({ win, softmax }) => {
    const percent = (list) => list.map((p) => `${(100 * p).toFixed(1)}\u00a0%`).join(", ");
    return `Items 1 to ${win.length} win with probability ${percent(win)}; softmax says ${percent(softmax)}.`;
  };

  return { compute, draw, describe };
})();
