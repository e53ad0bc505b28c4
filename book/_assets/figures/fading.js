// The weight of a key that leads all others, over their number.
// data: many, numbers of keys.
softmaxFigures.fading = (() => {
  const compute = ({ lead }, { many }) => ({
    many, lead, weight: many.map((n) => 1 / (1 + (n - 1) * Math.exp(-lead))),
    half: 1 + Math.exp(lead),
  });

  const draw = ({ many, weight, lead }) => ({
    fading0: [many.map(Math.log10), weight], lead: lead.toFixed(1),
  });

  const describe = ({ weight, half }, { lead }) =>
    `A lead of ${lead.toFixed(1)} has the weight ${weight[0].toFixed(3)} among 10 keys, a half among ` +
    `${Math.round(half)}, and ${weight.at(-1).toFixed(3)} among a million.`;

  return { compute, draw, describe };
})();
