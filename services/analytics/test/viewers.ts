/** A season of viewers for tests of what they watch, and what a plain count says of it. */
import type { EventRow } from '../src/domain/event-row.ts';
import { NOW, row } from './rows.ts';

export type Watching = { readonly viewer: string; readonly video: string; readonly share: number; readonly at: number };

/** Forty viewers of three tastes over thirty videos, by a fixed rule; some look at a video and leave. */
export function season(): Watching[] {
  let state = 7;
  const next = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: 40 }, (_none, viewer) =>
    Array.from({ length: 8 }, (_empty, at) => ({
      viewer: `viewer-${viewer}`,
      video: `v${(viewer % 3) * 10 + next(10)}`,
      share: [0.1, 0.5, 0.9][next(3)] ?? 0,
      at: NOW - at * 3_600_000,
    })),
  ).flat();
}

export function rowsOf(watched: readonly Watching[], organizationId = 'org_a'): EventRow[] {
  return watched.map(({ viewer, video, share, at }, index) =>
    row(
      {
        ...{ viewId: `${organizationId}-${index}`, eventId: `${organizationId}-${index}-1`, viewer, videoId: video },
        ...{ watchedMs: share * 60_000, occurredAtMs: at, receivedAtMs: at },
      },
      { organizationId },
    ),
  );
}

/** Lifts by pair, counted one by one. */
export function plainLifts(watched: readonly Watching[]): Map<string, number> {
  const seen = Map.groupBy(
    watched.filter(({ share }) => share >= 0.3),
    ({ viewer }) => viewer,
  );
  const sets = [...seen.values()].map((of) => new Set(of.map(({ video }) => video)));
  const videos = [...new Set(watched.map(({ video }) => video))];
  const having = (...all: readonly string[]): number => sets.filter((set) => all.every((one) => set.has(one))).length;
  const lifts = videos.flatMap((a) =>
    videos.flatMap((b): [string, number][] => {
      const together = having(a, b);
      const lift = (together + 1) / ((having(a) * having(b)) / sets.length + 1);
      return a !== b && together >= 3 && lift > 1 ? [[`${a} ${b}`, lift]] : [];
    }),
  );
  return new Map(lifts);
}
