// A tree of three levels with three children each: which nodes a beam keeps, by their keys.
// data: keys, a row of 40 for each draw, level by level; low, where the picture ends.
softmaxFigures.sum_and_max = (() => {
  const DEPTH = [...Array(40).keys()].map((v) => (v < 1 ? 0 : v < 4 ? 1 : v < 13 ? 2 : 3));
  const parent = (v) => Math.floor((v - 1) / 3);

  const compute = ({ k, draw }, { keys, low }) => {
    const own = keys[draw - 1];
    const kept = [0];
    const lost = [];
    let level = [0];
    for (let depth = 0; depth < 3; depth++) {
      const seen = level.flatMap((v) => [1, 2, 3].map((child) => 3 * v + child));
      seen.sort((one, other) => own[other] - own[one]);
      level = seen.slice(0, k);
      kept.push(...level);
      lost.push(...seen.slice(k));
    }
    return { keys: own, kept, lost, seen: lost.filter((v) => own[v] >= low), leaves: level };
  };

  const spelled = (v) => [9, 3, 1].map((unit) => "abc"[Math.floor((v - 13) / unit) % 3]).join("");
  const places = (group, keys) => [group.map((v) => keys[v]), group.map((v) => DEPTH[v])];
  const edges = (group, keys) => {
    const ends = group.filter((v) => v > 0).map((v) => [parent(v), v]);
    return [
      ends.flatMap(([from, to]) => [keys[from], keys[to], NaN]),
      ends.flatMap(([from, to]) => [DEPTH[from], DEPTH[to], NaN]),
    ];
  };

  const draw = ({ keys, kept, seen, leaves }) => ({
    seen: edges(seen, keys),
    way: edges(kept, keys),
    lost: places(seen, keys),
    kept: places(kept, keys),
    found: leaves.map(spelled).join(", "),
  });

  const describe = ({ kept, leaves }, { k }) =>
    `A beam of ${k} opens ${kept.length - leaves.length} of 13 nodes and finds ${leaves.map(spelled).join(", ")}.`;

  return { compute, draw, describe };
})();
