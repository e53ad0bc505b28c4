// Data from the standard normal law, noise from a wider one: the posterior of "data", and where the odds are even.
// data: grid, the places over which the curves are drawn.
softmaxFigures.who_drew_this = (() => {
  const normal = (x, s) => Math.exp(-x * x / (2 * s * s)) / (s * Math.sqrt(2 * Math.PI));

  const compute = ({ nu, width }, { grid }) => {
    const noise = grid.map((x) => nu * normal(x, width));
    const posterior = grid.map((x, i) => normal(x, 1) / (normal(x, 1) + noise[i]));
    return { grid, noise, posterior, square: 2 * Math.log(width / nu) / (1 - width ** -2) };
  };

  // Null where the curves do not cross, or outside of the picture.
  const crossing = (square) => (square >= 0 && square <= 16 ? Math.sqrt(square) : null);

  const draw = ({ grid, noise, posterior, square }) => {
    const even = crossing(square);
    const at = even === null ? [NaN, NaN] : [-even, even];
    return {
      noise: [grid, noise],
      posterior: [grid, posterior],
      "even-above": [at, at.map((x) => normal(x, 1))],
      "even-below": [at, [0.5, 0.5]],
      at: even === null ? "–" : even.toFixed(2),
    };
  };

  const describe = ({ square, posterior }) => {
    const even = crossing(square);
    const top = Math.max(...posterior).toFixed(2);
    return even === null
      ? `The curves do not cross in the picture; the posterior is at most ${top}.`
      : `The odds are even at ${even.toFixed(2)} from zero; the posterior is at most ${top}.`;
  };

  return { compute, draw, describe };
})();
