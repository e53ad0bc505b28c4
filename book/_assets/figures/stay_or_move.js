// The law N(mu, 1) pushed by half a unit, and what each draw says about the slope of the mean square.
// data: grid, the abscissas of the curves; points, where seven points of the law stand before mu is added; draws, noise.
softmaxFigures.stay_or_move = (() => {
  const PUSH = 0.5;
  const bell = (gap) => Math.exp(-gap * gap / 2) / Math.sqrt(2 * Math.PI);

  const compute = ({ mu }, { grid, points, draws }) => {
    const score = (z) => z * z * (z - mu);
    const at = draws.map((noise) => mu + noise);
    return {
      grid,
      law: grid.map((z) => bell(z - mu)),
      pushed: grid.map((z) => bell(z - mu - PUSH)),
      score: grid.map(score),
      points: points.map((point) => mu + point),
      at,
      scores: at.map(score),
      slopes: at.map((z) => 2 * z),
      mean: 2 * mu,
      variance: mu ** 4 + 14 * mu ** 2 + 15,
      centre: mu,
    };
  };

  const draw = ({ grid, law, pushed, score, points, at, scores, slopes, mean, variance, centre }) => {
    const onParabola = (shift) => points.map((z) => [z + shift, (z + shift) ** 2]);
    const level = [[grid[0], grid.at(-1)], [mean, mean]];
    const digits = (value) => (Math.abs(value) < 0.05 ? 0 : value).toFixed(1).replace("-", "−");
    return {
      law: [grid, law],
      pushed: [grid, pushed],
      change: [grid, law, pushed],
      stay: [points, points.map(() => 0)],
      arrows: [onParabola(0), onParabola(PUSH)],
      move: [points, points.map((z) => z * z)],
      "score-curve": [grid, score],
      "score-draws": [at, scores],
      "score-mean": level,
      "pathwise-draws": [at, slopes],
      "pathwise-mean": level,
      "score-variance": digits(variance),
      centre: digits(centre),
      slope: digits(mean),
    };
  };

  const describe = ({ mean, variance }) => {
    const told = [mean, variance].map((value) => (Math.abs(value) < 0.05 ? 0 : value).toFixed(1).replace("-", "−"));
    return `The derivative is ${told[0]}; one draw has the variance ${told[1]} with the score function, and 4.0 pathwise.`;
  };

  return { compute, draw, describe };
})();
