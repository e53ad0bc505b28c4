// The normals that are nearest to a mixture p of two normals, by forward and by reverse divergence.
// data: stds, of the two components; x, where the densities are drawn.
softmaxFigures.gaussian_kl = (() => {
  const LOG_ROOT = 0.5 * Math.log(2 * Math.PI);
  const logNormal = (x, mu, sigma) => -0.5 * ((x - mu) / sigma) ** 2 - Math.log(sigma) - LOG_ROOT;

  // log p and its first two derivatives
  const logMixture = ([one, two], x) => {
    const a = Math.log(one.w) + logNormal(x, one.m, one.s);
    const b = Math.log(two.w) + logNormal(x, two.m, two.s);
    const share = 1 / (1 + Math.exp(b - a)); // of the first component
    const [pullOne, pullTwo] = [(one.m - x) / one.s ** 2, (two.m - x) / two.s ** 2];
    return [
      Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b))),
      share * pullOne + (1 - share) * pullTwo,
      share * (1 - share) * (pullOne - pullTwo) ** 2 - share / one.s ** 2 - (1 - share) / two.s ** 2,
    ];
  };

  // The trapezoid rule gains digits geometrically on analytic integrands that vanish at both ends.
  // Beyond 9 standard deviations a normal weighs less than a rounding error; the poles of log p
  // near a steep crossing of the components ask for the fine grid.
  const Z = Array.from({ length: 577 }, (_, i) => -9 + i / 32);
  const EXPECT = Z.map((z) => [z, Math.exp(logNormal(z, 0, 1)) / 32]);

  // KL(q || p), with gradient and Hessian in mu and log sigma
  const reverse = (components) => ([mu, logSigma]) => {
    const sigma = Math.exp(logSigma);
    let value = -logSigma - LOG_ROOT - 0.5;
    let [a, b, aa, ab, bb] = [0, -1, 0, 0, 0];
    for (const [z, weight] of EXPECT) {
      const [log, first, second] = logMixture(components, mu + sigma * z);
      value -= weight * log;
      a -= weight * first;
      b -= weight * first * sigma * z;
      aa -= weight * second;
      ab -= weight * second * sigma * z;
      bb -= weight * (second * sigma * z + first) * sigma * z;
    }
    return { value, gradient: [a, b], hessian: [aa, ab, bb] };
  };

  // Newton's method; where the Hessian is not positive, its smaller eigenvalue is turned round.
  const minimise = (objective, point) => {
    let here = objective(point);
    for (let round = 0; round < 100; round++) {
      const { value, gradient: [a, b], hessian: [aa, ab, bb] } = here;
      const least = (aa + bb) / 2 - Math.hypot((aa - bb) / 2, ab);
      const shift = Math.max(0, 1e-3 - least, -2 * least);
      const det = (aa + shift) * (bb + shift) - ab * ab;
      const step = [(ab * b - (bb + shift) * a) / det, (ab * a - (aa + shift) * b) / det];
      const decrease = -(a * step[0] + b * step[1]);
      if (decrease < 1e-12) return { value, point: [point[0] + step[0], point[1] + step[1]] };
      const from = point;
      for (let t = 1; ; t /= 2) {
        point = [from[0] + t * step[0], from[1] + t * step[1]];
        here = objective(point);
        if (here.value <= value - 1e-4 * t * decrease) break;
        if (!(t > 1e-9)) throw new Error(`no descent from ${from}`);
      }
    }
    throw new Error(`no minimum found near ${point}`);
  };

  const compute = ({ separation, weight }, { stds, x }) => {
    const components = [
      { w: weight, m: -separation, s: stds[0] },
      { w: 1 - weight, m: separation, s: stds[1] },
    ];
    const total = (f) => components.reduce((sum, component) => sum + f(component), 0);
    // Forward: the moments of p; then KL(p || q), component by component.
    const mu = total(({ w, m }) => w * m);
    const sigma = Math.sqrt(total(({ w, m, s }) => w * (s * s + (m - mu) ** 2)));
    const left = total(({ w, m, s }) => w * EXPECT.reduce((sum, [z, weight]) =>
      sum + weight * (logMixture(components, m + s * z)[0] - logNormal(m + s * z, mu, sigma)), 0));
    // Reverse: the lowest of the minima.
    const starts = [[mu, sigma], ...components.map(({ m, s }) => [m, s])];
    const ends = starts.map(([m, s]) => minimise(reverse(components), [m, Math.log(s)]));
    const best = ends.reduce((one, other) => (other.value < one.value ? other : one));
    const fits = { forward: [mu, sigma, left], reverse: [best.point[0], Math.exp(best.point[1]), best.value] };
    const density = ([m, s]) => x.map((at) => Math.exp(logNormal(at, m, s)));
    return {
      x,
      p: x.map((at) => Math.exp(logMixture(components, at)[0])),
      forward: fits.forward, reverse: fits.reverse,
      forward_q: density(fits.forward), reverse_q: density(fits.reverse),
    };
  };

  const draw = ({ x, p, forward_q, reverse_q }) => ({ p: [x, p], forward: [x, forward_q], reverse: [x, reverse_q] });

  const describe = ({ forward, reverse }) => {
    const digits = (value) => Number(value.toFixed(2)).toFixed(2).replace("-", "−"); // and no −0.00
    const says = ([mean, deviation, nats]) =>
      `mean ${digits(mean)}, standard deviation ${digits(deviation)}, divergence ${digits(nats)} nats`;
    return `Forward: ${says(forward)}. Reverse: ${says(reverse)}.`;
  };

  return { compute, draw, describe };
})();
