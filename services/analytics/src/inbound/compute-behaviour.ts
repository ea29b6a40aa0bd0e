/**
 * Computes what viewers watch and publishes it: interest in videos, and companions of new ones, each hour from the last
 * days; companions of all videos each night from months. A lock lets one replica do so, once in each hour and night.
 */
import type { Bus } from '@vds/chassis/bus/bus';
import { runExclusively } from '@vds/chassis/database/leader-lock';
import type { Pool } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { events } from '@vds/proto/events';
import type { VideosWatched } from '@vds/proto/generated/vds/analytics/v1/VideosWatched.ts';
import type { WatchedTogether } from '@vds/proto/generated/vds/analytics/v1/WatchedTogether.ts';
import { tallyInterest } from '../domain/interest.ts';
import { dayOf } from '../domain/object-keys.ts';
import { firstIdAt, MIN_VIEWERS, watchedShares, watchedTogether } from '../domain/warehouse/behaviour.ts';
import type { Rows } from '../outbound/computation.ts';
import type { EventStore } from '../outbound/store.ts';

type Deps = {
  readonly store: Pick<EventStore, 'organizations' | 'compute' | 'dialect'>;
  readonly publish: Bus['publish'];
  readonly log: Pick<Logger, 'info' | 'warn'>;
};
type Schedule = {
  readonly pool: Pool;
  readonly config: { readonly behaviourHourMs: number; readonly behaviourNightMs: number };
};
type Pair = { readonly videoId: string; readonly companionId: string; readonly lift: number };

const DAY_MS = 86_400_000;
/** Interest counts half after a day, so that after a week less than a hundredth of it is left. */
const HALF_LIFE_MS = DAY_MS;
const [RECENT_DAYS, HISTORY_DAYS] = [7, 60];
/** Nights begin at 2:00 UTC. */
const NIGHT_OFFSET_MS = 7_200_000;
const VIDEOS_PER_MESSAGE = 500;

/** Computes what is due; a run that fails is due again. */
export function computeBehaviour(deps: Deps & Schedule): (signal: AbortSignal) => Promise<void> {
  const { pool, config } = deps;
  return async (signal) => {
    const now = Date.now();
    const since = (everyMs: number, offsetMs = 0): number => (now - offsetMs) % everyMs;
    await runExclusively(pool, 'analytics-interest', since(config.behaviourHourMs), () =>
      computeRecent(deps, now, signal),
    );
    const night = since(config.behaviourNightMs, NIGHT_OFFSET_MS);
    await runExclusively(pool, 'analytics-companions', night, () => computeCompanions(deps, now, signal));
  };
}

/** Interest in videos of all organizations, and the companions of new ones. */
export async function computeRecent(deps: Deps, now: number, signal: AbortSignal): Promise<void> {
  const { store } = deps;
  const tally = tallyInterest(now, HALF_LIFE_MS);
  const statements = [
    watchedShares(store.dialect),
    watchedTogether(store.dialect, firstIdAt(now - RECENT_DAYS * DAY_MS)),
  ];
  const outgoing = openMessages(deps, now, 'hour');
  await eachOrganization(deps, { now, days: RECENT_DAYS + 1, statements, signal }, async (compute) => {
    const pairs: Pair[] = [];
    await compute((statement, rows) => {
      if (statement === 1) pairs.push(...rows.map(pairOf));
      else for (const row of rows) tally.add(hourOf(row));
    });
    await outgoing.together(pairs);
  });
  await outgoing.interests([...tally.interests(MIN_VIEWERS)]);
  deps.log.info({ videos: outgoing.count() }, 'interest in videos published');
}

/** The companions of all videos. */
export async function computeCompanions(deps: Deps, now: number, signal: AbortSignal): Promise<void> {
  const outgoing = openMessages(deps, now, 'night');
  const statements = [watchedTogether(deps.store.dialect)];
  await eachOrganization(deps, { now, days: HISTORY_DAYS, statements, signal }, async (compute) => {
    const pairs: Pair[] = [];
    await compute((_statement, rows) => void pairs.push(...rows.map(pairOf)));
    await outgoing.together(pairs);
  });
  deps.log.info({ videos: outgoing.count() }, 'videos watched together published');
}

type Question = {
  readonly now: number;
  readonly days: number;
  readonly statements: readonly string[];
  readonly signal: AbortSignal;
};
type Compute = (take: (statement: number, rows: Rows) => void) => Promise<void>;

/** One organization's events may take too long: the others' figures do not wait for it. */
async function eachOrganization(
  { store, log }: Deps,
  { now, days: count, statements, signal }: Question,
  work: (compute: Compute) => Promise<void>,
): Promise<void> {
  const days = { from: dayOf(new Date(now - count * DAY_MS)), to: '' };
  for (const organizationId of await store.organizations(days)) {
    signal.throwIfAborted();
    try {
      await work((take) => store.compute({ organizationId, statements, days, signal }, take));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'DEADLINE_EXCEEDED') throw error;
      log.warn({ organization_id: organizationId, reason: error.message }, 'what its viewers watch is left out');
    }
  }
}

/**
 * Publishes lists of any length, in messages of a bounded number of videos.
 * @param run keeps the ids of runs of one time apart, as NATS drops a message whose id it knows
 */
function openMessages({ publish }: Deps, now: number, run: 'hour' | 'night') {
  const event = events.videosWatched;
  let [messages, videos] = [0, 0];
  const send = async (content: Pick<VideosWatched, 'interests' | 'together'>): Promise<void> => {
    messages += 1;
    const message = { computedAtMs: now, halfLifeMs: HALF_LIFE_MS, ...content };
    await publish(event, message, `${event.subject}/${run}/${now}/${messages}`);
  };
  return {
    interests: async (interests: NonNullable<VideosWatched['interests']>): Promise<void> => {
      for (const part of inParts(interests)) await send({ interests: part });
      videos += interests.length;
    },
    /** @param pairs by video, the best companion first */
    together: async (pairs: readonly Pair[]): Promise<void> => {
      const byVideo = Map.groupBy(pairs, ({ videoId }) => videoId);
      const together = [...byVideo].map(([videoId, found]): WatchedTogether => ({
        videoId,
        companions: found.map(({ companionId, lift }) => ({ videoId: companionId, lift })),
      }));
      for (const part of inParts(together)) await send({ together: part });
      videos += together.length;
    },
    count: (): number => videos,
  };
}

function inParts<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / VIDEOS_PER_MESSAGE);
  return Array.from({ length: count }, (_part, at) =>
    all.slice(at * VIDEOS_PER_MESSAGE, (at + 1) * VIDEOS_PER_MESSAGE),
  );
}

function hourOf(row: Rows[number]) {
  return {
    videoId: String(row['video_id']),
    hourMs: Date.parse(`${String(row['watched_hour']).replace(' ', 'T')}Z`),
    durationMs: Number(row['duration_ms']),
    viewers: Number(row['viewers']),
    shares: Number(row['shares']),
  };
}

function pairOf(row: Rows[number]): Pair {
  return {
    videoId: String(row['video_id']),
    companionId: String(row['companion_id']),
    lift: Number(row['lift']),
  };
}
