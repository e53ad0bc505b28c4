// The Gaussians at a given divergence to, and from, the standard normal one: curves in the half-plane of
// mean and standard deviation.
softmaxFigures.half_plane = (() => {
  // Where f changes its sign between a and b, to the last bits.
  const root = (f, a, b) => {
    const up = f(b) > 0;
    for (let round = 0; round < 200; round++) {
      const middle = (a + b) / 2;
      if (middle === a || middle === b) break;
      if (f(middle) > 0 === up) b = middle; else a = middle;
    }
    return (a + b) / 2;
  };

  // The square of the mean, for a standard deviation s.
  const REACH = {
    first: (nats) => (s) => 2 * nats - s * s + 1 + 2 * Math.log(s),
    second: (nats) => (s) => 2 * s * s * (nats + 0.5 - Math.log(s)) - 1,
  };

  const ring = (reach) => {
    const [lowest, highest] = [1e-6, 1e3].map((end) => root(reach, 1, end));
    const half = Array.from({ length: 61 }, (_, i) =>
      (lowest + highest - (highest - lowest) * Math.cos(Math.PI * i / 60)) / 2);
    const means = half.map((s) => Math.sqrt(Math.max(0, reach(s))));
    return { lowest, highest, m: [...means, ...means.map((m) => -m).reverse()], s: [...half, ...half.slice().reverse()] };
  };

  const compute = ({ nats }) => {
    const [first, second] = ["first", "second"].map((order) => ring(REACH[order](nats)));
    return {
      first_m: first.m, first_s: first.s, second_m: second.m, second_s: second.s,
      ends: [first.lowest, first.highest, second.lowest, second.highest],
    };
  };

  const draw = ({ first_m, first_s, second_m, second_s }) => ({
    to: [first_m, first_s], from: [second_m, second_s],
  });

  const describe = ({ ends }, { nats }) => {
    const [a, b, c, d] = ends.map((end) => end.toFixed(2));
    return `At ${nats.toFixed(2)} nats the standard deviation reaches from ${a} to ${b} if p is first, `
      + `and from ${c} to ${d} if it is second.`;
  };

  return { compute, draw, describe };
})();
