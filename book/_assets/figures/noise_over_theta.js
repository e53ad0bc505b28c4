// The variance of one draw of the score function, for z² at the mean 2θ + 3, with a constant baseline.
// data: thetas; moments, at every tenth of them, of what 40,000 draws say without a baseline and of what one says.
softmaxFigures.noise_over_theta = (() => {
  const compute = ({ baseline }, { thetas, moments }) => {
    const variance = (theta) => {
      const square = (2 * theta + 3) ** 2;
      return 8 * (4 * square + 3) + 4 * (baseline - square - 3) ** 2;
    };
    return {
      thetas,
      baseline,
      curve: thetas.map(variance),
      drawn: moments.map(([plain, both, one]) => plain - 2 * baseline * both + baseline ** 2 * one),
      goal: variance(-1.5),
    };
  };

  const draw = ({ thetas, baseline, curve, drawn, goal }) => ({
    "with-baseline": [thetas, curve.map(Math.log10)],
    "score-drawn": [thetas.filter((_, i) => i % 10 === 0), drawn.map(Math.log10)],
    constant: baseline.toFixed(0),
    goal: goal.toFixed(0),
  });

  const describe = ({ curve, thetas }) => {
    const quietest = curve.indexOf(Math.min(...curve));
    return `The score function is quietest at ${thetas[quietest].toFixed(2).replace("-", "−")}, with the variance ${curve[quietest].toFixed(0)}.`;
  };

  return { compute, draw, describe };
})();
