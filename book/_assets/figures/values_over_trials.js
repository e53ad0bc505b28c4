// Values of two machines over trials, and the slope of one by the learning rate: right, and forgetful.
// data: choices (0 or 1) and rewards, one of each for each trial.
softmaxFigures.values_over_trials = (() => {
  const compute = ({ alpha }, { choices, rewards }) => {
    const value = [[0], [0]];
    const slope = [0];
    const forgetful = [0];
    choices.forEach((c, t) => {
      const reward = rewards[t];
      const [own, other] = [value[c][t], value[1 - c][t]];
      if (c === 0) {
        slope.push(reward - own + (1 - alpha) * slope[t]);
        forgetful.push(reward - own + (1 - alpha) * forgetful[t]);
      } else {
        slope.push(slope[t]);
        forgetful.push(0);
      }
      value[c].push(own + alpha * (reward - own));
      value[1 - c].push(other);
    });
    return { value1: value[0], value2: value[1], slope, forgetful, alpha };
  };

  const trials = (values) => values.map((_, t) => t);

  const draw = ({ value1, value2, slope, forgetful, alpha }) => ({
    value1: [trials(value1), value1],
    value2: [trials(value2), value2],
    slope: [trials(slope), slope],
    forgetful: [trials(forgetful), forgetful],
    alpha: alpha.toFixed(2),
  });

  const describe = ({ value1, value2, slope, forgetful }, { alpha }) => {
    const last = (values) => values[values.length - 1].toFixed(2);
    return `At the learning rate ${alpha.toFixed(2)} the values end at ${last(value1)} and ${last(value2)}; ` +
      `the derivative of the first ends at ${last(slope)}, the forgetful one at ${last(forgetful)}.`;
  };

  return { compute, draw, describe };
})();
