// Expected updates of groups of answers that succeed with a probability, in the logit of success, and in units of the gradient.
// data: rates.
softmaxFigures.what_groups_do = (() => {
  const KINDS = ["leave-one-out", "mean", "standardised"];

  // The mean of the standard deviation of a group: m successes give the square root of m (size - m), over size.
  const spread = (size, rate) => {
    let chance = (1 - rate) ** size;
    let sum = 0;
    for (let m = 1; m < size; m++) {
      chance *= ((size - m + 1) / m) * (rate / (1 - rate));
      sum += chance * Math.sqrt(m * (size - m));
    }
    return sum / size;
  };

  const compute = ({ size }, { rates }) => {
    const slope = rates.map((rate) => rate * (1 - rate));
    const updates = [slope, slope.map((one) => (one * (size - 1)) / size), rates.map((rate) => spread(size, rate))];
    return { size, rates, updates, quotients: updates.map((update) => update.map((one, i) => one / slope[i])) };
  };

  const draw = ({ size, rates, updates, quotients }) => {
    const moved = { size: String(size) };
    KINDS.forEach((kind, i) => {
      moved[kind] = [rates, updates[i]];
      moved[`${kind}-weight`] = [rates, quotients[i]];
    });
    return moved;
  };

  const describe = ({ rates, quotients }, { size }) => {
    const [, mean, standardised] = quotients;
    const middle = Math.floor(rates.length / 2);
    return `In groups of ${size} the mean of the group gives ${mean[0].toFixed(3)} of the gradient, and in units of the spread it is ` +
      `${standardised[middle].toFixed(2)} of it in the middle and ${standardised[0].toFixed(2)} at a success rate of ${rates[0].toFixed(2)}.`;
  };

  return { compute, draw, describe };
})();
