/** Opens the embeddings engine that the operator has set, or the embedded one. */
import {
  httpUrl,
  integer,
  optional,
  secret,
  text,
  withDefault,
  type ConfigOf,
  type ConfigSpec,
} from '../config/config.ts';
import { AppError, messageOf } from '../errors.ts';
import type { Scope } from '../process/run.ts';
import { chooseSandbox, sandboxConfig } from '../sandbox/choose-sandbox.ts';
import type { SandboxOptions } from '../sandbox/programs.ts';
import type { Embedder } from './embedder.ts';
import { openE5Embedder } from './e5-embedder.ts';
import { openHttpEmbedder } from './http-embedder.ts';

export const embeddingsConfig = {
  ...sandboxConfig,
  /** Base address of a server with OpenAI's `/v1/embeddings`; empty: the embedded engine, where it is installed. */
  embeddingsUrl: ['EMBEDDINGS_URL', optional(httpUrl)],
  /** The server's name of the model. */
  embeddingsModel: ['EMBEDDINGS_MODEL', optional(text)],
  /** The server's key. */
  embeddingsKey: ['EMBEDDINGS_KEY', optional(secret)],
  /** Length of the vectors of the server's model. */
  embeddingsDimensions: ['EMBEDDINGS_DIMENSIONS', withDefault(integer(1, 4_096), 384)],
  /** Folder of the embedded engine: its program and its model. */
  embeddingsFolder: ['EMBEDDINGS_FOLDER', withDefault(text, '/opt/embeddings')],
} as const satisfies ConfigSpec;

type EmbedderScope = Pick<Scope<Record<never, never>>, 'log' | 'metrics' | 'health'> & {
  readonly config: ConfigOf<typeof embeddingsConfig>;
};

const TIMEOUT_MS = 30_000;
const CONCURRENCY = 4;
/** A new process takes a query 0.2 s longer. */
const QUERY_IDLE_MS = 600_000;

/**
 * The engine that the operator has set, else the installed one; undefined where there is none, as the log, `/readyz` and
 * a metric say.
 * @param sandbox of a service that runs other programs as well
 * @throws AppError FAILED_PRECONDITION for an address without a model's name
 */
export async function openEmbedder(scope: EmbedderScope, sandbox?: SandboxOptions): Promise<Embedder | undefined> {
  const { log, metrics, health } = scope;
  const embedder = await openConfigured(scope, sandbox);
  metrics
    .gauge('vds_embeddings_engine', '1 where texts have vectors, 0 where there is no engine for them', [])
    .set(embedder === undefined ? 0 : 1);
  health.addDetail('embeddings', () => embedder?.model ?? 'no engine');
  if (embedder) log.info({ model: embedder.model, dimensions: embedder.dimensions }, 'embeddings engine');
  return embedder;
}

async function openConfigured(scope: EmbedderScope, sandbox?: SandboxOptions): Promise<Embedder | undefined> {
  const { config, log, metrics } = scope;
  const { embeddingsUrl: url, embeddingsModel: model, embeddingsKey: key, embeddingsFolder: folder } = config;
  if (url !== undefined) {
    if (model === undefined)
      throw new AppError('FAILED_PRECONDITION', 'EMBEDDINGS_MODEL is not set, which EMBEDDINGS_URL needs');
    const limits = { timeoutMs: TIMEOUT_MS, concurrency: CONCURRENCY };
    return openHttpEmbedder({ url, model, key, dimensions: config.embeddingsDimensions, ...limits });
  }
  try {
    if (sandbox) return await openE5Embedder({ ...sandbox, folder, niceness: 10 });
    // A service that runs no other program embeds queries, each for a caller who waits.
    const own = { sandbox: await chooseSandbox({ ...config, log, metrics }), memoryBytes: Infinity, log };
    return await openE5Embedder({ ...own, folder, niceness: 0, idleMs: QUERY_IDLE_MS });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error;
    log.warn({ reason: messageOf(error) }, 'no embeddings engine: nothing is found by its meaning');
    return undefined;
  }
}
