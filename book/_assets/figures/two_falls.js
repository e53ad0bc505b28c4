// Three learners descend from the same starts on the cross-entropy and on the square loss; the truth is class 1.
// data: starts, logits in units of the lead; rate, steps.
softmaxFigures.two_falls = (() => {
  const error = (p) => p.map((one, k) => one - (k === 0 ? 1 : 0));
  const GRADIENTS = {
    cross: error,
    square: (p) => {
      const d = error(p);
      const mean = d.reduce((sum, one, k) => sum + p[k] * one, 0);
      return p.map((one, k) => 2 * one * (d[k] - mean));
    },
  };

  const compute = ({ lead }, { starts, rate, steps }) => {
    const values = {};
    for (const [loss, gradient] of Object.entries(GRADIENTS)) {
      values[loss] = starts.map((start) => {
        let z = start.map((one) => lead * one);
        const laws = [];
        for (let step = 0; step <= steps; step++) {
          laws.push(softmaxTools.softmax(z));
          const slope = gradient(laws[step]);
          z = z.map((one, k) => one - rate * slope[k]);
        }
        return laws;
      });
    }
    return values;
  };

  const draw = (values) => {
    const curves = {};
    for (const [loss, falls] of Object.entries(values)) {
      falls.forEach((laws, start) => {
        curves[`${loss}-path-${start}`] = softmaxTools.simplex(laws.filter((_, step) => step % 4 === 0));
      });
      curves[`${loss}-dots`] = softmaxTools.simplex(falls.flatMap((laws) => laws.filter((_, step) => step % 20 === 0)));
    }
    return curves;
  };

  const describe = ({ cross, square }, { lead }) => {
    const least = (falls) => `${(100 * Math.min(...falls.map((laws) => laws[laws.length - 1][0]))).toFixed(1)}\u00a0%`;
    return `From ${lead.toFixed(1)} behind, the truth ends at ${least(cross)} or more with the cross-entropy, ` +
      `and with the square loss at ${least(square)} or more.`;
  };

  return { compute, draw, describe };
})();
