// What each of three outcomes pulls at in the triangle of laws, for a baseline; a quarter of its length; and the variance.
// data: law, rewards.
softmaxFigures.three_arrows = (() => {
  const compute = ({ baseline }, { law, rewards }) => {
    const tips = rewards.map((reward, k) =>
      law.map((one, j) => one + ((reward - baseline) / 4) * ((j === k ? 1 : 0) - one)));
    const mean = rewards.reduce((sum, reward, k) => sum + law[k] * reward, 0);
    const squares = law.reduce((sum, one) => sum + one * one, 0);
    const variance = law.reduce((sum, one, k) => sum + one * (rewards[k] - baseline) ** 2 * (1 - 2 * one + squares)
      - (one * (rewards[k] - mean)) ** 2, 0);
    return { law, tips, variance, baseline };
  };

  const draw = ({ law, tips, variance, baseline }) => {
    const points = (laws) => {
      const [xs, ys] = softmaxTools.simplex(laws);
      return xs.map((x, i) => [x, ys[i]]);
    };
    const moved = { variance: variance.toFixed(3), now: [[baseline], [variance]] };
    tips.forEach((tip, k) => { moved[`pull-${k + 1}`] = [points([law]), points([tip])]; });
    return moved;
  };

  const describe = ({ variance }, { baseline }) =>
    `With the baseline ${baseline.toFixed(1)} the total variance of one draw is ${variance.toFixed(3)}; the mean arrow is the same for all.`;

  return { compute, draw, describe };
})();
