/** What replicas tell each other about a reindex: one document that is replaced only by who has read its last state. */
import { AppError } from '@vds/chassis/errors';
import { because, type OpenSearch } from './open-search.ts';

export type ReindexState = {
  readonly state: 'running' | 'done' | 'failed';
  readonly from_index: string;
  readonly to_index: string;
  readonly written: number;
  readonly seen: number;
  /** Place in catalog's list that was reached. */
  readonly seq: number;
  readonly started_at: string;
  readonly finished_at?: string;
  readonly error?: string;
  readonly actor: string;
  readonly reason: string;
  /** Until then the replica that runs it is taken to be alive; milliseconds since the epoch. */
  readonly lease_until: number;
};
/** Proof of having read the last state; undefined before there is one. */
export type Ticket = { readonly seqNo: number; readonly primaryTerm: number } | undefined;
export type Posted = { readonly state: ReindexState; readonly ticket: Ticket };

type Got = { readonly _seq_no: number; readonly _primary_term: number; readonly _source: ReindexState };

export function openReindexState(search: OpenSearch, prefix: string) {
  const index = `${prefix}indexer`;
  const path = `/${index}/_doc/reindex`;
  const ensure = async (): Promise<void> => {
    const settings = { number_of_shards: 1, auto_expand_replicas: '0-1' };
    try {
      await search.ask({ method: 'PUT', path: `/${index}`, body: { settings, mappings: { dynamic: false } } });
    } catch (error) {
      if (!because(error, 'resource_already_exists_exception')) throw error; // else it is there already
    }
  };
  return {
    read: async (): Promise<Posted | undefined> => {
      try {
        const got = await search.ask<Got>({ method: 'GET', path });
        return { state: got._source, ticket: { seqNo: got._seq_no, primaryTerm: got._primary_term } };
      } catch (error) {
        const none = error instanceof AppError && error.code === 'NOT_FOUND';
        if (none || because(error, 'index_not_found_exception')) return undefined;
        throw error;
      }
    },
    /** @throws AppError ABORTED when another replica has posted since `ticket` was read */
    post: async (state: ReindexState, ticket: Ticket): Promise<Posted> => {
      if (ticket === undefined) await ensure();
      const query = ticket
        ? { if_seq_no: ticket.seqNo, if_primary_term: ticket.primaryTerm, refresh: true }
        : { op_type: 'create', refresh: true };
      const got = await search.ask<Got>({ method: 'PUT', path, query, body: state });
      return { state, ticket: { seqNo: got._seq_no, primaryTerm: got._primary_term } };
    },
  };
}
export type ReindexStateStore = ReturnType<typeof openReindexState>;
