// Ten clocks race for one image, and the first k count.
// data: digits, from the most probable to the least; logits; keys, a row for each race.
softmaxFigures.race_of_k = (() => {
  const compute = ({ k, draw }, { digits, keys, logits }) => {
    const own = keys[draw - 1];
    const places = own.map((_, i) => i).sort((a, b) => own[b] - own[a]);
    const drawn = places.slice(0, k);
    const weights = logits.map((logit) => Math.exp(logit));
    const sum = (list) => list.reduce((total, i) => total + weights[i], 0);
    const rest = sum(places.slice(k));
    // From the last one on, nothing is subtracted.
    const ordered = drawn.reduce((product, i, j) => (product * weights[i]) / (rest + sum(drawn.slice(j))), 1);
    const table = [1];
    for (let subset = 1; subset < 2 ** k; subset += 1) {
      const members = drawn.filter((_, j) => (subset >> j) & 1);
      const whole = rest + sum(members);
      table[subset] = drawn.reduce((total, i, j) =>
        ((subset >> j) & 1 ? total + (weights[i] / whole) * table[subset ^ (1 << j)] : total), 0);
    }
    return {
      keys: own,
      drawn: drawn.map((i) => i + 1),
      order: drawn.map((i) => digits[i]),
      cut: (own[places[k - 1]] + own[places[k]]) / 2,
      ordered,
      set: table[2 ** k - 1],
    };
  };

  const draw = ({ keys, drawn, order, cut, ordered, set }) => ({
    keys: [keys, keys.map((_, i) => i + 1)],
    drawn: [keys.map((key, i) => (drawn.includes(i + 1) ? key : NaN)), keys.map((_, i) => i + 1)],
    cut: [[cut, cut], [0.4, 10.6]],
    order: order.join(", "),
    ordered: ordered.toPrecision(3),
    set: set.toPrecision(3),
  });

  const describe = ({ order, ordered, set }, knobs) =>
    `In race ${knobs.draw} the first ${knobs.k} digits are ${order.join(", ")}; this order has probability ${ordered.toPrecision(3)}, the set ${set.toPrecision(3)}.`;

  return { compute, draw, describe };
})();
