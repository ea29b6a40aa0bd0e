/**
 * What single pictures reveal that were decoded all over a source: pictures may change their size or become interlaced
 * long after the first ones.
 */
import type { FrameScan } from './frame-scan.ts';
import type { PictureSample, VideoStream } from './probe.ts';

type Size = Pick<PictureSample, 'width' | 'height' | 'pixelAspect'>;

const MAX_SAMPLES = 32;
/** The share of the video for which a size must be shown to count as one that lasts. */
const LASTING_SHARE = 0.1;

/** Times of key pictures that are spread evenly over the video, rising. */
export function sampleTimes({ times, keys, end }: FrameScan): number[] {
  const first = times[0] ?? 0;
  const chosen = new Set<number>();
  let index = 0;
  for (let sample = 0; sample < MAX_SAMPLES; sample++) {
    const wanted = first + ((sample + 0.5) / MAX_SAMPLES) * (end - first);
    while ((keys[index + 1] ?? Infinity) <= wanted) index++;
    chosen.add(keys[index] ?? first);
  }
  return [...chosen];
}

/** Adds what the samples reveal: the largest of the sizes that last, and whether any of them is interlaced. */
export function withSamples(video: VideoStream, samples: readonly PictureSample[], end: number): VideoStream {
  const lasting = lastingSize(samples, end);
  return {
    ...video,
    ...(lasting ? { ...lasting, resized: true } : {}),
    interlaced: video.interlaced || samples.some(({ interlaced }) => interlaced),
  };
}

/** Undefined where all samples are of one size. */
function lastingSize(samples: readonly PictureSample[], end: number): Size | undefined {
  const shown = new Map<string, { readonly size: Size; seconds: number }>();
  let whole = 0;
  samples.forEach(({ time, width, height, pixelAspect }, index) => {
    const seconds = Math.max(0, (samples[index + 1]?.time ?? end) - time);
    const size = { width, height, pixelAspect };
    const entry = shown.get(`${width}x${height}`) ?? { size, seconds: 0 };
    entry.seconds += seconds;
    whole += seconds;
    shown.set(`${width}x${height}`, entry);
  });
  if (shown.size < 2) return undefined;
  const [largest] = [...shown.values()]
    .filter(({ seconds }) => seconds >= whole * LASTING_SHARE)
    .toSorted((one, other) => areaOf(other.size) - areaOf(one.size) || other.seconds - one.seconds);
  return largest?.size;
}

function areaOf({ width, height, pixelAspect }: Size): number {
  return width * height * pixelAspect;
}
