import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { rowOf, serviceNames } from '../services.ts';
import { purposes } from '../installation.ts';
import { readProvisionConfig } from '../provision/config.ts';
import { keysOf, requiredKeys, stepsOf } from '../provision/steps.ts';
import { readSecretFiles } from '../provision/secret-files.ts';
import { PermanentError, waitForServer } from '../provision/wait-for-server.ts';

const postgres = { POSTGRES_HOST: 'db', POSTGRES_USER: 'admin', POSTGRES_PASSWORD: 'p' };
const s3 = { S3_ENDPOINT: 'http://s3:7070', S3_ACCESS_KEY: 'root', S3_SECRET_KEY: 's' };
const all = { SECRETS_DIR: '/nowhere', ...postgres, ...s3 };
function messageOf(work: () => unknown): string {
  try {
    work();
    return 'nothing was thrown';
  } catch (error) {
    return String(error);
  }
}

describe('provisioning the servers of a release', () => {
  const dir = mkdtempSync(join(tmpdir(), 'provision-test-'));
  const required = requiredKeys({ databases: serviceNames.filter((name) => rowOf(name).database), s3: true });
  before(() => {
    for (const [service, keys] of required) {
      mkdirSync(join(dir, service));
      for (const key of keys) writeFileSync(join(dir, service, key), `${service} ${key}\n`);
    }
  });
  after(() => rmSync(dir, { recursive: true }));
  const plan = (environment: Record<string, string>): string[] =>
    stepsOf(readProvisionConfig(environment), readSecretFiles(dir, required)).map(({ what }) => what);

  it('provisioning creates every database, then the S3 users, then the buckets whose policies name them', () => {
    const databases = serviceNames
      .filter((name) => rowOf(name).database)
      .map((name) => `database ${name} of ${name}_owner`);
    const users = serviceNames
      .filter((name) => required.get(name)?.includes('S3_ACCESS_KEY'))
      .map((name) => `${name} S3_ACCESS_KEY`);
    expect(plan(all)).to.deep.equal([
      ...databases,
      `S3 users ${users.join(', ')}`,
      'buckets sources, media, captions, analytics',
      'policies of sources, media, captions, analytics',
    ]);
  });
  it('provisioning covers only servers with an address', () => {
    expect(plan({ SECRETS_DIR: dir, ...postgres }).filter((what) => !what.startsWith('database'))).to.deep.equal([]);
    expect(plan({ SECRETS_DIR: dir, ...s3 }).filter((what) => what.startsWith('database'))).to.deep.equal([]);
  });
  it('provisioning sets bucket policies by default only if it creates the users they name', () => {
    const existing = { ...s3, S3_USERS: 'existing', MEDIA_BUCKET: 'acme-media' };
    expect(plan(existing)).to.deep.equal(['buckets sources, acme-media, captions, analytics']);
    expect(plan({ ...existing, S3_POLICIES: 'user-names' })).to.deep.equal([
      'buckets sources, acme-media, captions, analytics',
      'policies of sources, acme-media, captions, analytics',
    ]);
    expect(plan({ ...s3, S3_POLICIES: 'none' }).some((what) => what.startsWith('policies'))).to.equal(false);
  });
  it('provisioning reads no Secret of an S3 user where users exist and no policy names them', () => {
    const keys = (environment: Record<string, string>) => [...keysOf(readProvisionConfig(environment)).values()].flat();
    expect(keys({ ...s3, S3_USERS: 'existing' })).to.deep.equal([]);
    expect(keys({ ...s3, S3_USERS: 'existing', S3_POLICIES: 'user-names' })).to.include('S3_ACCESS_KEY');
    expect(messageOf(() => readSecretFiles(undefined, required))).to.include('SECRETS_DIR is not set');
  });
  it('provisioning names everything by the prefix, unless a variable names it otherwise', () => {
    const names = { PREFIX: 'vod-eu', CATALOG_DATABASE: 'videos', CATALOG_DATABASE_USER: 'app', MEDIA_BUCKET: 'films' };
    const steps = plan({ ...postgres, ...s3, SECRETS_DIR: dir, ...names, COMPONENTS: 'catalog, auth' });
    expect(steps.filter((what) => what.startsWith('database') || what.startsWith('buckets'))).to.deep.equal([
      'database vod_eu_auth of vod_eu_auth_owner',
      'database videos of vod_eu_catalog_owner',
      'buckets vod-eu-sources, films, vod-eu-captions, vod-eu-analytics',
    ]);
  });
  it('provisioning rejects a prefix that no name may begin with, and components without a database', () => {
    for (const prefix of ['Vod', '1st', 'a_b', 'x'.repeat(21), 'catalog', 'dead'])
      expect(messageOf(() => readProvisionConfig({ ...all, PREFIX: prefix }))).to.include(`got '${prefix}'`);
    expect(messageOf(() => readProvisionConfig({ ...all, COMPONENTS: 'catalog,playback' }))).to.include(
      'COMPONENTS: playback has no database',
    );
  });
  it('provisioning verifies the certificate of PostgreSQL by the modes of its own clients', () => {
    const tlsOf = (mode: string) => readProvisionConfig({ ...all, POSTGRES_SSLMODE: mode }).postgres?.ssl;
    expect(tlsOf('disable')).to.equal(false);
    expect(tlsOf('require')).to.deep.equal({ rejectUnauthorized: false });
    expect(tlsOf('verify-ca')).to.have.property('checkServerIdentity');
    expect(tlsOf('verify-full')).to.equal(true);
    expect(messageOf(() => tlsOf('prefer'))).to.include('POSTGRES_SSLMODE');
  });
  it('provisioning rejects a configuration without servers and names every invalid variable', () => {
    expect(messageOf(() => readProvisionConfig({ SECRETS_DIR: dir }))).to.include(
      'nothing to provision: set POSTGRES_HOST',
    );
    expect(messageOf(() => readProvisionConfig({ ...all, POSTGRES_PASSWORD: '', POSTGRES_PORT: 'x' })))
      .to.include('POSTGRES_PORT')
      .and.include('POSTGRES_PASSWORD is not set');
  });
  it('provisioning reads each password by its purpose, without the trailing line break of its file', () => {
    const secrets = readSecretFiles(dir, required);
    expect(secrets.secret(purposes.owner('auth'))).to.equal('auth DATABASE_OWNER_PASSWORD');
    expect(secrets.secret(purposes.runtime('auth'))).to.equal('auth DATABASE_PASSWORD');
    expect(secrets.secret(purposes.s3('playback'))).to.equal('playback S3_SECRET_KEY');
  });
  it('provisioning names every missing Secret before it changes anything', () => {
    const text = messageOf(() => readSecretFiles(join(dir, 'auth'), required));
    for (const [service, keys] of required) for (const key of keys) expect(text).to.include(`${service}/${key}`);
  });
});

describe('waiting for a server', () => {
  const lines: string[] = [];
  const waitOptions = { timeoutMs: 60, intervalMs: 1, log: (line: string) => void lines.push(line) };
  const failure = (check: () => Promise<void>): Promise<string> =>
    waitForServer({ server: 'PostgreSQL at db:5432', check }, waitOptions).then(
      () => 'it is ready',
      (error: Error) => error.message,
    );
  beforeEach(() => lines.splice(0));

  it('waiting for a server logs why it is still waiting, and when the server is ready', async () => {
    let checks = 0;
    const outcome = await failure(async () => {
      if (++checks < 3) throw new Error('connection refused');
    });
    expect(outcome).to.equal('it is ready');
    expect(lines).to.deep.equal([
      'waiting for PostgreSQL at db:5432: connection refused',
      'PostgreSQL at db:5432 is ready',
    ]);
  });
  it('waiting for a server fails with one sentence and the last reason after the timeout', async () => {
    const cause = new Error('connect ECONNREFUSED');
    const text = await failure(() => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(text).to.match(/^PostgreSQL at db:5432 was not ready within 0 s: connect ECONNREFUSED$/);
  });
  it('waiting for a server ends at once when the server rejects the login', async () => {
    let checks = 0;
    const text = await failure(async () => {
      checks++;
      throw new PermanentError('it rejects the user admin');
    });
    expect([text, checks]).to.deep.equal(['PostgreSQL at db:5432: it rejects the user admin', 1]);
  });
});
