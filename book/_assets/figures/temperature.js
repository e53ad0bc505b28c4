// Fifteen test digits at their probabilities, for a temperature.
// data: logits, of each digit for the three classes; classes, the number of the true one.
softmaxFigures.temperature = (() => {
  const compute = ({ T }, { logits, classes }) => {
    const laws = logits.map((z) => softmaxTools.softmax(z, T));
    const right = laws.filter((law, i) => law.indexOf(Math.max(...law)) === classes[i]).length;
    const sure = laws.reduce((sum, law) => sum + Math.max(...law), 0) / laws.length;
    return { laws, right, sure, T };
  };

  const shown = (T) => String(Number(T.toPrecision(3)));

  const draw = ({ laws, T }) => {
    const [xs, ys] = softmaxTools.simplex(laws);
    const moved = Object.fromEntries(xs.map((x, i) => [`digit${i}`, [[x], [ys[i]]]]));
    return { ...moved, T: shown(T) };
  };

  const describe = ({ laws, right, sure }, { T }) =>
    `At temperature ${shown(T)} the largest probability is ${sure.toFixed(2)} on average; ` +
    `${right} of ${laws.length} digits are classified rightly, as at every temperature.`;

  return { compute, draw, describe };
})();
