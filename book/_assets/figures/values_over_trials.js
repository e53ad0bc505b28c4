// Values of two machines over trials, and the slope of one by the learning rate: right, and as printed.
// data: choices (0 or 1) and rewards, one of each for each trial.
softmaxFigures.values_over_trials = (() => {
  const compute = ({ alpha }, { choices, rewards }) => {
    const value = [[0], [0]];
    const slope = [0];
    const printed = [0];
    choices.forEach((c, t) => {
      const reward = rewards[t];
      const [own, other] = [value[c][t], value[1 - c][t]];
      if (c === 0) {
        slope.push(reward - own + (1 - alpha) * slope[t]);
        printed.push(reward - own + (1 - alpha) * printed[t]);
      } else {
        slope.push(slope[t]);
        printed.push(0);
      }
      value[c].push(own + alpha * (reward - own));
      value[1 - c].push(other);
    });
    return { value1: value[0], value2: value[1], slope, printed, alpha };
  };

  const trials = (values) => values.map((_, t) => t);

  const draw = ({ value1, value2, slope, printed, alpha }) => ({
    value1: [trials(value1), value1],
    value2: [trials(value2), value2],
    slope: [trials(slope), slope],
    printed: [trials(printed), printed],
    alpha: alpha.toFixed(2),
  });

  const describe = ({ value1, value2, slope, printed }, { alpha }) => {
    const last = (values) => values[values.length - 1].toFixed(2);
    return `At the learning rate ${alpha.toFixed(2)} the values end at ${last(value1)} and ${last(value2)}; ` +
      `the slope of the first ends at ${last(slope)}, as printed at ${last(printed)}.`;
  };

  return { compute, draw, describe };
})();
