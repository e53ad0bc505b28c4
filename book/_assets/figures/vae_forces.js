// The two forces in the loss of a normal code: the plane of its mean and of the logarithm of its scale.
// data: starts, of the arrows.
softmaxFigures.vae_forces = (() => {
  // Long arrows are shortened, and keep their direction.
  const end = ([m, t], [dm, dt]) => {
    const scale = 0.4 / (1 + Math.hypot(dm, dt));
    return [m + scale * dm, t + scale * dt];
  };

  const compute = ({ y, v }, { starts }) => ({
    pull: starts.map((start) => end(start, [(y - start[0]) / v, -Math.exp(2 * start[1]) / v])),
    push: starts.map((start) => end(start, [-start[0], 1 - Math.exp(2 * start[1])])),
    starts,
    mean: y / (1 + v),
    scale: Math.sqrt(v / (1 + v)),
  });

  const draw = ({ pull, push, starts, mean, scale }) => ({
    pull: [starts, pull],
    push: [starts, push],
    balance: [[mean], [Math.log(scale)]],
    mean: mean.toFixed(2),
    scale: scale.toFixed(2),
  });

  const describe = ({ mean, scale }, { y, v }) =>
    `For the datum ${y.toFixed(1)} and noise of variance ${v.toFixed(1)} the forces cancel at the mean ${mean.toFixed(2)} and the scale ${scale.toFixed(2)}.`;

  return { compute, draw, describe };
})();
