// Six orders of three items on a hexagon: the area of each disc is the probability of its order.
// data: ring, the orders as they stand around the hexagon; the knobs are the logits of items 1 and 2, that of item 3 is 0.
softmaxFigures.hexagon = (() => {
  const compute = ({ logit1, logit2 }, { ring }) => {
    const first = softmaxTools.softmax([logit1, logit2, 0]);
    const weights = [logit1, logit2, 0].map((logit) => Math.exp(logit));
    const orders = ring.map(([a, b, c]) => (first[a] * weights[b]) / (weights[b] + weights[c]));
    return { orders, first };
  };

  const CIRCLE = Array.from({ length: 48 }, (_, i) => (2 * Math.PI * i) / 48);

  const draw = ({ orders, first }) => {
    const drawn = {};
    orders.forEach((probability, place) => {
      const turn = (2 * Math.PI) / 3 - (place * Math.PI) / 3;
      const radius = 0.75 * Math.sqrt(probability);
      drawn[`disc${place}`] = [
        CIRCLE.map((angle) => Math.cos(turn) + radius * Math.cos(angle)),
        CIRCLE.map((angle) => Math.sin(turn) + radius * Math.sin(angle)),
      ];
    });
    first.forEach((probability, a) => { drawn[`first${a + 1}`] = probability.toFixed(3); });
    return drawn;
  };

  const describe = ({ orders }, knobs) =>
    `With the logits ${knobs.logit1.toFixed(1)}, ${knobs.logit2.toFixed(1)} and 0 the orders, clockwise from 123, have the probabilities ${orders.map((p) => p.toFixed(3)).join(", ")}.`;

  return { compute, draw, describe };
})();
