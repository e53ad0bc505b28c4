// The mean of a polynomial under a bump around a place, which becomes narrow.
// data: coefficients, from the constant on, at most of degree 5; shape, places from -1 to 1 where the bump is drawn.
softmaxFigures.lemma = (() => {
  const derivative = (p) => p.slice(1).map((coefficient, j) => (j + 1) * coefficient);
  const at = (p, x) => p.reduceRight((sum, coefficient) => sum * x + coefficient, 0);

  const compute = ({ width, place }, { coefficients, shape }) => {
    const second = derivative(derivative(coefficients));
    const fourth = derivative(derivative(second));
    // under (1 - t^2)^3 the means of t^2 / 2 and t^4 / 24 are 1/18 and 1/792
    const mean = at(coefficients, place) + width ** 2 / 18 * at(second, place) + width ** 4 / 792 * at(fourth, place);
    return {
      x: shape.map((t) => place + width * t),
      bump: shape.map((t) => 35 / 128 * (1 - t * t) ** 3),
      mean,
      value: at(coefficients, place),
    };
  };

  const draw = ({ x, bump, mean }) => ({ bump: [x, bump], mean: [[x[0], x[x.length - 1]], [mean, mean]] });

  const signed = (number) => number.toFixed(4).replace("-", "−");
  const describe = ({ mean, value }, { width, place }) =>
    `At x = ${place.toFixed(2)} with half width ${width.toFixed(2)} the mean is ${signed(mean)}; the value there is ${signed(value)}.`;

  return { compute, draw, describe };
})();
