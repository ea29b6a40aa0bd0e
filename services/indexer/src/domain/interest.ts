/**
 * Interest in videos as analytics computes it, and how it is compared: a figure counts half after each half-life, so one
 * that was told earlier counts less. Instead of decaying all of them at each query each keeps its rank, which time does not
 * change: forward decay (Cormode et al. 2009, https://doi.org/10.1109/ICDE.2009.65).
 */
import { freshness } from './recommendation.ts';

/** By rising rank is by rising interest, whenever it is asked. @param interest at `atMs`, above 0 */
export function rankOf(interest: number, atMs: number, halfLifeMs: number): number {
  return Math.log2(interest) + atMs / halfLifeMs;
}

/** The interest that is left of a rank at `atMs`. */
export function interestAt(rank: number, atMs: number, halfLifeMs: number): number {
  return 2 ** (rank - atMs / halfLifeMs);
}

/** The order of the trending feed: between two videos of the same interest a new one counts up to twice as much. */
export function trendingScore(interest: number, ageMs: number, halfLifeMs: number): number {
  return interest * (1 + freshness(ageMs, halfLifeMs));
}

/** So many times as fresh is a video of great interest; less than one half-life more, whatever its interest. */
const MAX_BOOST = 1.9;
const HALF_OF_BOOST = 10;

/** What the freshness of a video is multiplied with in a feed of the newest: 1 without interest, and bounded. */
export function feedBoost(interest: number): number {
  const bounded = Math.max(0, interest);
  return 1 + (MAX_BOOST - 1) * (bounded / (bounded + HALF_OF_BOOST));
}
