// Shares of a point between three centres: a softmax of squared distances, with the variance as a temperature.
// data: digits, points of the plane; centres, three of them.
softmaxFigures.soft_borders = (() => {
  const shares = (point, centres, variance) =>
    softmaxTools.softmax(centres.map((centre) => -centre.reduce((sum, c, i) => sum + (point[i] - c) ** 2, 0)), 2 * variance);

  const compute = ({ variance }, { digits, centres }) => {
    const largest = digits.map((digit) => {
      const found = shares(digit, centres, variance);
      return [found.indexOf(Math.max(...found)), Math.max(...found)];
    });
    return { digits, owner: largest.map(([owner]) => owner), share: largest.map(([, share]) => share), variance };
  };

  const shown = (variance) => String(Number(variance.toPrecision(3)));
  const open = (share) => share.filter((one) => one < 0.9).length;

  const draw = ({ digits, owner, share, variance }) => {
    const drawn = { count: String(open(share)), variance: shown(variance) };
    [0, 1, 2].forEach((c) => {
      [false, true].forEach((ring) => {
        const points = digits.map((digit, i) => (owner[i] === c && share[i] < 0.9 === ring ? digit : [NaN, NaN]));
        drawn[`group${2 * c + ring + 1}`] = [points.map(([x]) => x), points.map(([, y]) => y)];
      });
    });
    return drawn;
  };

  const describe = ({ digits, share, variance }) =>
    `At the variance ${shown(variance)} no centre has a share of 0.9 of ${open(share)} of the ${digits.length} digits.`;

  return { compute, draw, describe };
})();
