/** Reads and writes documents of the index, each with catalog's version as its own. */
import { AppError, orUndefinedIfNotFound } from '@vds/chassis/errors';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Versioned } from '../domain/document.ts';
import type { Indexes } from './indexes.ts';
import { hasReason, type OpenSearch } from './open-search.ts';

type BulkItem = { readonly status: number; readonly error?: { readonly type: string; readonly reason: string } };
type BulkReply = { readonly items: readonly { readonly index: BulkItem }[] };
type Got = {
  readonly _id: string;
  readonly found?: boolean;
  readonly _version?: number;
  readonly _source?: Readonly<Record<string, unknown>>;
  readonly fields?: Readonly<Record<string, unknown>>;
};
export type Stored = { readonly version: number; readonly source: Readonly<Record<string, unknown>> };
export type WriteOptions = {
  /** Also replaces a document of the same version. */
  readonly evenSame?: boolean;
  /** Found by searches from the moment that this resolves. */
  readonly refresh?: boolean;
};

/** A video as lines of a request. */
type Lines = { readonly isLive: boolean; readonly action: object; readonly document: string };

/** Of a request with several documents: managed servers take 10 MiB, and a document may have several. */
const BULK_BYTES = 5_000_000;
const textFields = ['text.*', 'title_in.*', 'summary_in.*', 'screen'];
export type Documents = ReturnType<typeof openDocuments>;

export function openDocuments(search: OpenSearch, indexes: Indexes, metrics: Metrics) {
  const writeTo = openWriter(search, metrics);
  const reader = openReader(search);
  const isFilling = async (): Promise<boolean> => (await indexes.behind(indexes.filling)) !== undefined;
  return {
    ...reader,
    readServed: (id: string): Promise<Stored | undefined> => reader.read(indexes.serving, id),
    writeTo,
    /**
     * Writes to the served index and to the one being filled, that one first: if it becomes the served one in between,
     * the second write reaches it too. A newer document in the index is success.
     */
    write: async (videos: readonly Versioned[], options: WriteOptions = {}): Promise<void> => {
      if (await isFilling()) {
        try {
          await writeTo(indexes.filling, videos, options);
        } catch (error) {
          if (!hasReason(error, 'index_not_found_exception')) throw error; // else it is the served one by now
        }
      }
      await writeTo(indexes.serving, videos, options);
    },
  };
}

function openWriter(search: OpenSearch, metrics: Metrics) {
  const writes = metrics.counter('vds_indexer_writes_total', 'Documents written, and rejected as older', ['outcome']);
  /** Writes through an alias, which never creates an index. */
  return async (alias: string, videos: readonly Versioned[], options: WriteOptions = {}): Promise<void> => {
    const version_type = options.evenSame === true ? 'external_gte' : 'external';
    const query = { require_alias: true, refresh: options.refresh === true };
    const send = async (bulk: readonly Lines[]): Promise<void> => {
      const lines = bulk.flatMap(({ action, document }) => [action, document]);
      const { items } = await search.request<BulkReply>({ method: 'POST', path: `/${alias}/_bulk`, query, lines });
      for (const [at, { index: item }] of items.entries()) {
        if (item.status >= 300 && item.status !== 409) throw writeError(item, alias);
        const kind = bulk[at]?.isLive === true ? 'written' : 'tombstone';
        writes.inc({ outcome: item.status === 409 ? 'stale' : kind });
      }
    };
    const sendOrHalve = async (bulk: readonly Lines[]): Promise<void> => {
      try {
        await send(bulk);
      } catch (error) {
        if (bulk.length < 2 || !hasReason(error, 'http_413')) throw error;
        const half = Math.ceil(bulk.length / 2);
        await sendOrHalve(bulk.slice(0, half));
        await sendOrHalve(bulk.slice(half));
      }
    };
    const all = videos.map(({ version, document }) => ({
      isLive: document.live,
      action: { index: { _id: document.video_id, version, version_type } },
      document: JSON.stringify(document),
    }));
    for (const bulk of inBulks(all)) await sendOrHalve(bulk);
  };
}

/** In their order, at least one in each. */
function inBulks(all: readonly Lines[]): readonly (readonly Lines[])[] {
  const bulks: Lines[][] = [];
  let left = 0;
  for (const one of all) {
    const bytes = Buffer.byteLength(one.document);
    const last = bulks.at(-1);
    if (last && bytes <= left) last.push(one);
    else {
      bulks.push([one]);
      left = BULK_BYTES;
    }
    left -= bytes;
  }
  return bulks;
}

/** A document that OpenSearch rejects is a defect of ours; every other error may pass. */
function writeError({ status, error }: BulkItem, alias: string): AppError {
  return new AppError(status === 400 ? 'INTERNAL' : 'UNAVAILABLE', `${alias}: ${error?.type}: ${error?.reason}`, {
    reason: error?.type ?? `http_${status}`,
  });
}

function openReader(search: OpenSearch) {
  return {
    /** The current document, searchable or not, with the texts that `_source` omits. */
    read: async (index: string, id: string): Promise<Stored | undefined> => {
      const path = `/${index}/_doc/${encodeURIComponent(id)}`;
      const query = { stored_fields: [...textFields, '_source'].join(',') };
      const got = await orUndefinedIfNotFound(search.request<Got>({ method: 'GET', path, query }));
      return got && { version: got._version ?? 0, source: { ...got._source, ...got.fields } };
    },
    /** How many live videos `index` has. */
    countLive: async (index: string): Promise<number> => {
      await search.request({ method: 'POST', path: `/${index}/_refresh` });
      const body = { query: { term: { live: true } } };
      return (await search.request<{ count: number }>({ method: 'POST', path: `/${index}/_count`, body })).count;
    },
    /** Versions of those of `ids` that `index` has, searchable or not. */
    versions: async (index: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      const request = { method: 'POST', path: `/${index}/_mget`, query: { _source: false }, body: { ids } } as const;
      const { docs } = await search.request<{ docs: Got[] }>(request);
      const found = docs.filter(({ found: is }) => is === true);
      return new Map(found.map(({ _id, _version = 0 }) => [_id, _version]));
    },
  };
}
