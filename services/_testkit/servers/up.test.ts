import { expect } from 'chai';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Servers } from './servers-file.ts';
import { s3Client } from '../harness/objects.ts';
import { until } from '../until.ts';
import { startDetached, stopDetached } from './detached.ts';
import { stopNats } from './nats.ts';
import { readSettings, writePrivate } from './settings.ts';
import { down, removeServers, status, up, USUAL_SERVERS, type ServerName } from './up.ts';

async function query({ postgres }: Servers, sql: string): Promise<unknown[]> {
  const { host, port, adminUser: user, adminPassword: password } = postgres;
  const client = new pg.Client({ host, port, user, password, database: 'postgres' });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The status of an address with a document, by method. */
async function document({ opensearch }: Servers, method: 'PUT' | 'GET'): Promise<number> {
  const url = `${opensearch?.url ?? ''}/kept/_doc/1`;
  const body = method === 'PUT' ? { headers: { 'content-type': 'application/json' }, body: '{"number":7}' } : {};
  return (await fetch(url, { method, ...body })).status;
}

function pidOf(dir: string, name: ServerName): number {
  const pid = status(dir)[name];
  if (pid === null) throw new Error(`${name} does not run`);
  return pid;
}

describe('the servers of one folder', function () {
  this.timeout(180_000);
  let dir: string;
  let servers: Servers;

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'servers-test-'));
    // Two concurrent calls from nothing: one starts the servers, the other finds them.
    [servers] = await Promise.all([up(dir), up(dir)]);
  });
  after(async () => await removeServers(dir));

  it('the servers of a folder start once for any number of concurrent callers', async () => {
    const before = status(dir);
    const again = await Promise.all([up(dir), up(dir)]);
    expect(status(dir)).to.deep.equal(before);
    expect(again).to.deep.equal([servers, servers]);
  });

  it('OpenSearch indexes vectors, and without the k-NN plug-in it rejects them', async () => {
    const settings = { index: { knn: true } };
    const vector = { type: 'knn_vector', dimension: 3, data_type: 'byte', method: { name: 'hnsw', engine: 'lucene' } };
    const index = { settings, mappings: { properties: { vector } } };
    const create = async ({ opensearch }: Servers): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const url = `${opensearch?.url ?? ''}/vectors`;
      return (await fetch(url, { method: 'PUT', headers, body: JSON.stringify(index) })).status;
    };
    const without = mkdtempSync(join(tmpdir(), 'servers-test-'));
    try {
      expect(await create(servers)).to.equal(200);
      expect(await create(await up(without, { which: ['opensearch'], withoutVectors: true }))).to.equal(400);
    } finally {
      await removeServers(without);
    }
  });

  it('the servers reject everybody without the password', async () => {
    const wrong = { ...servers, postgres: { ...servers.postgres, adminPassword: 'guess' } };
    const error = await query(wrong, 'select 1').then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).to.match(/password authentication failed/);
  });

  it('files of the servers with secrets are unreadable for other users', () => {
    const files = [
      'servers.json',
      'settings.json',
      'nats/nats.conf',
      'nats.log',
      's3.log',
      'postgres.log',
      'opensearch.log',
    ];
    for (const file of files) expect(statSync(join(dir, file)).mode & 0o077, file).to.equal(0);
  });

  it('the servers have no secret in their arguments', function () {
    if (process.platform !== 'linux') return;
    const passwords = Object.values(readSettings(dir)?.passwords ?? {});
    for (const name of USUAL_SERVERS) {
      const line = readFileSync(`/proc/${pidOf(dir, name)}/cmdline`, 'utf8');
      for (const password of passwords) expect(line).not.to.contain(password);
    }
  });

  it('the servers are back with their data after kill -9', async () => {
    const { endpoint, region, rootAccessKey, rootSecretKey } = servers.s3;
    const client = s3Client(endpoint, region, rootAccessKey, rootSecretKey);
    await query(servers, 'create table kept as select 7 as number');
    await client.makeBucket('kept', region);
    expect(await document(servers, 'PUT')).to.equal(201);
    const killed = USUAL_SERVERS.map((name) => pidOf(dir, name));
    killed.forEach((pid) => process.kill(pid, 'SIGKILL'));
    await until(() => Object.values(status(dir)).every((pid) => pid === null), { what: 'all servers are dead' });
    const restarted = await up(dir);
    expect(restarted).to.deep.equal(servers);
    expect(await query(servers, 'select number from kept')).to.deep.equal([{ number: 7 }]);
    expect(await client.bucketExists('kept')).to.equal(true);
    expect(await document(restarted, 'GET')).to.equal(200);
  });

  it('a server moves to another port when its own is taken', async () => {
    await down(dir);
    const squatter = createServer().listen(servers.postgres.port, '127.0.0.1');
    await new Promise((resolve) => squatter.once('listening', resolve));
    try {
      const moved = await up(dir);
      expect(moved.postgres.port).not.to.equal(servers.postgres.port);
      expect(await query(moved, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
      servers = moved;
    } finally {
      squatter.close();
    }
  });

  it('stopping the servers does not stop another process with the pid of a former server', async () => {
    const other = startDetached({ dir, name: 'other', command: 'sleep', args: ['600'], env: process.env });
    await stopNats(dir);
    writePrivate(join(dir, 'nats.pid'), JSON.stringify({ pid: other, born: 'long ago' }));
    await down(dir);
    expect(Object.values(status(dir))).to.deep.equal([null, null, null, null]);
    expect(() => process.kill(other, 0)).not.to.throw();
    await stopDetached(dir, 'other');
  });
});
