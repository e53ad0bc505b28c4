// Contours of T lse(z/T) and of its upper bound, for two logits.
// data: levels; edge, the lower end of both axes.
softmaxFigures.tent = (() => {
  const lift = [NaN, NaN];

  const compute = ({ T }, { levels, edge }) => ({
    // On the contour of level c the logits are c + T log p and c + T log(1 - p); x is the log-odds of p.
    soft: levels.map((c) => {
      const end = Math.log(Math.expm1((c - edge) / T));
      return Array.from({ length: 61 }, (_, i) => end * (i / 30 - 1))
        .map((x) => [c - T * Math.log1p(Math.exp(-x)), c - T * Math.log1p(Math.exp(x))]);
    }),
    corner: levels.map((c) => c - T * Math.LN2),
    gap: T * Math.LN2,
    edge,
  });

  const draw = ({ soft, corner, edge }) => {
    const line = soft.flatMap((contour) => [...contour, lift]);
    const tents = corner.flatMap((c) => [[edge, c], [c, c], [c, edge], lift]);
    return Object.fromEntries(Object.entries({ soft: line, upper: tents }).map(
      ([name, points]) => [name, [points.map(([x]) => x), points.map(([, y]) => y)]]));
  };

  const describe = ({ gap }, { T }) =>
    `At temperature ${T.toFixed(1)} the soft maximum is at most ${gap.toFixed(3)} above the maximum, at ties.`;

  return { compute, draw, describe };
})();
