// Uniform noise goes up to a map and leaves as the density of the law: strips of equal mass.
// data: levels of the noise that bound the strips, grid of draws, fine levels for the map.
softmaxFigures.base_press = (() => {
  const LAWS = {
    exponential: {
      map: (u) => -Math.log(u),
      density: (z) => (z >= 0 ? Math.exp(-z) : 0),
      above: (z) => Math.exp(-z), below: () => 0,
    },
    cauchy: {
      map: (u) => Math.tan(Math.PI * (u - 0.5)),
      density: (z) => 1 / (Math.PI * (1 + z * z)),
      above: (z) => Math.atan2(1, z) / Math.PI, below: (z) => Math.atan2(1, -z) / Math.PI,
    },
    laplace: {
      map: (u) => (u < 0.5 ? Math.log(2 * u) : -Math.log(2 * (1 - u))),
      density: (z) => Math.exp(-Math.abs(z)) / 2,
      above: (z) => Math.exp(-z) / 2, below: (z) => Math.exp(z) / 2,
    },
  };

  const compute = ({ row, parameter: scale }, { levels, grid, fine }) => {
    const { map, density, above, below } = LAWS[row];
    const at = (z) => density(z / scale) / scale;
    const places = levels.map((u) => scale * map(u));
    return {
      levels, grid, fine, places,
      map: fine.map((u) => scale * map(u)),
      density: grid.map(at),
      heights: places.map(at),
      out: above(4 / scale) + below(-4 / scale),
      printed: fine.map((u) => (row === "laplace" && u < 0.5 ? -scale * Math.log(1 - 2 * u) : 0)),
      wrong: row === "laplace" ? 1 : 0,
    };
  };

  const draw = ({ levels, grid, fine, places, map, density, heights, out, printed, wrong }) => {
    const seen = (z) => (Math.abs(z) <= 4 ? z : NaN);
    const top = Math.max(...density);
    const wide = (p) => 1.15 + 0.95 * Math.min(p / top, 1);
    return {
      rays: [
        levels.flatMap((u, i) => [u, u, wide(heights[i]), NaN]),
        places.flatMap((z) => [-4, Math.max(-4, Math.min(4, z)), seen(z), NaN]),
      ],
      map: [fine, map],
      printed: [fine, printed.map((z, i) => (wrong && fine[i] < 0.5 ? z : NaN))],
      density: [density.map(wide), grid],
      out: `${(100 * out).toFixed(1)}%`,
    };
  };

  const describe = ({ places, out }, { parameter }) =>
    `With scale ${parameter.toFixed(1)} the middle half of the noise lands between ` +
    `${Math.min(places[4], places[14]).toFixed(2)} and ${Math.max(places[4], places[14]).toFixed(2)}; ` +
    `${(100 * out).toFixed(1)}% of the mass is outside of the picture.`;

  return { compute, draw, describe };
})();
