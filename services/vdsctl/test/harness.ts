/** A stack of auth and catalog, and vdsctl against it: one stack for all test files of a run. */
import { expect } from 'chai';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auth, catalog } from '@vds/proto';
import type { AuthServiceClient } from '@vds/proto/generated/vds/auth/v1/AuthService.ts';
import type { CatalogServiceClient } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import { AppError } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { readServers } from '@vds/testkit/servers/servers-file';
import { until } from '@vds/testkit/until';
import { startStack } from '@vds/testkit/stack/start-stack';
import { vdsctl } from '../src/inbound/vdsctl.ts';

export type PublisherJson = { readonly id: string };
export type KeyJson = {
  readonly id: string;
  readonly publisher_id: string;
  readonly budget_id: string;
  readonly revoked_at?: string;
};
export type IssuedJson = { readonly key: KeyJson; readonly secret_key: string };
export type DetailsJson = {
  readonly video: Readonly<Record<string, unknown>>;
  readonly stages: readonly { readonly stage: string }[];
};
type Environment = Record<string, string>;
type Opened = Awaited<ReturnType<typeof open>>;

const noTls = { tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined };

/** Columns of a failed video, for `video`. */
export const FAILED = `, failure = '{"code":"source_not_found","stage":"fetch","details":{}}', ended_at = now()`;
/** Columns of a ready video, for `video`. */
export const READY =
  ", playback_id = 'p' || id, duration_ms = 25000, ladder_key = 'l', thumbnail_key = 't', ended_at = now()";
/** The id of a key that does not exist. */
export const NO_KEY = 'n'.repeat(24);

let users = 0;
let opening: Promise<Opened> | undefined;
let opened: Opened | undefined;

const source = { sourceUrl: 'https://media.example.com/final.mp4', title: 'Final', tags: [], languageCode: 'en' };

/** Starts the stack with the first test file that uses it and removes it with the last; each file calls it once. */
export function useStack(): void {
  users++;
  before(async () => {
    opening ??= open();
    opened = await opening;
  });
  after(async () => {
    if (--users === 0) await opened?.close();
  });
}

async function open() {
  const dir = mkdtempSync(join(tmpdir(), 'vdsctl-'));
  const stack = await startStack({
    dir,
    name: `v${process.pid}`,
    servers: readServers(),
    services: ['auth', 'catalog'],
  });
  const config = { rpcToken: stack.tokens.gateway, ...noTls };
  const gateway = rpcClient<AuthServiceClient>(auth.AuthService, { target: stack.rpc('auth'), config });
  const videos = rpcClient<CatalogServiceClient>(catalog.CatalogService, { target: stack.rpc('catalog'), config });
  const environment: Environment = {
    VDSCTL_AUTH: stack.rpc('auth', 'adminRpc'),
    VDSCTL_CATALOG: stack.rpc('catalog', 'adminRpc'),
    VDSCTL_TOKEN: stack.tokens.vdsctl,
    USER: 'sam',
  };
  const close = async (): Promise<void> => {
    await Promise.all([gateway.close(), videos.close()]);
    await stack.remove();
    rmSync(dir, { recursive: true, force: true });
  };
  return { dir, stack, gateway, videos, environment, close };
}

/** Vdsctl's token. */
export function vdsctlToken(): string {
  return current().stack.tokens.vdsctl;
}

/** A client of auth with the gateway's token. */
export function gateway(): Opened['gateway'] {
  return current().gateway;
}

function current(): Opened {
  if (!opened) throw new Error('the stack is not running yet');
  return opened;
}

export function folder(): string {
  return current().dir;
}

/** Creates a publisher and returns its id. */
export async function publisher(): Promise<string> {
  return (await json<PublisherJson>('publisher create League --organization Sports --reason invited')).id;
}

/** Runs a command line that must succeed and parses its JSON. */
export async function json<T>(line: string, ...more: string[]): Promise<T> {
  const { exit, out, err } = await ctl(`${line} --json`, more);
  expect(exit, err).to.equal(0);
  return JSON.parse(out) as T;
}

/** Runs one command line in this process; `more` are arguments that contain spaces. */
export async function ctl(line: string, more: readonly string[] = [], changes: Environment = {}) {
  const written = { out: '', err: '' };
  const exit = await vdsctl([...line.split(' '), ...more], {
    environment: { ...current().environment, ...changes },
    out: (text) => void (written.out += `${text}\n`),
    err: (text) => void (written.err += `${text}\n`),
  });
  return { exit, ...written };
}

/** The gRPC code of auth's reply to a key. */
export async function authorizeCode(secretKey: string): Promise<string> {
  return gateway()
    .Authorize({ key: secretKey })
    .then(
      () => 'OK',
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
}

/** Every row of the tables that vdsctl may change, as one text. */
export async function allRows(): Promise<string> {
  await until(noQueuedDeletes, { what: 'the end of every queued delete', capMs: 50_000 });
  const tables = {
    auth: ['publishers', 'api_keys', 'signing_keys', 'staff', 'audit'],
    catalog: ['videos', 'stages', 'clips', 'purges', 'publisher_usage', 'publisher_months', 'audit'],
  } as const;
  const texts = Object.entries(tables).flatMap(([service, names]) =>
    names.map(async (name) => {
      const { rows } = await current()
        .stack.adminPool(service as keyof typeof tables)
        .query<{ text: string }>(
          // Catalog's scheduler changes when a request is republished.
          `select coalesce(string_agg(one, ';' order by one), '') as text
           from (select (to_jsonb(t) - array['next_republish_at', 'republished'])::text as one from ${name} t) rows`,
        );
      return `${name}: ${rows[0]?.text ?? ''}`;
    }),
  );
  return (await Promise.all(texts)).join('\n');
}

/** Whether catalog's scheduler has finished every queued delete. */
async function noQueuedDeletes(): Promise<boolean> {
  const { rowCount } = await current()
    .stack.adminPool('catalog')
    .query(`select from videos where state = 'processing' and intent = 'delete'`);
  return rowCount === 0;
}

/** A superuser's pool on the database of a service. */
export function adminPool(service: 'auth' | 'catalog') {
  return current().stack.adminPool(service);
}

/** The database credentials of a service's runtime role. */
export function loginOf(service: 'auth' | 'catalog') {
  return current().stack.login(service);
}

/** Marks a stage of the video as completed, without its service. */
export async function completeStage(videoId: string, stage: string): Promise<void> {
  await current()
    .stack.adminPool('catalog')
    .query(
      `insert into stages (video_id, stage, owner, attempt, state, requested_at, started_at, finished_at)
       values ($1, $2, $2, 1, 'completed', now(), now(), now())`,
      [videoId, stage],
    );
}

/** Creates a video, puts it into a state directly, and returns its id. */
export async function video(state: string, columns = ''): Promise<string> {
  const id = await ingest('pub_1', 'b');
  await current()
    .stack.adminPool('catalog')
    .query(`update videos set state = $2, version = version + 1 ${columns} where id = $1`, [id, state]);
  return id;
}

/** Creates a video of a publisher, charged to a budget, and returns its id. */
export async function ingest(
  publisherId: string,
  budgetId: string,
  changes: { readonly title?: string } = {},
  id = newVideoId(),
) {
  const owner = { publisherId, budgetId, keyId: 'k', dailyLimit: 10_000 };
  await current().videos.CreateVideo({ id, ...owner, ...source, ...changes });
  return id;
}

export function newVideoId(): string {
  return `0${Array.from({ length: 25 }, () => '0123456789abcdefghjkmnpqrstvwxyz'.charAt(randomInt(32))).join('')}`;
}
