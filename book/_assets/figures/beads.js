// Two beads that slide from rest, from (0, 0) down to (1, 1), where the speed after a drop y is the root of y.
// data: radius, of the wheel whose rim draws the cycloid, and turn, the angle at which it arrives.
softmaxFigures.beads = (() => {
  const compute = ({ time }, { radius, turn }) => {
    const line = Math.min(time * time / 8, 1);
    const angle = Math.min(time / Math.sqrt(2 * radius), turn);
    return {
      straight: [line, line],
      cycloid: [radius * (angle - Math.sin(angle)), radius * (1 - Math.cos(angle))],
      arrival: [Math.sqrt(8), turn * Math.sqrt(2 * radius)],
    };
  };

  const dot = ([x, y]) => [[x], [y]];
  const draw = ({ straight, cycloid }) => ({ straight: dot(straight), cycloid: dot(cycloid) });

  const describe = ({ straight, cycloid, arrival }, { time }) => {
    const place = ([x, y], end) => time < end ? `at x = ${x.toFixed(3)}, y = ${y.toFixed(3)}` : `there since ${end.toFixed(3)}`;
    return `At time ${time.toFixed(2)} the bead on the straight wire is ${place(straight, arrival[0])}; that on the cycloid is ${place(cycloid, arrival[1])}.`;
  };

  return { compute, draw, describe };
})();
