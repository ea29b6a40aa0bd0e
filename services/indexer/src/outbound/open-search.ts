/** OpenSearch over its HTTP interface, with the chassis's errors. */
import { readFileSync } from 'node:fs';
import { Client, type ClientOptions } from '@opensearch-project/opensearch';
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws';
import { awsCredentials, awsRegionOf, misconfigured } from '@vds/chassis/cloud/aws-credentials';
import type { CloudSettings } from '@vds/chassis/cloud/settings';
import { AppError, messageOf } from '@vds/chassis/errors';

export type OpenSearchConfig = CloudSettings & {
  readonly openSearchUrl: string;
  /** `password` by default. */
  readonly openSearchAuth?: 'password' | 'aws';
  readonly openSearchUser: string | undefined;
  readonly openSearchPassword: string | undefined;
  readonly openSearchCaFile: string | undefined;
  readonly openSearchTimeoutMs: number;
};

type Request = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Lines of a `_bulk` request instead of a body; texts are JSON. */
  readonly lines?: readonly (object | string)[];
};

type Failure = { readonly statusCode?: number; readonly body?: { readonly error?: { readonly type?: string } } };
export type OpenSearch = Pick<ReturnType<typeof openSearch>, 'request'>;

/**
 * Connects lazily; a request that could not be sent is tried once more.
 * @param forceClose ends every request
 */
export function openSearch(config: OpenSearchConfig, forceClose?: AbortSignal) {
  if (config.openSearchCaFile !== undefined && !/^https:/i.test(config.openSearchUrl))
    throw new Error('OPENSEARCH_CA_FILE is set, but OPENSEARCH_URL does not say https://: nothing would be verified');
  const client = new Client({
    node: config.openSearchUrl,
    maxRetries: 1,
    requestTimeout: config.openSearchTimeoutMs,
    ...loginOf(config),
    ...(config.openSearchCaFile !== undefined && { ssl: { ca: readFileSync(config.openSearchCaFile) } }),
  });
  return {
    /** @throws AppError UNAVAILABLE (`unreachable`, `index_not_found_exception`, …), NOT_FOUND, ABORTED or INTERNAL */
    request: async <T>({ method, path, query, body, lines }: Request): Promise<T> => {
      const request = client.transport.request({
        method,
        path,
        ...(query && { querystring: { ...query } }),
        ...(body !== undefined && lines === undefined && { body: body as Record<string, unknown> }),
        ...(lines && { bulkBody: lines as Record<string, unknown>[] }),
      });
      const cut = (): void => {
        request.abort(); // not returned: an event target throws what a returned promise rejects with
      };
      forceClose?.addEventListener('abort', cut, { once: true });
      if (forceClose?.aborted) cut();
      try {
        return (await request).body as T;
      } catch (error) {
        throw translate(error, path);
      } finally {
        forceClose?.removeEventListener('abort', cut);
      }
    },
    close: (): Promise<void> => client.close(),
  };
}

/** A user, or each request signed with the role of the pod. */
function loginOf(config: OpenSearchConfig): ClientOptions {
  const { openSearchAuth = 'password', openSearchUser: username, openSearchPassword: password } = config;
  if (openSearchAuth === 'password')
    return username !== undefined && password !== undefined ? { auth: { username, password } } : {};
  if (username !== undefined || password !== undefined)
    throw misconfigured('OPENSEARCH_AUTH is aws beside OPENSEARCH_USER or OPENSEARCH_PASSWORD: set one or the other');
  const keys = awsCredentials(config);
  return AwsSigv4Signer({
    region: awsRegionOf(config, 'OPENSEARCH_AUTH=aws'),
    service: 'es',
    getCredentials: async () => {
      const { accessKey: accessKeyId, secretKey: secretAccessKey, sessionToken } = await keys();
      // The signer keeps what has not expired: as these have, it asks for every request, and we know the current ones.
      return { accessKeyId, secretAccessKey, sessionToken, expiration: new Date(0) };
    },
  });
}

/** The hits of a search in `index`. */
export async function searchHits<Hit>(search: OpenSearch, index: string, body: object): Promise<readonly Hit[]> {
  const path = `/${index}/_search`;
  const reply = await search.request<{ hits: { hits: readonly Hit[] } }>({ method: 'POST', path, body });
  return reply.hits.hits;
}

/**
 * UNAVAILABLE for errors that may pass, INTERNAL for a request that OpenSearch rejects; `reason` is OpenSearch's error type,
 * `http_413` for a request that is too large.
 */
function translate(error: unknown, path: string): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, body } = error as Failure;
  const reason = body?.error?.type ?? (statusCode === undefined ? 'unreachable' : `http_${statusCode}`);
  const options = { cause: error, reason };
  const message = `OpenSearch, ${path}: ${messageOf(error)}`;
  if (reason === 'index_not_found_exception') return new AppError('UNAVAILABLE', message, options);
  if (statusCode === 404) return new AppError('NOT_FOUND', message, options);
  if (statusCode === 409) return new AppError('ABORTED', message, options);
  if (statusCode === 413) return new AppError('INTERNAL', message, { ...options, reason: 'http_413' });
  if (statusCode === 400) return new AppError('INTERNAL', message, options);
  return new AppError('UNAVAILABLE', message, options);
}

/** True for an error whose OpenSearch type is one of `reasons`. */
export function hasReason(error: unknown, ...reasons: readonly string[]): boolean {
  return error instanceof AppError && error.reason !== undefined && reasons.includes(error.reason);
}
