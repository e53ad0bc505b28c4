// Three exponential clocks share a time: the item whose share, divided by its probability, is smallest comes first.
// data: shares, points of the simplex; the knobs are the logits of items 1 and 2, and that of item 3 is 0.
softmaxFigures.gumbel_area = (() => {
  const compute = ({ logit1, logit2 }, { shares }) => {
    const law = softmaxTools.softmax([logit1, logit2, 0]);
    const first = shares.map((share) => {
      const times = share.map((time, i) => time / law[i]);
      return times.indexOf(Math.min(...times)) + 1;
    });
    return { law, first, shares };
  };

  const CORNERS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const NOWHERE = [NaN, NaN, NaN];

  const draw = ({ law, first, shares }) => {
    const drawn = { law: softmaxTools.simplex([law]) };
    law.forEach((probability, i) => {
      drawn[`piece${i + 1}`] = softmaxTools.simplex(CORNERS.map((corner, j) => (i === j ? law : corner)));
      drawn[`won${i + 1}`] = softmaxTools.simplex(shares.map((share, a) => (first[a] === i + 1 ? share : NOWHERE)));
      drawn[`p${i + 1}`] = probability.toFixed(3);
    });
    return drawn;
  };

  const describe = ({ law, first }) => {
    const told = law.map((probability, i) =>
      `item ${i + 1} has ${probability.toFixed(3)} of the area and ${first.filter((k) => k === i + 1).length} of the dots`);
    return `Of ${first.length} dots: ${told.join(", ")}.`;
  };

  return { compute, draw, describe };
})();
