/** The port of a store of events: files in a bucket, or ClickHouse. */
import type { EventRow } from '../domain/event-row.ts';
import type { QueryResult } from './duck-db.ts';

export type EventStore = {
  /** Stores the rows of a batch beside what is stored; storing them again changes nothing that the views show. */
  readonly put: (rows: readonly EventRow[]) => Promise<void>;
  /** @throws AppError INVALID_ARGUMENT, DEADLINE_EXCEEDED */
  readonly query: (organizationId: string, sql: string) => Promise<QueryResult>;
  /** Returns how many events were removed. */
  readonly deleteViewer: (organizationId: string, viewerId: string) => Promise<number>;
  /** Of deleted videos, in every event that is stored. */
  readonly removeTitles: (videoIds: readonly string[]) => Promise<void>;
  readonly deleteOrganization: (organizationId: string) => Promise<void>;
  /** Compacts small files and deletes expired ones. */
  readonly compact: (signal: AbortSignal) => Promise<void>;
};
