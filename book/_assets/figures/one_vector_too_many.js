// Two weight vectors in the plane, and where the first class has the probabilities .1, .5 and .9.
// data: weights, of the two classes; logits, of those probabilities; reach, of the lines.
softmaxFigures.one_vector_too_many = (() => {
  const compute = ({ across, up }, { weights, logits, reach }) => {
    const moved = weights.map(([x, y]) => [x + across, y + up]);
    const [dx, dy] = [moved[0][0] - moved[1][0], moved[0][1] - moved[1][1]];
    const square = dx * dx + dy * dy;
    // On the line of a logit t the features x have (theta_1 - theta_2) x = t.
    const lines = logits.map((t) => [-reach, reach].map((s) =>
      [(t * dx) / square - (s * dy) / Math.sqrt(square), (t * dy) / square + (s * dx) / Math.sqrt(square)]));
    return { moved, lines };
  };

  const draw = ({ moved, lines }) => {
    const curves = {};
    moved.forEach((end, k) => { curves[`arrow-${k + 1}`] = [[[0, 0]], [end]]; });
    lines.forEach((line, k) => { curves[`contour-${k + 1}`] = [line.map(([x]) => x), line.map(([, y]) => y)]; });
    return curves;
  };

  const describe = ({ moved }, { across, up }) => {
    const write = (vector) => `(${vector.map((one) => one.toFixed(1).replace("-", "−")).join(", ")})`;
    return `With ${write([across, up])} added to both, the weights are ${write(moved[0])} and ${write(moved[1])}, and no contour has moved.`;
  };

  return { compute, draw, describe };
})();
