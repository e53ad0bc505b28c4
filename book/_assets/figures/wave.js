// The gradient of the mean of sin(omega z) at mean 0, draw by draw, and its variances.
// data: grid, the noise over which the left curves are drawn.
softmaxFigures.wave = (() => {
  const compute = ({ omega }, { grid }) => {
    const once = Math.exp(-omega * omega);
    return {
      grid,
      score: grid.map((noise) => noise * Math.sin(omega * noise)),
      slopes: grid.map((noise) => omega * Math.cos(omega * noise)),
      byScore: (1 - (1 - 4 * omega ** 2) * once ** 2) / 2 - omega ** 2 * once,
      byPath: (omega ** 2 / 2) * (1 - once) ** 2,
      omega,
    };
  };

  const draw = ({ grid, score, slopes, byScore, byPath, omega }) => ({
    "score-wave": [grid, score],
    "pathwise-wave": [grid, slopes],
    "score-at": [[omega], [byScore]],
    "pathwise-at": [[omega], [byPath]],
    "by-score": byScore.toFixed(2),
    "by-path": byPath.toFixed(2),
    frequency: omega.toFixed(1),
  });

  const describe = ({ byScore, byPath }) => {
    const told = [byScore, byPath].map((variance) => variance.toFixed(3));
    return `One draw has the variance ${told[0]} with the score function, and ${told[1]} pathwise.`;
  };

  return { compute, draw, describe };
})();
