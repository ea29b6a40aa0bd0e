/**
 * Client of the Video Distribution Service. Needs nothing but `fetch`; for a partner's backend, as API keys never belong
 * in a browser or an app.
 */
import type { components } from '../../generated/openapi.ts';
import { isFinal, pollDelayMs } from './poll.ts';
import { openTransport, type ResponseInfo, type Surroundings } from './transport.ts';

export { ApiError, ConnectionError, type ErrorCode } from './errors.ts';
export type { ResponseInfo } from './transport.ts';

export type IngestRequest = components['schemas']['IngestRequest'];
export type IngestAccepted = components['schemas']['IngestAccepted'];
export type Video = components['schemas']['Video'];
export type Operation = components['schemas']['Operation'] | components['schemas']['QueuedOperation'];

export type ClientOptions = {
  /** Base address of the service, such as `https://api.example.com`. Plain http only on the loopback interface. */
  readonly baseUrl: string;
  /** `svc_live_…`; sent as a bearer credential and never written anywhere. */
  readonly apiKey: string;
  /** How long one request may take, in milliseconds; 30 s by default. Retries have their own. */
  readonly timeoutMs?: number;
  /** How long `submit` waits for a new day when the day's budget is spent, in seconds; 120 by default, then it is an error. */
  readonly maxDailyWaitSeconds?: number;
  /** Called with every answer, those that are retried too: for logs and metrics. */
  readonly onResponse?: (info: ResponseInfo) => void;
  /** In place of the global `fetch`, for a proxy or another agent. */
  readonly fetch?: typeof globalThis.fetch;
};

export type CallOptions = {
  /** Ends the call, also while it waits; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

export type FollowOptions = CallOptions & {
  /** Called with every record that was read, the last one included. */
  readonly onRecord?: (video: Video) => void;
};

export type Client = {
  /**
   * Submits a video. Not idempotent: a second call makes a second video. It is retried on 429 and 5xx, but not when the
   * connection broke, as the video may have been accepted.
   */
  readonly submit: (video: IngestRequest, options?: CallOptions) => Promise<IngestAccepted>;
  /** Reads status and details. */
  readonly get: (id: string, options?: CallOptions) => Promise<Video>;
  /** Polls by the interface's schedule (10, 20, 40, 80, then every 120 s) until the status is final, and returns the record. */
  readonly follow: (id: string, options?: FollowOptions) => Promise<Video>;
  /** Hides a video; while it is processing the archive is queued. */
  readonly archive: (id: string, options?: CallOptions) => Promise<Operation>;
  /** Brings an archived video back. */
  readonly republish: (id: string, options?: CallOptions) => Promise<Operation>;
  /** Deletes a video for ever. */
  readonly delete: (id: string, options?: CallOptions) => Promise<Operation>;
};

const sleep: Surroundings['sleep'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether viewers can have the video now (spec §2.3). */
export function isLive({ status, is_available, playback }: Video): boolean {
  return status === 'ready' && is_available && playback !== null && playback.playback_id !== '';
}

/**
 * Makes a client.
 * @param surroundings time and chance; for tests
 * @throws TypeError when `baseUrl` is no https address or `apiKey` has not the form of a key
 */
export function createClient(options: ClientOptions, surroundings: Partial<Surroundings> = {}): Client {
  const { apiKey, timeoutMs = 30_000, maxDailyWaitSeconds = 120, onResponse } = options;
  const around: Surroundings = { sleep, random: Math.random, ...surroundings };
  if (!/^svc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}$/.test(apiKey))
    throw new TypeError('apiKey must be svc_live_, 24 characters, _, 32 characters; the one given has another form');
  const send = openTransport(
    {
      baseUrl: checkedBase(options.baseUrl),
      apiKey,
      timeoutMs,
      maxDailyWaitSeconds,
      fetch: options.fetch ?? globalThis.fetch,
      onResponse,
    },
    around,
  );
  const pathOf = (id: string, verb = ''): string => `/v1/videos/${encodeURIComponent(id)}${verb}`;
  const get: Client['get'] = (id, { signal } = {}) =>
    send({ method: 'GET', path: pathOf(id), idempotent: true, signal });
  const operate =
    (method: 'POST' | 'DELETE', verb?: string) =>
    (id: string, { signal }: CallOptions = {}): Promise<Operation> =>
      send({ method, path: pathOf(id, verb), idempotent: true, signal });
  return {
    submit: (video, { signal } = {}) =>
      send({ method: 'POST', path: '/v1/videos', body: video, idempotent: false, signal }),
    get,
    follow: async (id, { signal, onRecord } = {}) => {
      for (let attempt = 1; ; attempt++) {
        await around.sleep(pollDelayMs(attempt), signal);
        const video = await get(id, signal ? { signal } : {});
        onRecord?.(video);
        if (isFinal(video.status)) return video;
      }
    },
    archive: operate('POST', '/archive'),
    republish: operate('POST', '/republish'),
    delete: operate('DELETE'),
  };
}

/** The base without a slash at its end. @throws TypeError for one over which a key must not be sent */
function checkedBase(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname)))
    throw new TypeError('baseUrl must be an https address: an API key is not sent in the clear');
  return baseUrl.replace(/\/+$/, '');
}
