/** The partner's part: the REST interface as a partner's backend calls it. */
import type { components } from '@vds/proto/generated/openapi.ts';

export type StatusRecord = components['schemas']['Video'];
/** One caption track of the record. */
export type CaptionRow = NonNullable<StatusRecord['captions']>[number];
export type Accepted = components['schemas']['IngestAccepted'];
type Submission = Pick<components['schemas']['IngestRequest'], 'source_url' | 'title'> &
  Partial<components['schemas']['IngestRequest']>;

export type Partner = {
  /** POST /v1/videos; throws the service's own message unless it responds with 202. */
  readonly submit: (video: Submission) => Promise<Accepted>;
  /** GET /v1/videos/{id}; throws unless it responds with 200. */
  readonly read: (id: string) => Promise<StatusRecord>;
};

/** A partner with its key at the gateway `baseUrl`. */
export function partnerAt(baseUrl: string, key: string): Partner {
  const call = async (method: string, path: string, wanted: number, body?: object): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.status !== wanted) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    submit: async (video) => (await call('POST', '/v1/videos', 202, video)) as Accepted,
    read: async (id) => (await call('GET', `/v1/videos/${id}`, 200)) as StatusRecord,
  };
}
