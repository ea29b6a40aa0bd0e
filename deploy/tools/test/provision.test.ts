import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { rowOf, serviceNames } from '../services.ts';
import { purposes } from '../installation.ts';
import { readProvisionConfig } from '../provision/config.ts';
import { stepsOf, wantedKeys } from '../provision/steps.ts';
import { readSecretFiles } from '../provision/secret-files.ts';
import { Refusal, untilItAnswers } from '../provision/wait-for-server.ts';

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
  const wanted = wantedKeys({ postgres: true, s3: true });
  before(() => {
    for (const [service, keys] of wanted) {
      mkdirSync(join(dir, service));
      for (const key of keys) writeFileSync(join(dir, service, key), `${service} ${key}\n`);
    }
  });
  after(() => rmSync(dir, { recursive: true }));
  const plan = (environment: Record<string, string>): string[] =>
    stepsOf(readProvisionConfig(environment), readSecretFiles(dir, wanted)).map(({ what }) => what);

  it('makes every database, then S3 users, then the buckets whose policies name them', () => {
    const databases = serviceNames
      .filter((name) => rowOf(name).database)
      .map((name) => `database ${name} of ${name}_owner`);
    const users = serviceNames
      .filter((name) => wanted.get(name)?.includes('S3_ACCESS_KEY'))
      .map((name) => `${name} S3_ACCESS_KEY`);
    expect(plan(all)).to.deep.equal([
      ...databases,
      `S3 users ${users.join(', ')}`,
      'buckets sources, media, captions with their policies',
    ]);
  });
  it('makes only what it is given an address for, and no users where they are there already', () => {
    expect(plan({ SECRETS_DIR: dir, ...postgres }).filter((what) => !what.startsWith('database'))).to.deep.equal([]);
    expect(plan({ SECRETS_DIR: dir, ...s3, S3_USERS: 'existing', MEDIA_BUCKET: 'acme-media' })).to.deep.equal([
      'buckets sources, acme-media, captions with their policies',
    ]);
  });
  it('refuses to do nothing, and names every variable that is wrong', () => {
    expect(messageOf(() => readProvisionConfig({ SECRETS_DIR: dir }))).to.include(
      'nothing to provision: set POSTGRES_HOST',
    );
    expect(messageOf(() => readProvisionConfig({ ...all, POSTGRES_PASSWORD: '', POSTGRES_PORT: 'x' })))
      .to.include('POSTGRES_PORT')
      .and.include('POSTGRES_PASSWORD is not set');
  });
  it('knows each password by its purpose, without the line end of its file', () => {
    const secrets = readSecretFiles(dir, wanted);
    expect(secrets.secret(purposes.owner('auth'))).to.equal('auth DATABASE_OWNER_PASSWORD');
    expect(secrets.secret(purposes.runtime('auth'))).to.equal('auth DATABASE_PASSWORD');
    expect(secrets.secret(purposes.s3('playback'))).to.equal('playback S3_SECRET_KEY');
  });
  it('names every Secret that is missing before anything is done with the others', () => {
    const text = messageOf(() => readSecretFiles(join(dir, 'auth'), wanted));
    for (const [service, keys] of wanted) for (const key of keys) expect(text).to.include(`${service}/${key}`);
  });
});

describe('waiting for a server', () => {
  const lines: string[] = [];
  const patience = { capMs: 60, everyMs: 1, say: (line: string) => void lines.push(line) };
  const failure = (ask: () => Promise<void>): Promise<string> =>
    untilItAnswers({ what: 'PostgreSQL at db:5432', ask }, patience).then(
      () => 'it answered',
      (error: Error) => error.message,
    );
  beforeEach(() => lines.splice(0));

  it('says why it still waits, and when it is over', async () => {
    let asked = 0;
    const answer = await failure(async () => {
      if (++asked < 3) throw new Error('connection refused');
    });
    expect(answer).to.equal('it answered');
    expect(lines).to.deep.equal([
      'waiting for PostgreSQL at db:5432: connection refused',
      'PostgreSQL at db:5432 answers',
    ]);
  });
  it('ends in one sentence with the last reason', async () => {
    const cause = new Error('connect ECONNREFUSED');
    const text = await failure(() => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(text).to.match(/^PostgreSQL at db:5432 did not answer within 0 s: connect ECONNREFUSED$/);
  });
  it('does not wait for a server that refuses', async () => {
    let asked = 0;
    const text = await failure(async () => {
      asked++;
      throw new Refusal('it refuses the user admin');
    });
    expect([text, asked]).to.deep.equal(['PostgreSQL at db:5432: it refuses the user admin', 1]);
  });
});
