// Ten clocks race for one image: the perturbed logits of one draw.
// data: digits, from the most probable to the least; keys, a row for each draw.
softmaxFigures.gumbel_race = (() => {
  const compute = ({ draw }, { digits, keys }) => {
    const own = keys[draw - 1];
    const winner = own.indexOf(Math.max(...own));
    return { keys: own, winner: winner + 1, digit: digits[winner], time: Math.exp(-own[winner]) };
  };

  const draw = ({ keys, winner, digit, time }) => ({
    keys: [keys, keys.map((_, i) => i + 1)],
    winner: [[keys[winner - 1]], [winner]],
    digit: String(digit),
    time: time.toFixed(2),
  });

  const describe = ({ digit, winner, time }, knobs) =>
    `In draw ${knobs.draw} the clock of digit ${digit}, number ${winner} by probability, rings first, at time ${time.toFixed(2)}.`;

  return { compute, draw, describe };
})();
