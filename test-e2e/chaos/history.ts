/** What happened in a run, in the order in which it ended: calls of the clients, faults, and samples of memory. */
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Command } from '../fixtures/video-model.ts';
import type { FaultKind } from './plan-faults.ts';

/** Milliseconds since the start of the run. */
type Span = { readonly fromMs: number; readonly toMs: number };

export type Call = Span & {
  readonly kind: 'call';
  readonly client: number;
  readonly operation: Command | 'submit' | 'watch' | 'report' | 'rerun';
  /** Undefined for a submission without an acknowledgement. */
  readonly video?: string;
  /** Of a submission: whether the source can be fetched. */
  readonly source?: 'good' | 'missing';
  /** Of a submission: its own, which identifies its video if no reply named it. */
  readonly title?: string;
  /** Of a report: the id of the view. */
  readonly view?: string;
  /** HTTP status and the body's `status` or `error.code`; null where there was no response. */
  readonly reply: string | null;
  /** What broke the contract or contradicts itself, or why there was no response. */
  readonly problem?: string;
};

export type Fault = Span & {
  readonly kind: 'fault';
  readonly fault: FaultKind;
  readonly detail: string;
};

/** A fault that this machine cannot make. */
export type SkippedFault = { readonly kind: 'skipped'; readonly fault: FaultKind; readonly reason: string };
/** A process that ended by itself. */
export type Crash = { readonly kind: 'crash'; readonly atMs: number; readonly process: string; readonly log: string };
/** The views that the warehouse had at that time. */
export type Stored = { readonly kind: 'stored'; readonly atMs: number; readonly views: readonly string[] };
/** Resident memory of a process, in megabytes. */
export type Memory = { readonly kind: 'memory'; readonly atMs: number; readonly process: string; readonly mb: number };

export type Entry = Call | Fault | SkippedFault | Crash | Stored | Memory;
export type History = ReturnType<typeof openHistory>;

/** Opens a history that is kept in memory and appended to a file of one JSON document a line. */
export function openHistory(file: string) {
  const entries: Entry[] = [];
  const stream = createWriteStream(file, { flags: 'w' });
  const from = performance.now();
  return {
    entries: entries as readonly Entry[],
    now: (): number => Math.round(performance.now() - from),
    add: (entry: Entry): void => {
      entries.push(entry);
      stream.write(`${JSON.stringify(entry)}\n`);
    },
    close: async (): Promise<void> => {
      stream.end();
      await finished(stream);
    },
  };
}

/** Whether the outcome of a call is known: an error of the service may come before or after the effect. */
export function isAcknowledged({ reply }: Call): boolean {
  return reply !== null && !reply.startsWith('5');
}
