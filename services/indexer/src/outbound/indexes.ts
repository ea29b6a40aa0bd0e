/**
 * The indexes behind the alias `<prefix>videos`: `<prefix>videos-<n>`, one of them served. While a reindex runs the
 * alias `<prefix>videos-filling` names the one being filled. Documents are written through these aliases only and never
 * create an index.
 */
import { AppError } from '@vds/chassis/errors';
import {
  indexBody,
  MAPPING_VERSION,
  replicaSettings,
  vectorField,
  type IndexSize,
  type VectorModel,
} from '../domain/mapping.ts';
import { hasReason, type OpenSearch } from './open-search.ts';

type Aliases = Readonly<Record<string, { readonly aliases: Readonly<Record<string, object>> }>>;
type Meta = { readonly mapping_version?: number; readonly vectors?: string; readonly without_vectors?: string };
type Mappings = Readonly<Record<string, { readonly mappings: { readonly _meta?: Meta } }>>;

type Listed = { readonly index: string; readonly aliases: readonly string[] };
export type Indexes = ReturnType<typeof openIndexes>;

/** @param vectors undefined where no embeddings are configured */
export function openIndexes(search: OpenSearch, prefix: string, size: IndexSize, vectors?: VectorModel) {
  const [serving, filling] = [`${prefix}videos`, `${prefix}videos-filling`];
  const listing = openListing(search, serving, vectors);
  const { all, behind } = listing;
  const create = openCreator(search, size, vectors);

  /** Creates the next index, with an alias from its first moment on. */
  const make = async (alias: string): Promise<string> => {
    const last = (await all()).at(-1);
    const index = `${serving}-${last === undefined ? 1 : numberOf(last.index) + 1}`;
    await create(index, alias);
    return index;
  };

  const change = (actions: readonly object[]): Promise<unknown> =>
    search.request({ method: 'POST', path: '/_aliases', body: { actions } });

  return {
    ...listing,
    serving,
    filling,
    make,
    /** Creates what is missing: the newest index's alias (a replaced one is stale), else an index. True if it did. */
    ensure: async (): Promise<boolean> => {
      const indexes = await all();
      if (indexes.some(({ aliases }) => aliases.includes(serving))) return false;
      const lost = indexes.findLast(({ aliases }) => !aliases.includes(filling));
      if (lost) await change([{ add: { index: lost.index, alias: serving } }]);
      else await make(serving);
      return true;
    },
    /** Gives the indexes that exist their number of copies. */
    applyReplicas: async (): Promise<void> => {
      const names = [...(await all()).map(({ index }) => index), stateIndex(prefix)];
      await search.request({
        method: 'PUT',
        path: `/${names.join(',')}/_settings`,
        query: { ignore_unavailable: true },
        body: { index: replicaSettings(size.indexReplicas) },
      });
    },
    /** Serves `to` instead of the served index, in one step. */
    serve: async (to: string): Promise<void> => {
      const from = await behind(serving);
      await search.request({ method: 'POST', path: `/${to}/_refresh` });
      await change([
        ...(from !== undefined && from !== to ? [{ remove: { index: from, alias: serving } }] : []),
        { add: { index: to, alias: serving } },
        { remove: { index: to, alias: filling } },
      ]);
    },
    drop: async (index: string): Promise<void> => {
      await search.request({ method: 'DELETE', path: `/${index}`, query: { ignore_unavailable: true } });
    },
  };
}

/** Creates an index with an alias, or finds that another replica did; without vectors where OpenSearch rejects them. */
function openCreator(search: OpenSearch, size: IndexSize, vectors: VectorModel | undefined) {
  const put = async (index: string, alias: string, body: object): Promise<void> => {
    try {
      await search.request({ method: 'PUT', path: `/${index}`, body: { ...body, aliases: { [alias]: {} } } });
    } catch (error) {
      if (!hasReason(error, 'resource_already_exists_exception')) throw error;
    }
  };
  return async (index: string, alias: string): Promise<void> => {
    try {
      await put(index, alias, indexBody(size, vectors));
    } catch (error) {
      if (vectors === undefined || !hasReason(error, ...noVectors)) throw error;
      await put(index, alias, withoutVectors(size, vectors));
    }
  };
}

/** OpenSearch's errors for the setting and the type of field of a plugin that it does not have. */
const noVectors = ['illegal_argument_exception', 'settings_exception', 'mapper_parsing_exception'];

/** For an OpenSearch without the k-NN plugin: it is noted for which vectors, so that no reindex is due for them. */
function withoutVectors(size: IndexSize, vectors: VectorModel): object {
  const { mappings, ...body } = indexBody(size);
  return { ...body, mappings: { ...mappings, _meta: { ...mappings._meta, without_vectors: vectorField(vectors) } } };
}

/** Name of the index that holds the state of reindexes. */
export function stateIndex(prefix: string): string {
  return `${prefix}indexer`;
}

/** The existing indexes and aliases. */
function openListing(search: OpenSearch, serving: string, vectors: VectorModel | undefined) {
  const all = async (): Promise<readonly Listed[]> => {
    const found = await search.request<Aliases>({ method: 'GET', path: `/${serving}-*/_alias` });
    return Object.entries(found)
      .filter(([index]) => index.startsWith(`${serving}-`) && /^\d+$/.test(index.slice(serving.length + 1)))
      .map(([index, { aliases }]) => ({ index, aliases: Object.keys(aliases) }))
      .toSorted((a, b) => numberOf(a.index) - numberOf(b.index));
  };
  return {
    /** Every index of ours, oldest first, with its aliases. */
    all,
    /** The index that an alias names. */
    behind: async (alias: string): Promise<string | undefined> =>
      (await all()).find(({ aliases }) => aliases.includes(alias))?.index,
    /** @throws AppError UNAVAILABLE while there is no index */
    mapping: async (): Promise<{ readonly index: string; readonly version: number; readonly behind: boolean }> => {
      const found = await search.request<Mappings>({ method: 'GET', path: `/${serving}/_mapping` });
      const [entry] = Object.entries(found);
      if (!entry) throw new AppError('UNAVAILABLE', 'there is no index');
      const { mapping_version: version = 0, vectors: has, without_vectors: lacks } = entry[1].mappings._meta ?? {};
      const isOther = vectors !== undefined && ![has, lacks].includes(vectorField(vectors));
      return { index: entry[0], version, behind: version < MAPPING_VERSION || isOther };
    },
  };
}

function numberOf(index: string): number {
  return Number(index.slice(index.lastIndexOf('-') + 1));
}
