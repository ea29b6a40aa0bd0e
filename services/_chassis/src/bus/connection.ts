/**
 * The connection to NATS and its state. With `tls://` no server gets a credential before it has proved its identity,
 * whatever it announces: neither at first nor on a reconnect.
 */
import { readFileSync } from 'node:fs';
import { checkServerIdentity, getCACertificates, type ConnectionOptions as TlsOptions } from 'node:tls';
import {
  AuthorizationError,
  connect,
  credsAuthenticator,
  nkeyAuthenticator,
  type Authenticator,
  type ConnectionOptions,
  type NatsConnection,
} from '@nats-io/transport-node';
import {
  commaSeparated,
  optional,
  secret,
  text,
  type ConfigOf,
  type ConfigSpec,
  type Reader,
} from '../config/config.ts';
import { AppError, messageOf } from '../errors.ts';
import { pause } from '../async.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Servers between commas, all with TLS or all without: otherwise the one that answers would decide. */
const servers: Reader<string> = (value, name) => {
  const present = text(value, name);
  const schemes = new Set(commaSeparated(present, name).map((url) => /^(nats|tls):\/\/./.exec(url)?.[1]));
  if (schemes.size !== 1 || schemes.has(undefined))
    throw new Error(`${name} must be one or several URLs between commas, all of them nats:// or all of them tls://`);
  return present;
};

export const connectionConfig = {
  /** One or several URLs between commas, all `nats://` or all `tls://`. */
  natsUrl: ['NATS_URL', servers],
  /**
   * With `tls://`: authorities beside those that Node.js trusts (`NODE_EXTRA_CA_CERTS` included); read at every
   * handshake.
   */
  natsCaFile: ['NATS_CA_FILE', optional(text)],
  /** A user of the server's configuration. */
  natsUser: ['NATS_USER', optional(text)],
  /** The user's password. */
  natsPassword: ['NATS_PASSWORD', optional(secret)],
  /**
   * Instead of these, a `.creds` file (a JWT and the seed of its key), or the seed of an NKey alone; read for every
   * connection.
   */
  natsCredsFile: ['NATS_CREDS_FILE', optional(text)],
  /** Instead of these, with `tls://`: a certificate whose name the server maps to a user; read at every handshake. */
  natsCertFile: ['NATS_CERT_FILE', optional(text)],
  /** Its private key. */
  natsKeyFile: ['NATS_KEY_FILE', optional(text)],
} as const satisfies ConfigSpec;

type NewSettings = 'natsCaFile' | 'natsCredsFile' | 'natsCertFile' | 'natsKeyFile';
export type ConnectionSettings = Omit<ConfigOf<typeof connectionConfig>, NewSettings> &
  Partial<Pick<ConfigOf<typeof connectionConfig>, NewSettings>> & {
    readonly service: string;
    readonly inboxPrefix: string;
    /** Interval of pings; a connection that leaves two of them unanswered is replaced. */
    readonly pingMs?: number;
  };

export type ConnectionState = ReturnType<typeof connectionState>;
export type Connection = ReturnType<typeof trackConnection>;

const RETRY_MS = 500;
const EXPLAIN_MS = 5_000;

/** Connects; retries until a server is available. Every other error is thrown. */
export async function waitForNats(settings: ConnectionSettings, log: Logger, signal?: AbortSignal) {
  const report = reporter(log, 'cannot connect to NATS, retrying');
  for (;;) {
    try {
      return await openNats(settings);
    } catch (error) {
      if (isMisconfigured(error) || signal?.aborted) throw error;
      report(error);
      await pause(RETRY_MS, signal ?? new AbortController().signal);
    }
  }
}

/**
 * Whether NATS rejects us, or we reject it: not an outage, so waiting does not help. An authentication timeout is one:
 * when many clients connect at once, some are too late for the server.
 */
export function isMisconfigured(error: unknown): boolean {
  if (error instanceof AuthorizationError) return !/timeout/i.test(error.message);
  return error instanceof AppError;
}

/** Logs a reason once, until it changes. */
export function reporter(log: Logger, what: string): (error: unknown) => void {
  let last = '';
  return (error) => {
    const reason = messageOf(error);
    if (reason !== last) log.warn({ reason }, what);
    last = reason;
  };
}

/** Tries every server once; later reconnects forever. @throws the error of the last server */
export async function openNats(settings: ConnectionSettings): Promise<NatsConnection> {
  const urls = commaSeparated(settings.natsUrl, 'NATS_URL');
  try {
    const nc = await connect({
      servers: [...urls],
      name: settings.service,
      inboxPrefix: settings.inboxPrefix,
      maxReconnectAttempts: -1,
      // With them each message that is published makes two errors, for their stacks.
      noAsyncTraces: true,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      // A changed password or file does not arrive everywhere at the same moment.
      ignoreAuthErrorAbort: true,
      // The client's default notices a silent connection only after 5 minutes.
      pingInterval: settings.pingMs ?? 5_000,
      maxPingOut: 2,
      ...tlsOf(settings),
      ...credentialsOf(settings),
    });
    const known = nc.getServers().map(({ listen }) => listen);
    // The client forgets a server that is unavailable at first.
    if (!urls.every((url) => known.includes(listenOf(url)))) nc.setServers([...urls.map(listenOf), ...known]);
    return nc;
  } catch (error) {
    throw explained(error, urls);
  }
}

function tlsOf({ natsUrl, natsCaFile, natsCertFile, natsKeyFile }: ConnectionSettings): ConnectionOptions {
  const files = { NATS_CA_FILE: natsCaFile, NATS_CERT_FILE: natsCertFile, NATS_KEY_FILE: natsKeyFile };
  const named = Object.entries(files).filter((pair): pair is [string, string] => pair[1] !== undefined);
  if (!natsUrl.startsWith('tls://')) {
    if (named[0] === undefined) return {};
    throw misconfigured(`${named[0][0]} is set, but NATS_URL does not say tls://: nothing would be verified`);
  }
  if ((natsCertFile === undefined) !== (natsKeyFile === undefined))
    throw misconfigured('NATS_CERT_FILE and NATS_KEY_FILE belong together: set both or none');
  for (const [name, file] of named) readable(name, file);
  const tls = {
    /** Read at every handshake: the file may change. */
    get ca() {
      const authorities = natsCaFile === undefined ? [] : [readFileSync(natsCaFile, 'utf8')];
      return [...getCACertificates('default'), ...authorities].join('\n');
    },
    get cert() {
      return natsCertFile === undefined ? '' : readFileSync(natsCertFile, 'utf8');
    },
    get key() {
      return natsKeyFile === undefined ? '' : readFileSync(natsKeyFile, 'utf8');
    },
    checkServerIdentity: identityCheck(natsUrl),
  };
  return { tls };
}

/**
 * A certificate must be valid for a host of NATS_URL. The client would accept the announced name of a server, which
 * anybody on the path can forge before the handshake, and `localhost` for every address.
 */
function identityCheck(natsUrl: string): TlsOptions['checkServerIdentity'] {
  const hosts = commaSeparated(natsUrl, 'NATS_URL').map((url) => new URL(url).hostname.replaceAll(/[[\]]/g, ''));
  return (_announced, certificate) => {
    const errors = hosts.map((host) => checkServerIdentity(host, certificate));
    return errors.includes(undefined) ? undefined : errors[0];
  };
}

function credentialsOf(settings: ConnectionSettings): ConnectionOptions {
  const { natsUser, natsPassword, natsCredsFile, natsCertFile } = settings;
  const hasUser = natsUser !== undefined || natsPassword !== undefined;
  const ways = { NATS_CREDS_FILE: natsCredsFile !== undefined, NATS_CERT_FILE: natsCertFile !== undefined };
  const [way, ...more] = Object.entries(ways).flatMap(([name, isSet]) => (isSet ? [name] : []));
  if (way !== undefined && (hasUser || more.length > 0))
    throw misconfigured(`${way} is set beside ${more[0] ?? 'NATS_USER or NATS_PASSWORD'}: set one or the other`);
  if (natsCredsFile === undefined)
    return {
      ...(natsUser !== undefined && { user: natsUser }),
      ...(natsPassword !== undefined && { pass: natsPassword }),
    };
  return { authenticator: credentialsFile(natsCredsFile) };
}

/** Read for every connection: the file may change. The client gives up forever when this throws. */
function credentialsFile(file: string): Authenticator {
  let usable = readable('NATS_CREDS_FILE', file);
  try {
    login(usable)('');
  } catch {
    throw misconfigured(
      `NATS_CREDS_FILE: ${file} is no file of credentials (a JWT and the seed of its key, or the seed of an NKey alone)`,
    );
  }
  return (nonce) => {
    try {
      const found = readFileSync(file);
      const auth = login(found)(nonce);
      usable = found;
      return auth;
    } catch {
      return login(usable)(nonce);
    }
  };
}

/** A file of two armoured parts, or the one line of a seed. */
function login(content: Buffer): Authenticator {
  const line = content.toString('utf8').trim();
  return /^SU[A-Z2-7]{56}$/.test(line) ? nkeyAuthenticator(Buffer.from(line)) : credsAuthenticator(content);
}

function readable(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw misconfigured(`${name}: ${file} cannot be read`);
  }
}

function misconfigured(message: string): AppError {
  return new AppError('FAILED_PRECONDITION', message);
}

function explained(error: unknown, urls: readonly string[]): unknown {
  if (!/does not support 'tls'/.test(messageOf(error))) return error;
  const which = urls.map(listenOf).join(', ');
  return misconfigured(
    `the server at ${which} offers no TLS although NATS_URL says tls://; nothing was sent. Enable TLS on the server, and see who answers at this address`,
  );
}

/** Host and port, without a password that the URL may contain. */
function listenOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 4222}`;
}

/** Registered before the first connect, so that a process waiting for NATS at startup shows 0. */
export function connectionState(metrics: Metrics) {
  const state = { up: false };
  metrics.gauge('vds_bus_connected', '1 while connected to NATS', [], (gauge) => gauge.set(state.up ? 1 : 0));
  return state;
}

/**
 * Follows the connection, so that a call fails at once instead of waiting for a reply that cannot arrive.
 * @param reconnect tries to connect: the client does not report why it cannot
 */
export function trackConnection(
  nc: NatsConnection,
  state: ConnectionState,
  log: Logger,
  reconnect: () => Promise<NatsConnection>,
) {
  state.up = true;
  let connectedAt = performance.now();
  let count = 1;
  let disconnected = new AbortController();
  let reconnected = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const { type } of nc.status()) {
      // Once for each attempt that the server has rejected before, all at the same time.
      if (type === 'reconnect' && !state.up) {
        state.up = true;
        connectedAt = performance.now();
        count += 1;
        reconnected.abort();
        log.info('connected to NATS again');
      }
      // Also after each attempt that the server has rejected.
      if (type !== 'disconnect' || !state.up) continue;
      state.up = false;
      log.warn('disconnected from NATS: retrying');
      disconnected.abort();
      disconnected = new AbortController();
      reconnected = new AbortController();
      void explainOutage(reconnect, log, reconnected.signal);
    }
    reconnected.abort();
  };
  return {
    isUp: (): boolean => state.up,
    /** Age of the current connection in milliseconds; 0 while disconnected. */
    connectedForMs: (): number => (state.up ? performance.now() - connectedAt : 0),
    /** How many connections there have been, this one included. */
    count: (): number => count,
    /** Aborts when the current connection breaks. */
    disconnected: (): AbortSignal => disconnected.signal,
    /** The result of `work`; rejects when the connection breaks first. */
    whileConnected: <T>(work: Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const { signal } = disconnected;
        const onDisconnect = (): void => reject(new Error('the connection broke'));
        signal.addEventListener('abort', onDisconnect, { once: true });
        void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onDisconnect));
      }),
    ended: follow(),
  };
}

async function explainOutage(reconnect: () => Promise<NatsConnection>, log: Logger, ended: AbortSignal): Promise<void> {
  const report = reporter(log, 'NATS cannot be reached');
  for (;;) {
    await pause(EXPLAIN_MS, ended);
    if (ended.aborted) return;
    try {
      await (await reconnect()).close();
    } catch (error) {
      report(error);
    }
  }
}
