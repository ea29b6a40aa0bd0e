/** The state of a reindex, shared by all replicas: one document, written with compare-and-set. */
import { AppError } from '@vds/chassis/errors';
import { replicaSettings } from '../../domain/mapping.ts';
import { stateIndex } from '../indexes.ts';
import type { Range } from '../sweep-index.ts';
import { hasReason, type OpenSearch } from '../open-search.ts';

export type ReindexState = {
  readonly state: 'running' | 'done' | 'failed';
  readonly from_index: string;
  readonly to_index: string;
  readonly written: number;
  readonly seen: number;
  /** Parts of catalog's list, each from where it was reached; none before the list was seen, or by an earlier version. */
  readonly ranges?: readonly Range[];
  readonly started_at: string;
  readonly finished_at?: string;
  readonly error?: string;
  readonly actor: string;
  readonly reason: string;
  /** Serve the new index however few videos it has. */
  readonly force?: boolean;
};
/** OpenSearch's sequence number of the state that was read; undefined before there is one. */
export type SeqNo = { readonly seqNo: number; readonly primaryTerm: number } | undefined;
export type Saved = { readonly state: ReindexState; readonly seqNo: SeqNo };

type Got = { readonly _seq_no: number; readonly _primary_term: number; readonly _source: ReindexState };

export function openReindexState(search: OpenSearch, prefix: string, replicas: number) {
  const index = stateIndex(prefix);
  const path = `/${index}/_doc/reindex`;
  const ensure = async (): Promise<void> => {
    const settings = { number_of_shards: 1, ...replicaSettings(replicas) };
    try {
      await search.request({ method: 'PUT', path: `/${index}`, body: { settings, mappings: { dynamic: false } } });
    } catch (error) {
      if (!hasReason(error, 'resource_already_exists_exception')) throw error; // else it exists already
    }
  };
  return {
    read: async (): Promise<Saved | undefined> => {
      try {
        const got = await search.request<Got>({ method: 'GET', path });
        return { state: got._source, seqNo: { seqNo: got._seq_no, primaryTerm: got._primary_term } };
      } catch (error) {
        const none = error instanceof AppError && error.code === 'NOT_FOUND';
        if (none || hasReason(error, 'index_not_found_exception')) return undefined;
        throw error;
      }
    },
    /** @throws AppError ABORTED when another replica has saved since `seqNo` was read */
    save: async (state: ReindexState, seqNo: SeqNo): Promise<Saved> => {
      if (seqNo === undefined) await ensure();
      const query = seqNo
        ? { if_seq_no: seqNo.seqNo, if_primary_term: seqNo.primaryTerm, refresh: true }
        : { op_type: 'create', refresh: true };
      const got = await search.request<Got>({ method: 'PUT', path, query, body: state });
      return { state, seqNo: { seqNo: got._seq_no, primaryTerm: got._primary_term } };
    },
  };
}
export type ReindexStateStore = ReturnType<typeof openReindexState>;
