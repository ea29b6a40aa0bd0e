/** Waiting for a video's end of processing, with a line for every change of its stages. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StageStatusOut } from '@vds/proto/generated/vds/catalog/v1/StageStatus.ts';

export type FollowOptions = {
  readonly stages: () => Promise<readonly Pick<StageStatusOut, 'stage' | 'state' | 'progress'>[]>;
  /** The record's `status`; asked for seldom, because partners have a limit of requests. */
  readonly status: () => Promise<string>;
  /** One line of news. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds between two looks at the stages (default 300). */
  readonly everyMs?: number;
};

/** What a stage's line shows: its state, and its progress in steps of ten while it runs. */
const newsOf = ({ stage, state, progress }: Pick<StageStatusOut, 'stage' | 'state' | 'progress'>): string => {
  const tens = Math.floor(progress / 10) * 10;
  return `${stage.padEnd(8)} ${state}${tens > 0 && tens < 100 ? ` ${tens} %` : ''}`;
};

/** Resolves with the status that ended the processing: ready, archived, failed or deleted. Throws when `signal` aborts. */
export const followVideo = async ({ stages, status, say, signal, everyMs = 300 }: FollowOptions): Promise<string> => {
  const from = performance.now();
  const shown = new Map<string, string>();
  for (;;) {
    const now = await stages();
    for (const row of now) {
      const news = newsOf(row);
      if (shown.get(row.stage) === news) continue;
      shown.set(row.stage, news);
      say(`${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s  ${news}`);
    }
    // Asking as a partner only when no stage is open: the record then changes within a moment.
    const open = now.length === 0 || now.some(({ state }) => state === 'requested' || state === 'started');
    if (!open) {
      const ended = await status();
      if (ended !== 'processing') return ended;
    }
    await pause(open ? everyMs : 1_000, undefined, { signal });
  }
};
