// Shares of three classes and their reflections: who wins there, and the region in which no swap changes the winner.
// data: shares, a point of the simplex and what it becomes when two entries are swapped; the knobs are the logits of
// classes 1 and 2, and that of class 3 is 0.
softmaxFigures.swapped_triangle = (() => {
  const CORNERS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const NOWHERE = [NaN, NaN, NaN];

  // The part of a convex polygon on which w_i <= ratio * w_j.
  const cut = (polygon, i, j, ratio) => {
    const heights = polygon.map((w) => ratio * w[j] - w[i]);
    const kept = [];
    polygon.forEach((w, b) => {
      const a = (b + polygon.length - 1) % polygon.length;
      if (heights[a] * heights[b] < 0) {
        const part = heights[a] / (heights[a] - heights[b]);
        kept.push(w.map((coordinate, c) => polygon[a][c] + part * (coordinate - polygon[a][c])));
      }
      if (heights[b] >= 0) kept.push(w);
    });
    return kept;
  };

  const triangle = (u, v, w) => Math.abs(
    u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]));

  const region = (law) => {
    const a = law.indexOf(Math.max(...law));
    const others = [0, 1, 2].filter((i) => i !== a);
    let silent = CORNERS;
    others.forEach((j) => {
      others.forEach((c) => { silent = cut(silent, a, j, law[a] / law[c]); }); // the losers swap
      silent = cut(silent, j, a, law[a] / law[j]); // the winner swaps with j
      const third = 3 - a - j;
      silent = cut(silent, j, third, law[a] / law[third]);
    });
    return silent;
  };

  const compute = ({ logit1, logit2 }, { shares }) => {
    const law = softmaxTools.softmax([logit1, logit2, 0]);
    const first = shares.map((point) => {
      const times = point.map((time, i) => time / law[i]);
      return times.indexOf(Math.min(...times)) + 1;
    });
    const silent = region(law);
    let share = 0;
    for (let i = 2; i < silent.length; i += 1) share += triangle(silent[0], silent[i - 1], silent[i]);
    return { law, first, share, shares };
  };

  const draw = ({ law, first, share, shares }) => {
    const drawn = { law: softmaxTools.simplex([law]), share: share.toFixed(3) };
    drawn.silent = softmaxTools.simplex(share > 1e-9 ? region(law) : [NOWHERE]);
    law.forEach((probability, i) => {
      drawn[`piece${i + 1}`] = softmaxTools.simplex(CORNERS.map((corner, j) => (i === j ? law : corner)));
      drawn[`won${i + 1}`] = softmaxTools.simplex(shares.map((w, b) => (first[b] === i + 1 ? w : NOWHERE)));
    });
    return drawn;
  };

  const describe = ({ law, first, share }) => {
    const classes = law.map((probability) => probability.toFixed(3)).join(", ");
    return `The classes have the probabilities ${classes}. The point draws class ${first[0]}, its reflections draw ${
      first.slice(1).join(", ")}. On ${share.toFixed(3)} of the triangle no swap changes the class.`;
  };

  return { compute, draw, describe };
})();
