// The largest score of each block, and a reference that follows only where it is exceeded by more than the lag.
// data: tops, the largest score of each block.
softmaxFigures.lagging_reference = (() => {
  const compute = ({ lag }, { tops }) => {
    let reference = tops[0];
    const path = [];
    const moved = [];
    tops.forEach((top, i) => {
      const moves = i === 0 || top > reference + lag;
      if (moves) reference = top;
      path.push(reference);
      moved.push(moves ? 1 : 0);
    });
    return { tops, path, moved, largest: Math.exp(Math.max(...tops.map((top, i) => top - path[i]))) };
  };

  const draw = ({ tops, path, moved, largest }) => ({
    reference: [path.flatMap((_, i) => [i + 0.5, i + 1.5]), path.flatMap((y) => [y, y])],
    moved: [tops.map((_, i) => i + 1), tops.map((top, i) => (moved[i] ? top : NaN))],
    count: String(moved.reduce((a, b) => a + b)),
    largest: largest.toFixed(0),
  });

  const describe = ({ moved, largest }, { lag }) =>
    `With a lag of ${lag.toFixed(1)} the reference is moved ${moved.reduce((a, b) => a + b)} times, and the largest exponential is ${largest.toFixed(0)}.`;

  return { compute, draw, describe };
})();
