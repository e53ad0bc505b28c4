// Reliability diagrams of one model before and after: dots in three sizes, strokes to the diagonal, the ECE.
// An empty bin has the means 0, and is not drawn.
// data: confidence, by the name of the panel; right, 1 or 0 for each example.
softmaxFigures.before_and_after = (() => {
  const compute = ({ bins }, { confidence, right }) => {
    const values = { bins };
    for (const [name, claims] of Object.entries(confidence)) {
      const [count, claimed, hit] = [0, 1, 2].map(() => new Array(bins).fill(0));
      claims.forEach((claim, a) => {
        const bin = Math.max(Math.ceil(claim * bins) - 1, 0);
        count[bin] += 1;
        claimed[bin] += claim;
        hit[bin] += right[a];
      });
      values[`${name}_count`] = count;
      values[`${name}_confidence`] = claimed.map((sum, bin) => sum / Math.max(count[bin], 1));
      values[`${name}_accuracy`] = hit.map((sum, bin) => sum / Math.max(count[bin], 1));
      values[`${name}_error`] = hit.reduce((sum, hits, bin) => sum + Math.abs(hits - claimed[bin]), 0) / claims.length;
    }
    return values;
  };

  const draw = (values) => {
    const curves = { bins: String(values.bins) };
    for (const name of ["before", "after"]) {
      const [count, x, y] = ["count", "confidence", "accuracy"].map((what) => values[`${name}_${what}`]);
      const full = (numbers) => numbers.map((number, bin) => (count[bin] > 0 ? number : NaN));
      curves[name] = values[`${name}_error`].toFixed(4);
      curves[`gaps-${name}`] = [full(x).flatMap((at) => [at, at, NaN]), full(x).flatMap((at, bin) => [at, y[bin], NaN])];
      for (const [size, least, most] of [["few", 1, 9], ["some", 10, 49], ["many", 50, Infinity]]) {
        const only = (numbers) => numbers.map((number, bin) => (count[bin] >= least && count[bin] <= most ? number : NaN));
        curves[`${size}-${name}`] = [only(x), only(y)];
      }
    }
    return curves;
  };

  const describe = ({ bins, before_error: before, after_error: after }) =>
    `With ${bins} bins the calibration error is ${before.toFixed(4)} before and ${after.toFixed(4)} after.`;

  return { compute, draw, describe };
})();
