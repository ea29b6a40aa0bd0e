/** Measures of the similarity of two pictures. */

/** Structural similarity of two planes (Wang et al. 2004) over squares of eight by eight: 1 for the same plane. */
export function structuralLikeness(one: Buffer, other: Buffer, width: number, height: number): number {
  const side = Math.min(8, width, height);
  let [sum, squares] = [0, 0];
  for (let y = 0; y + side <= height; y += side)
    for (let x = 0; x + side <= width; x += side) {
      sum += squareLikeness(one, other, y * width + x, width, side);
      squares++;
    }
  return sum / squares;
}

function squareLikeness(one: Buffer, other: Buffer, from: number, stride: number, side: number): number {
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let row = from; row < from + side * stride; row += stride)
    for (let at = row; at < row + side; at++) {
      const [p, q] = [one[at] ?? 0, other[at] ?? 0];
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  const count = side * side;
  const [meanA, meanB] = [a / count, b / count];
  const [varianceA, varianceB, together] = [
    aa / count - meanA * meanA,
    bb / count - meanB * meanB,
    ab / count - meanA * meanB,
  ];
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  return (
    ((2 * meanA * meanB + c1) * (2 * together + c2)) /
    ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
  );
}

/**
 * Luma of a picture averaged over a coarse grid, row by row: enough to distinguish one numbered picture from the next.
 */
export function coarse(picture: Buffer, width: number, height: number): Float64Array {
  const [columns, rows] = [Math.min(40, width), Math.min(24, height)];
  const cells = new Float64Array(columns * rows);
  const counts = new Float64Array(columns * rows);
  const step = Math.max(1, Math.floor(height / 180));
  for (let y = 0; y < height; y += step)
    for (let x = 0; x < width; x += step) {
      const cell = Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width);
      cells[cell] = (cells[cell] ?? 0) + (picture[y * width + x] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  return cells.map((sum, cell) => sum / (counts[cell] ?? 1));
}

/** Mean of the squared differences. */
export function difference(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += ((one[index] ?? 0) - (other[index] ?? 0)) ** 2;
  return sum / one.length;
}

/** Pearson's correlation: 1 where the order and the spread of the values are the same, whatever their scale. */
export function correlation(one: Float64Array, other: Float64Array): number {
  const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanOne, meanOther] = [mean(one), mean(other)];
  let [together, squaresOne, squaresOther] = [0, 0, 0];
  one.forEach((value, index) => {
    const [a, b] = [value - meanOne, (other[index] ?? 0) - meanOther];
    together += a * b;
    squaresOne += a * a;
    squaresOther += b * b;
  });
  return together / Math.sqrt(Math.max(1e-9, squaresOne * squaresOther));
}
