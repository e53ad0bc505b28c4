// What a wrong report costs: the gap between a convex curve and its tangent, for two losses and two classes.
softmaxFigures.tangent_gap = (() => {
  // The expected gain of an honest report, and its slope.
  const GAINS = {
    cross: [(p) => p * Math.log(p) + (1 - p) * Math.log(1 - p), (p) => Math.log(p / (1 - p))],
    square: [(p) => -2 * p * (1 - p), (p) => 4 * p - 2],
  };

  const compute = ({ report, truth }) => {
    const values = { report, truth };
    for (const [loss, [gain, slope]] of Object.entries(GAINS)) {
      const line = (p) => gain(report) + slope(report) * (p - report);
      values[`${loss}_touch`] = gain(report);
      values[`${loss}_line`] = [line(0), line(1)];
      values[`${loss}_gap`] = [line(truth), gain(truth)];
    }
    return values;
  };

  const draw = (values) => {
    const { report, truth } = values;
    const curves = {};
    Object.keys(GAINS).forEach((loss, number) => {
      curves[`tangent-${number}`] = [[0, 1], values[`${loss}_line`]];
      const [low, high] = values[`${loss}_gap`]; // an upright beam with feet
      const across = [-1, 1, 0, 0, -1, 1].map((side) => truth + 0.015 * side);
      curves[`gap-${number}`] = [across, [low, low, low, high, high, high]];
      curves[`touch-${number}`] = [[report], [values[`${loss}_touch`]]];
    });
    return curves;
  };

  const describe = ({ report, truth, cross_gap, square_gap }) => {
    const [cross, square] = [cross_gap, square_gap].map(([low, high]) => (high - low).toFixed(4));
    return `Who reports ${report.toFixed(2)} where the truth is ${truth.toFixed(2)} loses ${cross} nats more than need be, ` +
      `and ${square} of square loss.`;
  };

  return { compute, draw, describe };
})();
