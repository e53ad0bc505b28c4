// Laws over three items: the softmax at an inverse temperature, those of the same mean payoff, and the border of
// those that have at least as much entropy.  Corner 1 is left, 2 right, 3 on top.
// data: payoff, three falling numbers; angles, at which the border is seen from the centre.
softmaxFigures.tangency = (() => {
  const plane = ([, two, three]) => [two + three / 2, three * Math.sqrt(3) / 2];
  const entropy = (p) => -p.reduce((sum, part) => sum + (part > 0 ? part * Math.log(part) : 0), 0);

  const compute = ({ beta }, { payoff, angles }) => {
    const top = Math.max(...payoff.map((z) => beta * z));
    const weights = payoff.map((z) => Math.exp(beta * z - top));
    const total = weights.reduce((sum, weight) => sum + weight);
    const law = weights.map((weight) => weight / total);
    const mean = law.reduce((sum, part, k) => sum + part * payoff[k], 0);
    const most = entropy(law);
    // along a ray from the centre the entropy falls
    const border = angles.map((angle) => {
      const [a, b] = [Math.cos(angle) / Math.SQRT2, Math.sin(angle) / Math.sqrt(6)];
      const ray = [-a - b, a - b, 2 * b];
      let [low, high] = [0, -1 / (3 * Math.min(...ray))];
      for (let round = 0; round < 60; round++) {
        const middle = (low + high) / 2;
        if (entropy(ray.map((part) => 1 / 3 + middle * part)) >= most) low = middle;
        else high = middle;
      }
      return plane(ray.map((part) => 1 / 3 + low * part));
    });
    // where the law has no item 1 or no item 3, and where it has no item 2
    const [best, middling, worst] = payoff;
    const share = (mean - worst) / (best - worst);
    const upper = (mean - middling) / (best - middling);
    const lower = (mean - worst) / (middling - worst);
    const ends = [mean > middling ? [upper, 1 - upper, 0] : [0, lower, 1 - lower], [share, 0, 1 - share]];
    return { law, mean, entropy: most, dot: plane(law), line: ends.map(plane), border };
  };

  const across = (points) => [points.map(([x]) => x), points.map(([, y]) => y)];
  const draw = ({ dot, line, border }) => ({ dot: across([dot]), line: across(line), border: across(border) });

  const describe = ({ law, mean, entropy: most }, { beta }) =>
    `At β = ${beta.toFixed(1).replace("-", "−")} the distribution is (${law.map((part) => part.toFixed(3)).join(", ")}): mean ${mean.toFixed(4)}, entropy ${most.toFixed(4)}.`;

  return { compute, draw, describe };
})();
