// The mean expected logit and the mean loss at an inverse temperature, and how far the first is from the true mean.
// data: logits, a row for each example; labels.
softmaxFigures.crossing = (() => {
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

  const compute = ({ beta }, { logits, labels }) => {
    const laws = logits.map((row) => softmaxTools.softmax(row.map((z) => beta * z)));
    const expected = mean(laws.map((law, a) => law.reduce((sum, part, k) => sum + part * logits[a][k], 0)));
    const truth = mean(labels.map((label, a) => logits[a][label]));
    const loss = mean(labels.map((label, a) => -Math.log(laws[a][label])));
    const ends = [-0.15, 0.15].map((side) => loss + side * (expected - truth));
    return { beta, expected, truth, loss, ends };
  };

  const draw = ({ beta, expected, truth, loss, ends }) => ({
    gap: [[beta, beta], [truth, expected]],
    tangent: [[beta - 0.15, beta + 0.15], ends],
    meets: [[beta], [expected]],
    valley: [[beta], [loss]],
  });

  const describe = ({ beta, expected, truth, loss }) => {
    const gap = expected - truth;
    const way = gap > 0 ? "Less loss lies to the left, at a higher temperature." : "Less loss lies to the right, at a lower temperature.";
    const digits = (number) => number.toFixed(4).replace("-", "−");
    return `At β = ${beta.toFixed(2)} the expected logit is ${digits(expected)}, the true one ${digits(truth)}; ` +
      `the loss is ${digits(loss)} with the slope ${digits(gap)}. ${way}`;
  };

  return { compute, draw, describe };
})();
