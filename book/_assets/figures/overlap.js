// Target and draft as bars one over the other, for a temperature of the draft.
// data: logits, of the target; those of the draft are divided by the temperature.
softmaxFigures.overlap = (() => {
  const compute = ({ T }, { logits }) => {
    const p = softmaxTools.softmax(logits);
    const q = softmaxTools.softmax(logits, T);
    const low = p.map((one, k) => Math.min(one, q[k]));
    return { p, q, low, area: low.reduce((sum, one) => sum + one, 0), T };
  };

  const shown = (T) => (T < 1 ? T.toFixed(2) : T.toFixed(1));
  const four = (values) => values.flatMap((one) => [one, one, one, one]);
  const boxes = (bottom, top) => {
    const edges = bottom.flatMap((_, k) => [-0.36, -0.36, 0.36, 0.36].map((side) => k + 1 + side));
    return [edges, four(bottom), bottom.flatMap((low, k) => [low, top[k], top[k], low])];
  };

  const draw = ({ p, q, low, area, T }) => ({
    kept: boxes(low.map(() => 0), low), rest: boxes(low, p), lost: boxes(low, q),
    area: area.toFixed(2), T: shown(T),
  });

  const describe = ({ area }, { T }) =>
    `At a draft temperature of ${shown(T)} a guess is accepted with probability ${area.toFixed(2)}.`;

  return { compute, draw, describe };
})();
