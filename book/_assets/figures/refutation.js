// The derivative of softmax, in four versions: what each says at random points, against a difference quotient.
// data: z, j, k, the logits and the classes of the first sample.
softmaxFigures.refutation = (() => {
  // Mulberry32, a generator of random numbers that is easily the same in another language.
  const random = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };

  const VERSIONS = {
    book: (p, j, k) => p[k] * ((j === k) - p[j]),
    sign: (p, j, k) => p[k] * ((j === k) + p[j]),
    index: (p, j, k) => p[k] * ((j === k) - p[k]),
    delta: (p, j, k) => -p[k] * p[j],
  };

  const STEP = 2 ** -17; // the quotient errs by its square, and by rounding errors over it
  const quotient = (z, j, k) => {
    const at = (shift) => softmaxTools.softmax(z.map((logit, i) => logit + (i === j ? shift : 0)))[k];
    return (at(STEP) - at(-STEP)) / (2 * STEP);
  };

  // The first sample is the one that Python drew.
  const points = (sample, { z, j, k }) => {
    if (sample === 0) return z.map((logits, i) => ({ z: logits, j: j[i], k: k[i] }));
    const next = random(sample);
    return z.map(() => {
      const n = 2 + Math.floor(4 * next());
      const logits = Array.from({ length: n }, () => 4 * next() - 2);
      return { z: logits, j: Math.floor(n * next()), k: Math.floor(n * next()) };
    });
  };

  const compute = ({ version, sample }, data) => {
    const tried = points(sample, data);
    const left = tried.map(({ z, j, k }) => quotient(z, j, k));
    const right = tried.map(({ z, j, k }) => VERSIONS[version](softmaxTools.softmax(z), j, k));
    const differs = left.map((value, i) => Math.abs(value - right[i]) > 1e-6);
    const first = differs.indexOf(true);
    // the first point at which they differ: size, classes from 1, logits
    const { z, j, k } = first < 0 ? { z: [], j: -1, k: -1 } : tried[first];
    const witness = [z.length, j + 1, k + 1, ...z, ...Array(5 - z.length).fill(0)];
    return { left, right, differs: differs.map(Number), witness };
  };

  const draw = ({ left, right, differs }) => {
    const those = (kind) => [left.map((value, i) => (differs[i] === kind ? value : NaN)), right];
    return { agree: those(0), differ: those(1) };
  };

  const number = (value, digits) => value.toFixed(digits).replace("-", "−");

  const describe = ({ left, right, differs, witness: [n, j, k, ...z] }) => {
    const first = differs.indexOf(1);
    if (first < 0) return `Both sides agree at all ${left.length} points. That is no proof yet.`;
    const logits = z.slice(0, n).map((logit) => number(logit, 3)).join(", ");
    const wrong = differs.reduce((a, b) => a + b);
    return `False at ${wrong} of ${left.length} points, such as z = (${logits}), j = ${j}, k = ${k}: ` +
      `left ${number(left[first], 6)}, right ${number(right[first], 6)}.`;
  };

  return { compute, draw, describe };
})();
