/** A partner's backend: the five calls of the interface, and polling. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '@vds/proto/generated/openapi.ts';
import { expectContract } from '@vds/proto/testing/contract-check';
import { until } from '@vds/testkit/until';

export type VideoRecord = components['schemas']['Video'];
export type Answer<T> = { readonly status: number; readonly headers: Headers; readonly body: T };
type Operation = { readonly id: string; readonly status: string; readonly message?: string };

/** The spoken language and 18 translations. */
const TRACKS = 19;
const finalStatuses = new Set(['ready', 'archived', 'failed', 'deleted']);

export type Partner = ReturnType<typeof partnerOf>;

/** @param base address of the gateway @param key the partner's API key */
export function partnerOf(base: string, key: string) {
  const call = callerOf(base, key);
  /** By spec §7: failures of the service are retried. */
  const withRetries = async <T>(work: () => Promise<Answer<T>>): Promise<Answer<T>> => {
    for (const waitMs of [250, 500, 1_000, 2_000, 4_000]) {
      const answer = await work();
      if (answer.status < 500) return answer;
      await sleep(waitMs);
    }
    return work();
  };
  const get = async (id: string): Promise<VideoRecord> => {
    const { status, body } = await withRetries(() => call<VideoRecord>('GET', `/v1/videos/${id}`));
    if (status !== 200) throw new Error(`GET answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    base,
    key,
    call,
    get,
    /** Submits a video and returns its id. */
    submit: async (sourceUrl: string, more: Record<string, unknown> = {}): Promise<string> => {
      const video = { source_url: sourceUrl, title: 'A test', ...more };
      const { status, body } = await withRetries(() => call<{ id: string }>('POST', '/v1/videos', video));
      if (status !== 202) throw new Error(`POST answered ${status}: ${JSON.stringify(body)}`);
      return body.id;
    },
    archive: (id: string) => withRetries(() => call<Operation>('POST', `/v1/videos/${id}/archive`)),
    republish: (id: string) => withRetries(() => call<Operation>('POST', `/v1/videos/${id}/republish`)),
    remove: (id: string) => withRetries(() => call<Operation>('DELETE', `/v1/videos/${id}`)),
    /** Polls until this many caption tracks are ready. */
    tracksReady: async (id: string, count: number): Promise<void> => {
      const ready = async (): Promise<boolean> =>
        (await get(id)).captions?.filter(({ status }) => status === 'ready').length === count;
      await until(ready, { capMs: 120_000, everyMs: 250, what: `${count} ready tracks of ${id}` });
    },
    /** Polls until every caption track is final; returns the record. */
    tracksSettled: async (id: string): Promise<VideoRecord> => {
      const settled = async (): Promise<VideoRecord | false> => {
        const record = await get(id);
        const { captions = [] } = record;
        return captions.length === TRACKS && captions.every(({ status }) => status !== 'processing') && record;
      };
      return until(settled, { capMs: 300_000, everyMs: 250, what: `the end of every track of ${id}` });
    },
    /** Polls until the status is one at which a partner stops. */
    settled: async (id: string, capMs = 300_000): Promise<VideoRecord> => {
      let record = await get(id);
      const end = async (): Promise<boolean> => finalStatuses.has((record = await get(id)).status);
      await until(end, { capMs, everyMs: 250, what: `the end of ${id}` });
      return record;
    },
  };
}

/** Sends requests with a key; throws for a response that the contract does not list. */
function callerOf(base: string, key: string) {
  return async <T>(method: string, path: string, body?: unknown): Promise<Answer<T>> => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const { status, headers } = response;
    const answer = { status, headers, body: (await response.json()) as T };
    expectContract(method, path, answer);
    return answer;
  };
}
