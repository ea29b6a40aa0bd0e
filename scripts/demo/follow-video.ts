/** Waits until a video's processing ends, with a line for every change of its stages. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StageStatusOut } from '@vds/proto/generated/vds/catalog/v1/StageStatus.ts';

export type FollowOptions = {
  readonly stages: () => Promise<readonly Row[]>;
  /** The record's `status`; requested rarely, because partners have a rate limit. */
  readonly status: () => Promise<string>;
  /** Receives one progress line. */
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds between two polls of the stages (default 300). */
  readonly everyMs?: number;
  /** Least milliseconds between two requests as a partner (default 1,050: the default key has 60 a minute). */
  readonly statusEveryMs?: number;
};

type Row = Pick<StageStatusOut, 'stage' | 'state' | 'progress'>;

/**
 * Resolves with the status that ended the processing: ready, archived, failed or deleted. Throws when `signal` aborts.
 */
export async function followVideo({
  stages,
  status,
  print,
  signal,
  everyMs = 300,
  statusEveryMs = 1_050,
}: FollowOptions): Promise<string> {
  const from = performance.now();
  const shown = new Map<string, string>();
  let polledAt = -Infinity;
  for (;;) {
    const now = await stages();
    for (const row of now) {
      const line = lineOf(row);
      if (shown.get(row.stage) === line) continue;
      shown.set(row.stage, line);
      print(`${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s  ${line}`);
    }
    // Polls as a partner only when the record may have changed: when no stage is open, or encoding is complete and the
    // video waits for optional stages.
    const isOpen = ({ state }: Row): boolean => state === 'requested' || state === 'started';
    const waiting = now.some(({ stage, state }) => stage === 'encode' && state === 'completed');
    const open = now.length === 0 || now.some(isOpen);
    if ((!open || waiting) && performance.now() - polledAt >= statusEveryMs) {
      polledAt = performance.now();
      const ended = await status();
      if (ended !== 'processing') return ended;
    }
    await pause(everyMs, undefined, { signal });
  }
}

/** A stage's line: its state and, while it runs, its progress in steps of ten. */
function lineOf({ stage, state, progress }: Row): string {
  const tens = Math.floor(progress / 10) * 10;
  return `${stage.padEnd(8)} ${state}${tens > 0 && tens < 100 ? ` ${tens} %` : ''}`;
}
