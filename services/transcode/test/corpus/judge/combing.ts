/** Checks that pictures of two fields are deinterlaced, and that all others keep every line. */
import type { Expectation } from '../recipes/recipe.ts';
import { structuralLikeness } from './likeness.ts';
import type { ComparedRung } from './rung.ts';

/** A line that differs from both of its neighbours, to the same side, by more than this looks like a comb's tooth. */
const TOOTH = 20;
/** Deinterlacing removes nearly all teeth; hard edges of the picture itself look like some. */
const MAX_LEFT = 0.25;
/** Encoding leaves a picture this much like the source's; deinterlacing one that is whole does not. */
const MIN_ALIKE = 0.9;

/** @param top the rung of the source's own size */
export function judgeCombing({ made, source, name }: ComparedRung, { isCombed }: Expectation): string[] {
  if (!isCombed) return [];
  const { width, height } = made;
  return made.pictures.flatMap((picture, index) => {
    const original = source.pictures[index];
    if (!original) return [];
    if (isCombed(index)) {
      const [left, had] = [teeth(picture, width, height), teeth(original, width, height)];
      return left > had * MAX_LEFT ? [`${name}: picture ${index} is combed: ${left} teeth of the source's ${had}`] : [];
    }
    const likeness = structuralLikeness(picture, original, width, height);
    return likeness < MIN_ALIKE ? [`${name}: picture ${index} is softened: ${likeness.toFixed(3)}`] : [];
  });
}

function teeth(luma: Buffer, width: number, height: number): number {
  let count = 0;
  for (let at = width; at < (height - 1) * width; at++) {
    const [above, here, below] = [luma[at - width] ?? 0, luma[at] ?? 0, luma[at + width] ?? 0];
    if (Math.min(here - above, here - below) > TOOTH || Math.min(above - here, below - here) > TOOTH) count++;
  }
  return count;
}
