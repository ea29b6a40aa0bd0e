/** Waiting for a video's end of processing, with a line for every change of its stages. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StageStatusOut } from '@vds/proto/generated/vds/catalog/v1/StageStatus.ts';

export type FollowOptions = {
  readonly stages: () => Promise<readonly Row[]>;
  /** The record's `status`; asked for seldom, because partners have a limit of requests. */
  readonly status: () => Promise<string>;
  /** One line of news. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds between two looks at the stages (default 300). */
  readonly everyMs?: number;
  /** Least milliseconds between two questions as a partner (default 1,050: the usual key has 60 a minute). */
  readonly askEveryMs?: number;
};

type Row = Pick<StageStatusOut, 'stage' | 'state' | 'progress'>;

/** Resolves with the status that ended the processing: ready, archived, failed or deleted. Throws when `signal` aborts. */
export async function followVideo({
  stages,
  status,
  say,
  signal,
  everyMs = 300,
  askEveryMs = 1_050,
}: FollowOptions): Promise<string> {
  const from = performance.now();
  const shown = new Map<string, string>();
  let askedAt = -Infinity;
  for (;;) {
    const now = await stages();
    for (const row of now) {
      const news = newsOf(row);
      if (shown.get(row.stage) === news) continue;
      shown.set(row.stage, news);
      say(`${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s  ${news}`);
    }
    // Asking as a partner only when the record can have changed: when no stage is open, or the pictures are done and
    // the video waits for what it can do without.
    const isOpen = ({ state }: Row): boolean => state === 'requested' || state === 'started';
    const waiting = now.some(({ stage, state }) => stage === 'encode' && state === 'completed');
    const open = now.length === 0 || now.some(isOpen);
    if ((!open || waiting) && performance.now() - askedAt >= askEveryMs) {
      askedAt = performance.now();
      const ended = await status();
      if (ended !== 'processing') return ended;
    }
    await pause(everyMs, undefined, { signal });
  }
}

/** What a stage's line shows: its state, and its progress in steps of ten while it runs. */
function newsOf({ stage, state, progress }: Row): string {
  const tens = Math.floor(progress / 10) * 10;
  return `${stage.padEnd(8)} ${state}${tens > 0 && tens < 100 ? ` ${tens} %` : ''}`;
}
