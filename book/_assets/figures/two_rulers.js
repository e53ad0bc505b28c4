// Evidence moves a probability by equal steps on the ruler of log-odds, and by unequal ones on its own.
// data: places, log-odds of the marks on the lower ruler.
softmaxFigures.two_rulers = (() => {
  const sigmoid = (t) => 1 / (1 + Math.exp(-t));

  const compute = ({ evidence }, { places }) => ({
    before: places,
    after: places.map((t) => t + evidence),
    probabilities: places.map((t) => sigmoid(t + evidence)),
  });

  // The ruler of probabilities is as long as that of log-odds, from -5 to 5.
  const draw = ({ after, probabilities }) => {
    const tops = probabilities.map((p) => 10 * p - 5);
    return {
      rays: [after.flatMap((t, i) => [t, tops[i], NaN]), after.flatMap(() => [0, 1, NaN])],
      below: [after, after.map(() => 0)],
      above: [tops, tops.map(() => 1)],
    };
  };

  const describe = ({ probabilities }, { evidence }) => {
    const [low, middle, high] = [0, (probabilities.length - 1) / 2, probabilities.length - 1]
      .map((i) => probabilities[i].toFixed(3));
    return `With ${evidence.toFixed(1).replace("-", "−")} added to all log-odds the probabilities run from ${low} over ${middle} to ${high}.`;
  };

  return { compute, draw, describe };
})();
