// The gap between the logarithm of a mean and the mean of logarithms, for three places.
// data: likelihoods.
softmaxFigures.attention_gap = (() => {
  const compute = ({ one, rest }, { likelihoods }) => {
    const law = [one, (1 - one) * rest, (1 - one) * (1 - rest)];
    const mean = (values) => law.reduce((sum, share, k) => sum + share * values[k], 0);
    const centre = mean(likelihoods);
    const bound = mean(likelihoods.map(Math.log));
    return { law, centre, bound, evidence: Math.log(centre), gap: Math.log(centre) - bound };
  };

  const draw = ({ centre, bound, evidence, gap }) => ({
    gap: [[centre, centre], [bound, evidence]],
    bound: [[centre], [bound]],
    length: gap.toFixed(4),
  });

  const describe = ({ law, bound, evidence, gap }) =>
    `With the attention ${law.map((share) => share.toFixed(3)).join(", ")} the log-likelihood is ` +
    `${evidence.toFixed(4)}, the bound ${bound.toFixed(4)}, and the gap ${gap.toFixed(4)}.`;

  return { compute, draw, describe };
})();
