// Soft draws of three items: a softmax at a temperature of perturbed logits.
// data: shares, of three waiting times of rate 1; law, the probabilities of the items.
softmaxFigures.soft_draws = (() => {
  const compute = ({ tau }, { shares, law }) => {
    const dots = shares.map((share) =>
      softmaxTools.softmax(share.map((w, i) => Math.log(law[i]) - Math.log(w)), tau));
    const first = shares.map((share) => {
      const times = share.map((w, i) => w / law[i]);
      return times.indexOf(Math.min(...times)) + 1;
    });
    const mean = law.map((_, i) => dots.reduce((sum, dot) => sum + dot[i], 0) / dots.length);
    return { dots, first, mean, tau };
  };

  const NOWHERE = [NaN, NaN, NaN];
  const shown = (tau) => String(Number(tau.toPrecision(3)));

  const draw = ({ dots, first, mean, tau }) => {
    const drawn = { mean: softmaxTools.simplex([mean]), tau: shown(tau) };
    mean.forEach((_, i) => {
      drawn[`own${i + 1}`] = softmaxTools.simplex(dots.map((dot, a) => (first[a] === i + 1 ? dot : NOWHERE)));
    });
    return drawn;
  };

  const describe = ({ mean, tau }) =>
    `At temperature ${shown(tau)} the mean of the dots is ${mean.map((share) => share.toFixed(3)).join(", ")}.`;

  return { compute, draw, describe };
})();
