/** The port of a store of events: files in a bucket, or ClickHouse. */
import type { EventRow, VideoTitle } from '../domain/event-row.ts';
import type { Days } from '../domain/object-keys.ts';
import type { Dialect } from '../domain/warehouse/dialects.ts';
import type { Computation, Rows } from './computation.ts';
import type { QueryResult } from './duck-db.ts';

export type EventStore = {
  /** Stores the rows of a batch beside what is stored; storing them again changes nothing that the views show. */
  readonly put: (rows: readonly EventRow[]) => Promise<void>;
  /** Stores what videos are called, unless a later version of one is stored. */
  readonly name: (videos: readonly VideoTitle[]) => Promise<void>;
  /**
   * @param days of receipt of the events that it sees
   * @throws AppError INVALID_ARGUMENT, DEADLINE_EXCEEDED
   */
  readonly query: (organizationId: string, sql: string, days: Days) => Promise<QueryResult>;
  /** Organizations with events of these days. */
  readonly organizations: (days: Days) => Promise<readonly string[]>;
  /** What the SQL of `compute` is written in. */
  readonly dialect: Dialect;
  /**
   * Answers statements of ours, whose rows may be many: `take` gets some at a time, with the number of their statement.
   * @throws AppError UNAVAILABLE, ABORTED, DEADLINE_EXCEEDED
   */
  readonly compute: (question: Computation, take: (statement: number, rows: Rows) => void) => Promise<void>;
  /** Returns how many events were removed. */
  readonly deleteViewer: (organizationId: string, viewerId: string) => Promise<number>;
  readonly deleteOrganization: (organizationId: string) => Promise<void>;
  /** Compacts small files and deletes expired ones. */
  readonly compact: (signal: AbortSignal) => Promise<void>;
};
