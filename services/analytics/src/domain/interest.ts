/**
 * How much each video is watched now. Each viewer counts the watched share over the share that is usual for videos of that
 * length, half after each half-life. The comparison is within lengths because a short video is watched to the end more often
 * whatever it is like: shares of all lengths together favour short ones, watch times long ones (Zhan et al. 2022,
 * Deconfounding Duration Bias in Watch-time Prediction for Video Recommendation, https://doi.org/10.1145/3534678.3539092).
 */

/** What an hour's viewers watched of a video. */
export type HourOfVideo = {
  readonly videoId: string;
  /** The hour's begin, in milliseconds. */
  readonly hourMs: number;
  readonly durationMs: number;
  readonly viewers: number;
  /** The sum of their shares, each 0 to 1. */
  readonly shares: number;
};
export type Interest = { readonly videoId: string; readonly interest: number };

type Sum = { readonly band: number; readonly viewers: number; readonly decayed: number };
type Usual = { readonly viewers: number; readonly shares: number };

/** Lengths that are compared double from one to the next: 1 to 2 s, 2 to 4 s, …. */
export function lengthBand(durationMs: number): number {
  return Math.max(0, Math.floor(Math.log2(Math.max(1, durationMs / 1_000))));
}

/** What is left of a figure at a later time, 1 to 0; never more than all of it. */
export function decay(ageMs: number, halfLifeMs: number): number {
  return 2 ** (-Math.max(0, ageMs) / halfLifeMs);
}

/** So many viewers with the mean share of all lengths count to each length, or a few would say what is usual. */
const PRIOR_VIEWERS = 20;

/**
 * Adds up hours of videos, of any number of organizations and in any order.
 * @param atMs the time at which interest is told
 */
export function tallyInterest(atMs: number, halfLifeMs: number) {
  const videos = new Map<string, Sum>();
  const bands = new Map<number, Usual>();
  const all = { viewers: 0, shares: 0 };
  return {
    add: ({ videoId, hourMs, durationMs, viewers, shares }: HourOfVideo): void => {
      const band = lengthBand(durationMs);
      const sum = videos.get(videoId) ?? { band, viewers: 0, decayed: 0 };
      const decayed = sum.decayed + shares * decay(atMs - hourMs, halfLifeMs);
      videos.set(videoId, { band, viewers: sum.viewers + viewers, decayed });
      const usual = bands.get(band) ?? { viewers: 0, shares: 0 };
      bands.set(band, { viewers: usual.viewers + viewers, shares: usual.shares + shares });
      all.viewers += viewers;
      all.shares += shares;
    },
    /** Of videos with at least `minViewers`. */
    *interests(minViewers: number): Generator<Interest> {
      const mean = all.viewers === 0 ? 0 : all.shares / all.viewers;
      for (const [videoId, { band, viewers, decayed }] of videos) {
        const usual = bands.get(band) ?? all;
        const expected = (usual.shares + PRIOR_VIEWERS * mean) / (usual.viewers + PRIOR_VIEWERS);
        if (viewers >= minViewers && expected > 0) yield { videoId, interest: decayed / expected };
      }
    },
  };
}
