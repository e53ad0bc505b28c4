// The mean weight of one key that the query knows, among strangers, over the width of a head.
// data: widths; strangers, for each width a row of dot products / sqrt(width) for each query.
softmaxFigures.acquaintance = (() => {
  const SCALES = [() => 1, (d) => 1 / Math.sqrt(d), (d) => 8 / d];

  const compute = ({ rho }, { widths, strangers }) => {
    const weight = (scale, d, rows) => rows.reduce((sum, row) => {
      const lead = scale * rho * d;
      return sum + 1 / (1 + row.reduce((rest, x) => rest + Math.exp(scale * Math.sqrt(d) * x - lead), 0));
    }, 0) / rows.length;
    const weights = SCALES.map((scale) => widths.map((d, i) => weight(scale(d), d, strangers[i])));
    return { weights, widths, rho };
  };

  const draw = ({ weights, widths, rho }) => ({
    ...Object.fromEntries(weights.flatMap((ys, i) =>
      [`weight${i}`, `at${i}`].map((name) => [name, [widths.map(Math.log2), ys]]))),
    rho: rho.toFixed(2),
  });

  const describe = ({ weights, widths }, { rho }) => {
    const ends = (ys) => `${ys[0].toFixed(2)} to ${ys.at(-1).toFixed(2)}`;
    return `At a cosine of ${rho.toFixed(2)}, from width ${widths[0]} to ${widths.at(-1)} the weight goes from ` +
      `${ends(weights[1])} with one over the root of d, and from ${ends(weights[2])} with 8 over d.`;
  };

  return { compute, draw, describe };
})();
