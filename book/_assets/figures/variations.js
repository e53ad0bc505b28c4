// A polygon whose length is lowered by gradient descent, its ends held.
// data: x, the equidistant abscissae; starts, the ordinates that each start begins with.
softmaxFigures.variations = (() => {
  const length = (y, h) => {
    let sum = 0;
    for (let j = 1; j < y.length; j++) sum += Math.sqrt(h * h + (y[j] - y[j - 1]) ** 2);
    return sum;
  };

  const compute = ({ steps, start }, { x, starts }) => {
    const h = (x[x.length - 1] - x[0]) / (x.length - 1);
    const y = [...starts[start]];
    // The second derivative of an edge is at most 1/h and the second difference at most 4, so the Hessian
    // is at most 4/h: with the inverse of that as rate, no step makes the polygon longer.
    const rate = h / 4;
    for (let step = 0; step < steps; step++) {
      const slope = (j) => (y[j] - y[j - 1]) / Math.sqrt(h * h + (y[j] - y[j - 1]) ** 2);
      let left = slope(1);
      for (let j = 1; j < y.length - 1; j++) {
        const right = slope(j + 1);
        y[j] -= rate * (left - right);
        left = right; // taken before y[j] moved
      }
    }
    return { x, y, length: length(y, h), straight: Math.hypot(x[x.length - 1] - x[0], y[y.length - 1] - y[0]) };
  };

  const draw = ({ x, y }) => ({ path: [x, y] });

  const describe = ({ length, straight }, { steps }) =>
    `After ${steps} ${steps === 1 ? "step" : "steps"} the path is ${length.toFixed(4)} long; the straight line is ${straight.toFixed(4)} long.`;

  return { compute, draw, describe };
})();
