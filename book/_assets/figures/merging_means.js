// Two blocks of keys, their means, and the mean over all keys.
// data: values and weights of the four keys, two in each block; base, where the means are drawn.
softmaxFigures.merging_means = (() => {
  const compute = ({ shift }, { values, weights, base }) => {
    const block = (from, to, added) => {
      const own = weights.slice(from, to);
      const sum = own.reduce((a, b) => a + b);
      const mean = own.reduce((total, w, i) => total + w * values[from + i], 0) / sum;
      return { lse: Math.log(sum) + added, mean, scores: own.map((w) => Math.log(w) + added) };
    };
    const [first, second] = [block(0, 2, 0), block(2, 4, shift)];
    const share = 1 / (1 + Math.exp(first.lse - second.lse));
    return {
      first: first.lse, second: second.lse, share,
      scores: second.scores, places: values.slice(2), base,
      merged: first.mean + share * (second.mean - first.mean),
    };
  };

  const draw = ({ first, second, share, scores, places, base, merged }) => ({
    keys2: [places, scores],
    merged: [[merged], [base]],
    first: first.toFixed(2),
    second: second.toFixed(2),
    share: share.toFixed(3),
  });

  const describe = ({ share, merged }) =>
    `Block 2 has the share ${share.toFixed(3)}, and the merged mean is ${merged.toFixed(2)}.`;

  return { compute, draw, describe };
})();
