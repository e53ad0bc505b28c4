// Contours of T lse(z/T) and of its upper bound, for two logits.
// data: levels; p, probabilities of the first logit along a contour.
softmaxFigures.tent = (() => {
  const lift = [NaN, NaN];

  const compute = ({ T }, { levels, p }) => ({
    // On the contour of level c the logits are c + T log p and c + T log(1 - p).
    soft: levels.map((c) => p.map((one) => [c + T * Math.log(one), c + T * Math.log1p(-one)])),
    corner: levels.map((c) => c - T * Math.LN2),
    gap: T * Math.LN2,
    edge: 6,
  });

  const draw = ({ soft, corner, edge }) => {
    const line = soft.flatMap((contour) => [...contour, lift]);
    const tents = corner.flatMap((c) => [[-edge, c], [c, c], [c, -edge], lift]);
    return Object.fromEntries(Object.entries({ soft: line, upper: tents }).map(
      ([name, points]) => [name, [points.map(([x]) => x), points.map(([, y]) => y)]]));
  };

  const describe = ({ gap }, { T }) =>
    `At temperature ${T.toFixed(1)} the soft maximum is at most ${gap.toFixed(3)} above the maximum, at ties.`;

  return { compute, draw, describe };
})();
