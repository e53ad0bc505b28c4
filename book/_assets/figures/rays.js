// The probabilities of three classes along a ray on which their logits are straight lines.
// data: weights, reach (distances).
softmaxFigures.rays = (() => {
  const compute = ({ angle }, { weights, reach }) => {
    const turn = (angle * Math.PI) / 180;
    const way = [Math.cos(turn), Math.sin(turn)];
    const slopes = weights.map(([x, y]) => x * way[0] + y * way[1]);
    const laws = reach.map((t) => softmaxTools.softmax(slopes.map((slope) => slope * t)));
    return { way, slopes, laws, reach, last: Math.max(...laws[laws.length - 1]) };
  };

  const draw = ({ way, laws, reach, last }) => ({
    ray: [reach.map((t) => t * way[0]), reach.map((t) => t * way[1])],
    class1: [reach, laws.map((law) => law[0])],
    class2: [reach, laws.map((law) => law[1])],
    class3: [reach, laws.map((law) => law[2])],
    last: last.toFixed(4),
  });

  const describe = ({ slopes, last }, { angle }) =>
    `In the direction ${angle} degrees class ${slopes.indexOf(Math.max(...slopes)) + 1} is steepest, and at the end of the ray its probability is ${last.toFixed(4)}.`;

  return { compute, draw, describe };
})();
