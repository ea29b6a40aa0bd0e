/**
 * The index `<prefix>watched`: what viewers watch, as analytics tells it, beside the videos, whose documents have catalog's
 * version alone. Of a video it has one document with its interest and one with its companions, each with the time of its
 * computation as version, so that an earlier one never replaces a later one. It has no data of videos but ids: whatever is
 * shown is read from the videos' index, where it is live or not.
 */
import type { VideosWatchedOut } from '@vds/proto/generated/vds/analytics/v1/VideosWatched.ts';
import { AppError } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { interestAt, rankOf } from '../domain/interest.ts';
import { replicaSettings } from '../domain/mapping.ts';
import type { Companions } from '../domain/recommendation.ts';
import { hasReason, searchHits, type OpenSearch } from './open-search.ts';

type Deps = {
  readonly search: OpenSearch;
  readonly log: Pick<Logger, 'warn'>;
  /** The alias of the videos. */
  readonly videos: string;
  readonly config: {
    readonly indexPrefix: string;
    readonly indexReplicas: number;
    /** How long a document stays that no computation has replaced. */
    readonly watchedKeepMs: number;
  };
};
type BulkReply = {
  readonly items: readonly { readonly index: { readonly status: number; readonly error?: object } }[];
};
type Got<Source> = { readonly _id: string; readonly found?: boolean; readonly _source?: Source };
type CompanionsDoc = { readonly companions: readonly { readonly video_id: string; readonly lift: number }[] };
type InterestDoc = { readonly video_id: string; readonly rank: number; readonly half_life_ms: number };
export type Watched = ReturnType<typeof openWatched>;

const keyword = { type: 'keyword' } as const;
const kept = { type: 'double', index: false, doc_values: false } as const;
const mappings = {
  dynamic: false,
  properties: {
    video_id: keyword,
    computed_at: { type: 'date' },
    /** Rises with the interest, whenever it was computed. */
    rank: { type: 'double' },
    half_life_ms: kept,
    companions: { properties: { video_id: keyword, lift: kept } },
  },
};

export function openWatched(deps: Deps) {
  const index = `${deps.config.indexPrefix}watched`;
  return {
    ...openReading(deps, index),
    /** Stores the message, unless what is stored is of a later computation. */
    write: async (message: VideosWatchedOut): Promise<void> => {
      try {
        await write(deps, index, message);
      } catch (error) {
        if (!isForbidden(error)) throw error;
        deps.log.warn(
          { index },
          'nothing of what is watched is stored: grant the role of `provision print opensearch`',
        );
      }
    },
    /** Removes videos, and what other videos' documents say of them. @throws AppError UNAVAILABLE if anything is left */
    forget: (ids: readonly string[]): Promise<void> => orNone(undefined, forget(deps, index, ids)),
    /** Removes what no computation has confirmed for long. */
    collectGarbage: async (): Promise<void> => {
      const before = new Date(Date.now() - deps.config.watchedKeepMs).toISOString();
      await orNone(undefined, removeWhere(deps.search, index, { range: { computed_at: { lt: before } } }));
    },
    /** Gives the index its number of copies. */
    applyReplicas: async (): Promise<void> => {
      const body = { index: replicaSettings(deps.config.indexReplicas) };
      const query = { ignore_unavailable: true };
      await orNone(undefined, deps.search.request({ method: 'PUT', path: `/${index}/_settings`, query, body }));
    },
  };
}

async function write(deps: Deps, index: string, message: VideosWatchedOut): Promise<void> {
  const { computedAtMs: version, halfLifeMs, interests, together } = message;
  const computed_at = new Date(version).toISOString();
  const operation = (_id: string): object => ({ index: { _id, version, version_type: 'external_gte' } });
  const lines = [
    ...interests
      .filter(({ interest }) => interest > 0)
      .flatMap(({ videoId, interest }) => [
        operation(`${videoId}.interest`),
        {
          ...{ video_id: videoId, computed_at, half_life_ms: halfLifeMs },
          rank: rankOf(interest, version, halfLifeMs),
        },
      ]),
    ...together.flatMap(({ videoId, companions }) => [
      operation(`${videoId}.companions`),
      {
        ...{ video_id: videoId, computed_at },
        companions: companions.map((one) => ({ video_id: one.videoId, lift: one.lift })),
      },
    ]),
  ];
  if (lines.length === 0) return;
  await ensure(deps, index);
  const { items } = await deps.search.request<BulkReply>({ method: 'POST', path: `/${index}/_bulk`, lines });
  const refused = items.find(({ index: { status } }) => status >= 300 && status !== 409);
  if (refused) throw new AppError('UNAVAILABLE', `${index}: ${JSON.stringify(refused.index.error)}`);
  // Those that are not live are written too, and removed again: a purge that ran in between has left their tombstones.
  const named = [interests, together].flatMap((list) => list.map(({ videoId }) => videoId));
  const all = new Set([...named, ...together.flatMap(({ companions }) => companions.map(({ videoId }) => videoId))]);
  const gone = await tombstones(deps, [...all]);
  if (gone.length > 0) await forget(deps, index, gone);
}

async function ensure({ search, config }: Deps, index: string): Promise<void> {
  const body = { settings: { number_of_shards: 1, ...replicaSettings(config.indexReplicas) }, mappings };
  try {
    await search.request({ method: 'PUT', path: `/${index}`, body });
  } catch (error) {
    if (!hasReason(error, 'resource_already_exists_exception')) throw error;
  }
}

async function tombstones({ search, videos }: Deps, ids: readonly string[]): Promise<string[]> {
  const request = { method: 'POST', path: `/${videos}/_mget`, query: { _source: 'live' }, body: { ids } } as const;
  const { docs } = await search.request<{ docs: Got<{ live: boolean }>[] }>(request);
  return docs.filter(({ _source }) => _source?.live === false).map(({ _id }) => _id);
}

async function forget({ search }: Deps, index: string, ids: readonly string[]): Promise<void> {
  const query = { ignore_unavailable: true, conflicts: 'proceed', refresh: true };
  await search.request({ method: 'POST', path: `/${index}/_refresh`, query: { ignore_unavailable: true } });
  await removeWhere(search, index, { terms: { video_id: ids } });
  const mentioning = { terms: { 'companions.video_id': ids } };
  const source = 'ctx._source.companions.removeIf(one -> params.ids.contains(one.video_id))';
  const script = { source, params: { ids } };
  const path = `/${index}/_update_by_query`;
  await search.request({ method: 'POST', path, query, body: { query: mentioning, script } });
  const body = {
    size: 0,
    track_total_hits: true,
    query: { bool: { should: [mentioning, { terms: { video_id: ids } }] } },
  };
  const { hits } = await search.request<{ hits: { total: { value: number } } }>({
    ...{ method: 'POST', path: `/${index}/_search`, query: { ignore_unavailable: true }, body },
  });
  // Written in between: the purge must be retried.
  if (hits.total.value > 0) throw new AppError('UNAVAILABLE', `${index} still has a video that is gone`);
}

function removeWhere(search: OpenSearch, index: string, query: object): Promise<unknown> {
  const path = `/${index}/_delete_by_query`;
  const options = { ignore_unavailable: true, conflicts: 'proceed', refresh: true };
  return search.request({ method: 'POST', path, query: options, body: { query } });
}

/** Before the first message there is no index, and for a user of an earlier release none that it may use. */
async function orNone<T>(none: T, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (hasReason(error, 'index_not_found_exception') || isForbidden(error)) return none;
    throw error;
  }
}

function isForbidden(error: unknown): boolean {
  return hasReason(error, 'security_exception', 'http_403');
}

/** Reading. */
function openReading({ search }: Deps, index: string) {
  return {
    /** The companions of each of these videos that has any. */
    companions: async (ids: readonly string[]): Promise<Companions> => {
      if (ids.length === 0) return new Map();
      const body = { ids: ids.map((id) => `${id}.companions`) };
      const request = { method: 'POST', path: `/${index}/_mget`, body } as const;
      const { docs } = await orNone({ docs: [] }, search.request<{ docs: Got<CompanionsDoc>[] }>(request));
      return new Map(
        docs.flatMap(({ _id, _source }) =>
          _source === undefined
            ? []
            : [
                [
                  _id.slice(0, _id.indexOf('.')),
                  _source.companions.map(({ video_id: videoId, lift }) => ({ videoId, lift })),
                ] as const,
              ],
        ),
      );
    },
    /** Videos by falling interest, with what it is at `atMs`; whether they are live is not known here. */
    interests: async (atMs: number, from: number, size: number): Promise<ReadonlyMap<string, number>> => {
      const body = {
        ...{ from, size, query: { exists: { field: 'rank' } }, track_total_hits: false },
        ...{ sort: [{ rank: 'desc' }, { video_id: 'asc' }], _source: ['video_id', 'rank', 'half_life_ms'] },
      };
      const hits = await orNone([], searchHits<{ readonly _source: InterestDoc }>(search, index, body));
      return new Map(
        hits.map(({ _source: { video_id, rank, half_life_ms } }) => [video_id, interestAt(rank, atMs, half_life_ms)]),
      );
    },
  };
}
