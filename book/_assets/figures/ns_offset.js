// Scores of words that are learnt from counts: negative sampling, and noise contrast less log q.
// data: ratio, log p/q of each word; text, how often it occurs; noise, for each number of noise words, how often it
// is drawn.
softmaxFigures.ns_offset = (() => {
  const compute = ({ nu }, { ratio, text, noise }) => {
    const drawn = noise[nu - 1];
    const learnt = text.map((count, word) => Math.log(count / drawn[word]));
    const contrast = learnt.map((score) => score + Math.log(nu));
    const line = [-2.6, 2.6].map((x) => x - Math.log(nu));
    return { ratio, learnt, contrast, line, nu };
  };

  const draw = ({ ratio, learnt, contrast, line, nu }) => ({
    line: [[-2.6, 2.6], line],
    learnt: [ratio, learnt],
    contrast: [ratio, contrast],
    nu: nu.toFixed(0),
  });

  const describe = ({ learnt }, { nu }) =>
    `With ${nu} noise words for each word of text the line is ${Math.log(nu).toFixed(2)} lower than the diagonal; the scores learnt go from ${Math.min(...learnt).toFixed(2).replace("-", "−")} to ${Math.max(...learnt).toFixed(2).replace("-", "−")}.`;

  return { compute, draw, describe };
})();
