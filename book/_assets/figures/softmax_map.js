// A small circle of logits at a temperature, and its image under the Jacobian of softmax.
// data: logits, at temperature 1; basis, two orthonormal vectors of the plane of logits; radius; turns, angles.
softmaxFigures.softmax_map = (() => {
  const compute = ({ T }, { logits, basis, radius, turns }) => {
    const place = basis.map((vector) => vector.reduce((sum, one, k) => sum + (one * logits[k]) / T, 0));
    const law = softmaxTools.softmax(logits, T);
    const circle = turns.map((turn) => [place[0] + radius * Math.cos(turn), place[1] + radius * Math.sin(turn)]);
    const ellipse = turns.map((turn) => {
      const step = law.map((_, k) => radius * (Math.cos(turn) * basis[0][k] + Math.sin(turn) * basis[1][k]));
      const mean = step.reduce((sum, one, k) => sum + one * law[k], 0);
      return law.map((one, k) => one + one * (step[k] - mean));
    });
    return { circle, ellipse, factor: 3 * law[0] * law[1] * law[2] };
  };

  const draw = ({ circle, ellipse }) => ({
    circle: [circle.map(([x]) => x), circle.map(([, y]) => y)],
    ellipse: softmaxTools.simplex(ellipse),
  });

  const describe = ({ factor }, { T }) =>
    `At temperature ${T.toFixed(2)} softmax makes small areas ${factor.toPrecision(3)} times as large.`;

  return { compute, draw, describe };
})();
