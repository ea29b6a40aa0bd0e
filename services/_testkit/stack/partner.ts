/** The partner's part: the REST interface as a partner's backend calls it. */
import type { components } from '@vds/proto/generated/openapi.ts';

export type StatusRecord = components['schemas']['Video'];
/** One caption track of the record. */
export type CaptionRow = NonNullable<StatusRecord['captions']>[number];
export type Accepted = components['schemas']['IngestAccepted'];
export type Submission = Pick<components['schemas']['IngestRequest'], 'source_url' | 'title'> &
  Partial<components['schemas']['IngestRequest']>;

export type Partner = {
  /** POST /v1/videos; throws the service's own message unless it responds with 202. */
  readonly submit: (video: Submission) => Promise<Accepted>;
  /** GET /v1/videos/{id}; throws unless it responds with 200. */
  readonly read: (id: string) => Promise<StatusRecord>;
};

/** A response of the gateway that was not the wanted one. */
export class PartnerError extends Error {
  readonly status: number;
  /** The gateway's sentence. */
  readonly told: string;
  readonly requestId: string | undefined;

  constructor(request: string, status: number, body: string) {
    super(`${request} answered ${status}: ${body}`);
    this.status = status;
    const { message, request_id } = errorOf(body);
    this.told = message ?? `The gateway answered ${status}.`;
    this.requestId = request_id;
  }
}

function errorOf(body: string): { message?: string; request_id?: string } {
  try {
    return (JSON.parse(body) as { error?: object }).error ?? {};
  } catch {
    return {};
  }
}

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
    if (response.status !== wanted) throw new PartnerError(`${method} ${path}`, response.status, text);
    return JSON.parse(text);
  };
  return {
    submit: async (video) => (await call('POST', '/v1/videos', 202, video)) as Accepted,
    read: async (id) => (await call('GET', `/v1/videos/${id}`, 200)) as StatusRecord,
  };
}
