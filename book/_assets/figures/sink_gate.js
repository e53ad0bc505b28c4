// The gate of a sink over the log-sum-exp of the scores, and what it lets through on average.
// data: digits, noise: the log-sum-exp of each image.
softmaxFigures.sink_gate = (() => {
  const GRID = Array.from({ length: 289 }, (_, i) => 32 + i / 4);
  const gate = (lse, sink) => 1 / (1 + Math.exp(sink - lse));

  const compute = ({ sink }, { digits, noise }) => {
    const mean = (all) => all.reduce((sum, lse) => sum + gate(lse, sink), 0) / all.length;
    return { gate: GRID.map((lse) => gate(lse, sink)), digits: mean(digits), noise: mean(noise), sink };
  };

  const small = (x) => {
    if (x >= 0.001) return x.toFixed(3);
    const [digits, exponent] = x.toExponential(1).split("e");
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  };

  const draw = ({ gate, digits, noise, sink }) => ({
    gate: [GRID, gate], s: sink.toFixed(1).replace("-", "\u2212"), digits: small(digits), noise: small(noise),
  });

  const describe = ({ digits, noise }, { sink }) =>
    `With the sink at ${sink.toFixed(1)} the gate passes ${small(digits)} on average for digits, ` +
    `and ${small(noise)} for noise.`;

  return { compute, draw, describe };
})();
