// Values of the first three words of a sequence, each estimated sixteen times from N rollouts.
// data: paid, of each word and estimate what 64 rollouts were paid; heights, where the dots stand.
softmaxFigures.rollouts = (() => {
  const mean = (numbers) => numbers.reduce((a, b) => a + b) / numbers.length;

  const compute = ({ N }, { paid, heights }) => {
    const estimates = paid.flatMap((word) => word.map((one) => mean(one.slice(0, N))));
    const spread = paid.map((_, i) => {
      const ours = estimates.slice(16 * i, 16 * i + 16);
      const middle = mean(ours);
      return Math.sqrt(mean(ours.map((one) => (one - middle) ** 2)));
    });
    return { N, estimates, heights, spread };
  };

  const draw = ({ N, estimates, heights }) => ({ estimates: [estimates, heights], N: String(N) });

  const describe = ({ N, spread }) =>
    `With ${N} ${N === 1 ? "rollout" : "rollouts"} the estimates of the three words spread by ` +
    `${spread.map((one) => one.toFixed(2)).join(", ")}.`;

  return { compute, draw, describe };
})();
