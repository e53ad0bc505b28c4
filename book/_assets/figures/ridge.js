// What the first trials of a game tell of a learner: the best inverse temperature for each learning rate, the
// best point, the region around it, and the ellipse of the standard errors.
// data: lengths, pictures (one for each length: best, covariance, ridge, edge), rates, size.
softmaxFigures.ridge = (() => {
  const compute = ({ trials }, { lengths, pictures, rates, size }) => {
    const { best, covariance, ridge, edge } = pictures[lengths.indexOf(trials)];
    const [[a, b], [, c]] = covariance;
    const corner = Math.sqrt(a);  // the factor of the covariance is lower triangular
    const low = b / corner;
    const last = Math.sqrt(c - low * low);
    const turns = Array.from({ length: 61 }, (_, i) => 2 * Math.PI * i / 60);
    return {
      trials,
      rates,
      best,
      ridge,
      edgeX: edge[0],
      edgeY: edge[1],
      ellipseX: turns.map((turn) => best[0] + size * corner * Math.cos(turn)),
      ellipseY: turns.map((turn) => best[1] + size * (low * Math.cos(turn) + last * Math.sin(turn))),
    };
  };

  const draw = ({ trials, rates, best, ridge, edgeX, edgeY, ellipseX, ellipseY }) => ({
    ridge: [rates, ridge],
    edge: [edgeX, edgeY],
    ellipse: [ellipseX, ellipseY],
    best: [[best[0]], [best[1]]],
    trials: String(trials),
  });

  const describe = ({ trials, best, edgeX }) => {
    const [low, high] = [Math.min(...edgeX), Math.max(...edgeX)].map((end) => end.toFixed(2));
    return `After ${trials} trials the best learning rate is ${best[0].toFixed(2)}, ` +
      `and the region reaches from ${low} to ${high}.`;
  };

  return { compute, draw, describe };
})();
