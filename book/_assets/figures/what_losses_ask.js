// What DPO, smoothed DPO and IPO ask of the log-ratio of a pair, over the share of labels.
// data: shares; top, above which nothing is drawn.
softmaxFigures.what_losses_ask = (() => {
  const logit = (share) => Math.log(share / (1 - share));
  const asked = (share, beta, eps) => ({
    dpo: logit(share) / beta,
    smoothed: logit((1 - eps) * share + eps * (1 - share)) / beta,
    ipo: (2 * share - 1) / (2 * beta),
  });

  const compute = ({ beta, eps }, { shares, top }) => {
    const all = shares.map((share) => asked(share, beta, eps));
    const of = (name) => all.map((one) => one[name]);
    const [most, certain] = [asked(0.7, beta, eps), asked(1, beta, eps)];
    return {
      shares, top, dpo: of("dpo"), smoothed: of("smoothed"), ipo: of("ipo"), beta, eps,
      some: most.dpo, less: most.ipo, smooth: certain.smoothed, all: certain.ipo,
    };
  };

  const draw = ({ shares, top, dpo, smoothed, ipo, beta, eps, some, less, smooth, all }) => {
    const within = (values) => [shares, values.map((one) => (one > top ? NaN : one))];
    return {
      dpo: within(dpo), smoothed: within(smoothed), ipo: within(ipo),
      some: some.toFixed(1), less: less.toFixed(1), smooth: smooth.toFixed(1), all: all.toFixed(1),
      beta: beta.toFixed(2), eps: eps.toFixed(2),
    };
  };

  const describe = ({ smooth, all }, { beta }) =>
    `At β = ${beta.toFixed(2)} unanimous labels ask for ${smooth.toFixed(1)} nats with smoothing, and for ${all.toFixed(1)} with IPO.`;

  return { compute, draw, describe };
})();
