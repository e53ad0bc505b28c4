// Noise-contrastive estimation of an un-normalised normal law: one standard deviation of constant and precision.
// data: grid, the places that are summed over, and turn, the angles of the ellipses.
softmaxFigures.nce_ellipses = (() => {
  const AMOUNTS = [1, 5, 25];
  const normal = (x, s) => Math.exp(-x * x / (2 * s * s)) / (s * Math.sqrt(2 * Math.PI));

  const covariance = (nu, width, grid) => {
    let [a, b, d] = [0, 0, 0]; // information: [[a, b], [b, d]]
    for (const x of grid) {
      const p = normal(x, 1), noise = nu * normal(x, width);
      const weight = (grid[1] - grid[0]) * p * noise / (p + noise), y = -x * x / 2;
      a += weight;
      b += weight * y;
      d += weight * y * y;
    }
    const determinant = a * d - b * b;
    return [d / determinant - 1 - 1 / nu, -b / determinant, a / determinant];
  };

  const compute = ({ width }, { grid, turn }) => {
    const covariances = AMOUNTS.map((nu) => covariance(nu, width, grid));
    const ellipses = covariances.map(([cc, cl, ll]) => {
      const first = Math.sqrt(cc), second = cl / first;
      const third = Math.sqrt(Math.max(0, ll - second * second));
      return turn.map((angle) => [first * Math.cos(angle), second * Math.cos(angle) + third * Math.sin(angle)]);
    });
    return { covariances, ellipses, width };
  };

  const draw = ({ ellipses, width }) => {
    const drawn = { width: width.toFixed(2) };
    ellipses.forEach((points, i) => {
      drawn[`ring${AMOUNTS[i]}`] = [points.map(([c]) => c), points.map(([, l]) => l)];
    });
    return drawn;
  };

  const describe = ({ covariances }) => {
    const told = covariances.map(([, , variance], i) => `${variance.toFixed(3)} with ν = ${AMOUNTS[i]}`);
    return `The precision has the variance ${told.join(", ")}.`;
  };

  return { compute, draw, describe };
})();
