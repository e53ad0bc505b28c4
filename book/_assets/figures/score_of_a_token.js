// Density of the score of a token that a key has drawn, for the probability that the model gave it.
// data: scores, where the density is drawn.
softmaxFigures.score_of_a_token = (() => {
  // H_x = digamma(1 + x) + Euler's constant, for x > 0: a series far away, and the recurrence to get there
  const harmonic = (x) => {
    let y = 1 + x;
    let below = 0;
    while (y < 12) { below += 1 / y; y += 1; }
    const r = 1 / (y * y);
    return 0.5772156649015329 + Math.log(y) - 0.5 / y - r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r / 240))) - below;
  };

  const compute = ({ p }, { scores }) => ({
    p, scores,
    density: scores.map((s) => Math.exp(-s) * (-Math.expm1(-s)) ** (1 / p - 1) / p),
    mean: harmonic(1 / p),
  });

  const shown = (p) => (p < 0.1 ? p.toFixed(3) : p.toFixed(2));

  const draw = ({ p, scores, density, mean }) => ({
    marked: [scores, density], average: [[mean], [0.02]], p: shown(p), mean: mean.toFixed(2),
  });

  const describe = ({ mean }, { p }) =>
    `A token of probability ${shown(p)} scores ${mean.toFixed(2)} on average with the mark, and 1 without.`;

  return { compute, draw, describe };
})();
