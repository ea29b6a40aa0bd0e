/**
 * Client of the Video Distribution Service, for a partner's backend: API keys never belong in a browser or an app.
 * Needs only `fetch`.
 */
import type { components } from '../../../proto/generated/openapi.ts';
import { isFinal, pollDelayMs } from './poll.ts';
import { openTransport, type ResponseInfo, type Runtime } from './transport.ts';

export { ApiError, ConnectionError, type ErrorCode } from './errors.ts';
export type { ResponseInfo } from './transport.ts';

export type IngestRequest = components['schemas']['IngestRequest'];
export type IngestAccepted = components['schemas']['IngestAccepted'];
export type Video = components['schemas']['Video'];
export type Operation = components['schemas'][
  | 'Archived'
  | 'ArchiveQueued'
  | 'Republished'
  | 'RepublishQueued'
  | 'Deleted'
  | 'DeleteQueued'];

export type ClientOptions = {
  /** Base address of the service, such as `https://api.example.com`. Plain http only on the loopback interface. */
  readonly baseUrl: string;
  /** `svc_live_…`; sent as a bearer credential and never logged. */
  readonly apiKey: string;
  /** Timeout of one request in milliseconds, 30 s by default; each retry has its own. */
  readonly timeoutMs?: number;
  /** How long `submit` waits for the next day when the day's budget is spent, in seconds, 120 by default; beyond it is an error. */
  readonly maxDailyWaitSeconds?: number;
  /** Called with every response, including those that are retried: for logs and metrics. */
  readonly onResponse?: (info: ResponseInfo) => void;
  /** Replaces the global `fetch`, for a proxy or another agent. */
  readonly fetch?: typeof globalThis.fetch;
};

export type CallOptions = {
  /** Aborts the call, even while it waits; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

export type SubmitOptions = CallOptions & {
  /**
   * Your own name of this submission, at most 255 printable ASCII characters: within a day the same name with the same
   * video is one video, also over several calls. By default each call has a random one.
   */
  readonly idempotencyKey?: string;
};

export type FollowOptions = CallOptions & {
  /** Called with every record, including the last. */
  readonly onRecord?: (video: Video) => void;
};

export type Client = {
  /**
   * Submits a video, once however often the request is retried. Without an `idempotencyKey` a second call creates a
   * second video.
   */
  readonly submit: (video: IngestRequest, options?: SubmitOptions) => Promise<IngestAccepted>;
  /** Reads status and details. */
  readonly get: (id: string, options?: CallOptions) => Promise<Video>;
  /** Polls after 10, 20, 40, 80 and then every 120 s until the status is final, and returns the record. */
  readonly follow: (id: string, options?: FollowOptions) => Promise<Video>;
  /** Hides a video; while it is processing the archive is queued. */
  readonly archive: (id: string, options?: CallOptions) => Promise<Operation>;
  /** Republishes an archived video. */
  readonly republish: (id: string, options?: CallOptions) => Promise<Operation>;
  /** Deletes a video permanently. */
  readonly delete: (id: string, options?: CallOptions) => Promise<Operation>;
};

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether viewers can watch the video now (spec §2.3). */
export function isLive({ status, is_available, playback }: Video): boolean {
  return status === 'ready' && is_available && playback !== null && playback.playback_id !== '';
}

/**
 * Creates a client.
 * @param runtime time and randomness, for tests
 * @throws TypeError when `baseUrl` is not an https address or `apiKey` does not have the form of a key
 */
export function createClient(options: ClientOptions, runtime: Partial<Runtime> = {}): Client {
  const { apiKey, timeoutMs = 30_000, maxDailyWaitSeconds = 120, onResponse } = options;
  const complete: Runtime = { sleep, random: Math.random, ...runtime };
  if (!/^svc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}$/.test(apiKey))
    throw new TypeError('apiKey must be svc_live_, 24 characters, _, 32 characters; the one given has another form');
  const send = openTransport(
    {
      baseUrl: checkBaseUrl(options.baseUrl),
      apiKey,
      timeoutMs,
      maxDailyWaitSeconds,
      fetch: options.fetch ?? globalThis.fetch,
      onResponse,
    },
    complete,
  );
  const videoPath = (id: string, action = ''): string => `/v1/videos/${encodeURIComponent(id)}${action}`;
  const get: Client['get'] = (id, { signal } = {}) => send({ method: 'GET', path: videoPath(id), signal });
  const operate =
    (method: 'POST' | 'DELETE', action?: string) =>
    (id: string, { signal }: CallOptions = {}): Promise<Operation> =>
      send({ method, path: videoPath(id, action), signal });
  return {
    submit: (video, { signal, idempotencyKey = crypto.randomUUID() } = {}) =>
      send({ method: 'POST', path: '/v1/videos', body: video, idempotencyKey, signal }),
    get,
    follow: async (id, { signal, onRecord } = {}) => {
      for (let attempt = 1; ; attempt++) {
        await complete.sleep(pollDelayMs(attempt), signal);
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

/** The base address without a trailing slash. @throws TypeError for one that a key must not be sent to */
function checkBaseUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname)))
    throw new TypeError('baseUrl must be an https address: an API key is not sent in the clear');
  return baseUrl.replace(/\/+$/, '');
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
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
}
