// One row of next tokens, and which of them the rules keep: top-k, then top-p, then min-p.
// data: logits, the largest first.
softmaxFigures.what_is_cut = (() => {
  const MARGIN = 1e-12; // what is nearer to a threshold is on it
  const sum = (list) => list.reduce((a, b) => a + b, 0);

  const compute = ({ T, k, p, lead }, { logits }) => {
    const law = softmaxTools.softmax(logits, T);
    let count = Math.min(k, law.length);
    if (p < 1) {
      const left = sum(law.slice(0, count));
      let tail = 0;
      while (count > 1 && tail + law[count - 1] <= (1 - p + MARGIN) * left) tail += law[--count];
    }
    if (lead > 0) {
      while (count > 1 && Math.log(law[count - 1]) < Math.log(law[0]) + Math.log(lead) - MARGIN) count--;
    }
    const mass = sum(law.slice(0, count));
    const model = softmaxTools.softmax(logits, 1);
    const far = sum(law.slice(0, count).map((x, i) => (x > 0 ? (x / mass) * Math.log(x / mass / model[i]) : 0)));
    return { law, count, mass, cost: -Math.log(mass), far };
  };

  const sticks = (law, chosen) => [
    law.flatMap((_, i) => [i + 1, i + 1, i + 1]),
    law.flatMap((height, i) => (chosen(i) ? [0, height, NaN] : [NaN, NaN, NaN])),
  ];

  const shown = (x) => Math.abs(x).toFixed(3);

  const draw = ({ law, count, mass, cost, far }) => ({
    lost: sticks(law, (i) => i >= count),
    kept: sticks(law, (i) => i < count),
    count: String(count),
    mass: shown(mass),
    cost: shown(cost),
    far: shown(far),
  });

  const describe = ({ law, count, mass, cost, far }) =>
    `Of ${law.length} characters ${count} ${count === 1 ? "is" : "are"} kept, with the mass ${shown(mass)}; the cut costs ${shown(cost)} nats, and the result is ${shown(far)} nats from the model.`;

  return { compute, draw, describe };
})();
