/** Pictures that are held for seconds: before an edit list begins, and across the beginnings of segments. */
import { coarse, difference } from './likeness.ts';
import type { DecodedPictures } from './decode.ts';

const TIME_SLACK = 0.0021;
/** Two encodings of the same picture differ by less than this, neighbours of a moving one by four times as much. */
const MAX_DIFFERENT = 450;

/** What is shown from zero on: the last picture that begins before it stands at its place. */
export function fromZero(decoded: DecodedPictures): DecodedPictures {
  const begin = Math.max(
    0,
    decoded.times.findLastIndex((time) => time <= TIME_SLACK),
  );
  const times = decoded.times.slice(begin).map((time) => Math.max(0, time));
  return { ...decoded, times, pictures: decoded.pictures.slice(begin) };
}

/** Takes out the pictures that must be repeated at the given seconds, and says which are missing or others. */
export function withoutRepeats(decoded: DecodedPictures, repeats: readonly number[]) {
  const { times, pictures, width, height } = decoded;
  const faults = repeats.flatMap((at) => {
    const index = times.findIndex((time) => Math.abs(time - at) <= TIME_SLACK);
    const [picture, before] = [pictures[index], pictures[index - 1]];
    if (!picture || !before) return [`repeats no picture at ${at}`];
    const differ = difference(coarse(picture, width, height), coarse(before, width, height));
    return differ > MAX_DIFFERENT ? [`shows another picture at ${at}, not the one before`] : [];
  });
  const isKept = (index: number): boolean => !repeats.some((at) => Math.abs((times[index] ?? 0) - at) <= TIME_SLACK);
  const kept = {
    ...decoded,
    times: times.filter((_time, index) => isKept(index)),
    pictures: pictures.filter((_picture, index) => isKept(index)),
  };
  return { kept, faults };
}
