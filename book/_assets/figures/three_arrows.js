// How each of three outcomes would change the logits, for a baseline; and the variance.
// data: law, rewards.
softmaxFigures.three_arrows = (() => {
  const compute = ({ baseline }, { law, rewards }) => {
    const tips = rewards.map((reward, k) =>
      law.map((one, j) => (reward - baseline) * ((j === k ? 1 : 0) - one)));
    const mean = rewards.reduce((sum, reward, k) => sum + law[k] * reward, 0);
    const squares = law.reduce((sum, one) => sum + one * one, 0);
    const variance = law.reduce((sum, one, k) => sum + one * (rewards[k] - baseline) ** 2 * (1 - 2 * one + squares)
      - (one * (rewards[k] - mean)) ** 2, 0);
    return { law, tips, variance, baseline };
  };

  const draw = ({ tips, variance, baseline }) => {
    const [xs, ys] = softmaxTools.simplex(tips); // changes add up to zero: they lie in its plane
    const moved = { variance: variance.toFixed(3), now: [[baseline], [variance]] };
    xs.forEach((x, k) => { moved[`pull-${k + 1}`] = [[[0, 0]], [[x, ys[k]]]]; });
    return moved;
  };

  const describe = ({ variance }, { baseline }) =>
    `With the baseline ${baseline.toFixed(1)} the total variance of one draw is ${variance.toFixed(3)}; the mean arrow is the same for all.`;

  return { compute, draw, describe };
})();
