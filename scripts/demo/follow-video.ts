/** Waits until a video's processing ends, with a text for every change of its stages. */
import { setTimeout as pause } from 'node:timers/promises';
import type { StageStatusOut } from '@vds/proto/generated/vds/catalog/v1/StageStatus.ts';

export type FollowOptions = {
  readonly stages: () => Promise<readonly Row[]>;
  /** The record's `status`; requested rarely, because partners have a rate limit. */
  readonly status: () => Promise<string>;
  /** Receives the current state of a stage, such as `encode started 40 %`. */
  readonly onChange: (text: string) => void;
  readonly signal: AbortSignal;
  /** Milliseconds between two polls of the stages (default 300). */
  readonly everyMs?: number;
  /** Least milliseconds between two requests as a partner (default 1,050). */
  readonly statusEveryMs?: number;
  /** How long a service may fail to answer, in milliseconds: on a busy machine calls run into their deadlines. */
  readonly patienceMs?: number;
};

type Row = Pick<StageStatusOut, 'stage' | 'state' | 'progress'>;

/**
 * Resolves with the status that ended the processing: ready, archived, failed or deleted. Throws when `signal` aborts.
 */
export async function followVideo({
  stages,
  status,
  onChange,
  signal,
  everyMs = 300,
  statusEveryMs = 1_050,
  patienceMs = 60_000,
}: FollowOptions): Promise<string> {
  const shown = new Map<string, string>();
  let polledAt = -Infinity;
  let answeredAt = performance.now();
  const poll = async (): Promise<string> => {
    const now = await stages();
    for (const row of now) {
      const text = textOf(row);
      if (shown.get(row.stage) === text) continue;
      shown.set(row.stage, text);
      onChange(text);
    }
    if (!mayHaveEnded(now) || performance.now() - polledAt < statusEveryMs) return 'processing';
    polledAt = performance.now();
    return await status();
  };
  for (;;) {
    try {
      const ended = await poll();
      answeredAt = performance.now();
      if (ended !== 'processing') return ended;
    } catch (error) {
      if (performance.now() - answeredAt > patienceMs) throw error;
    }
    await pause(everyMs, undefined, { signal });
  }
}

/** The record changes only when no stage is open, or when encoding is complete and optional stages are waited for. */
function mayHaveEnded(rows: readonly Row[]): boolean {
  const isOpen = ({ state }: Row): boolean => state === 'requested' || state === 'started';
  const isWaiting = rows.some(({ stage, state }) => stage === 'encode' && state === 'completed');
  return isWaiting || (rows.length > 0 && !rows.some(isOpen));
}

/** A stage's state and, while it runs, its progress in steps of ten. */
function textOf({ stage, state, progress }: Row): string {
  const tens = Math.floor(progress / 10) * 10;
  return `${stage} ${state}${tens > 0 && tens < 100 ? ` ${tens} %` : ''}`;
}
