// Five clocks of one image, before and after the first bell is prescribed.
// data: keys, one for each row.
softmaxFigures.truncated_race = (() => {
  const compute = ({ T }, { keys }) => {
    const before = keys.map((key) => Math.exp(-key));
    const bell = Math.exp(-T);
    const delay = bell - Math.min(...before);
    return { before, after: before.map((time) => time + delay), bell, delay, bound: T };
  };

  const rows = (times) => times.map((_, i) => i + 1);

  const draw = ({ before, after, bell, delay, bound }) => ({
    bell: [[bell, bell], [0.4, 5.6]],
    hops: [before, after].map((times) => times.map((time, i) => [time, i + 1])),
    after: [after, rows(after)],
    bound: bound.toFixed(1),
    delay: delay.toFixed(2),
  });

  const describe = ({ bell, delay }, { T }) =>
    `With the maximum ${T.toFixed(1)} the first bell rings at ${bell.toFixed(2)}, and all five ring ` +
    (delay < 0 ? `${(-delay).toFixed(2)} earlier.` : `${delay.toFixed(2)} later.`);

  return { compute, draw, describe };
})();
