import { connect } from '@nats-io/transport-node';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { testDatabase } from './database.ts';
import { testNats } from './nats.ts';
import { testBucket } from './objects.ts';
import { readServers } from '../servers/servers-file.ts';
import { until } from '../until.ts';

async function query<T extends pg.QueryResultRow>(config: pg.ClientConfig, sql: string): Promise<T[]> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the test kit', () => {
  it('without servers the test kit names the command that starts them', () => {
    expect(() => readServers('/nowhere/servers.json')).to.throw('npm run servers -- up');
  });

  it('every caller gets its own database with the service’s tables, the second one from a template', async () => {
    const service = join(mkdtempSync(join(tmpdir(), 'kit-')), 'kitservice');
    const migration = join(service, 'prisma', 'migrations', '1_init');
    mkdirSync(migration, { recursive: true });
    writeFileSync(
      join(migration, 'migration.sql'),
      `create table things (id int primary key); insert into things values (${process.pid});`,
    );
    const first = await testDatabase(service);
    const from = performance.now();
    const second = await testDatabase(service);
    const took = performance.now() - from;
    try {
      await query(first.poolConfig, 'insert into things values (-1)');
      expect(await query(second.poolConfig, 'select id from things')).to.deep.equal([{ id: process.pid }]);
      expect(first.url).not.to.contain(first.password);
      expect(took).to.be.below(1_000); // about 50 ms on an idle machine
    } finally {
      await Promise.all([first.drop(), second.drop()]);
      rmSync(dirname(service), { recursive: true });
    }
    const gone = await query(
      { ...first.poolConfig, database: 'postgres' },
      `select datname from pg_database where datname like 'test_kitservice%'`,
    );
    expect(gone).to.deep.equal([]);
  });

  it('the error about a failed migration names the migration', async () => {
    const service = join(mkdtempSync(join(tmpdir(), 'kit-')), 'kitbroken');
    const migration = join(service, 'prisma', 'migrations', '1_wrong');
    mkdirSync(migration, { recursive: true });
    writeFileSync(join(migration, 'migration.sql'), 'create table');
    const error = await testDatabase(service).then(
      () => null,
      (reason: Error) => reason,
    );
    rmSync(dirname(service), { recursive: true });
    expect(error?.message).to.match(/1_wrong.migration\.sql failed: syntax error/);
  });

  it('a test NATS server keeps its data over kill -9, and nothing over a wipe', async function () {
    this.timeout(30_000);
    const nats = await testNats();
    const stored = async (): Promise<number | null> => {
      const connection = await connect({ servers: nats.url });
      try {
        const { state } = await (await jetstreamManager(connection)).streams.info('THINGS');
        return state.messages;
      } catch {
        return null; // no such stream
      } finally {
        await connection.close();
      }
    };
    try {
      const connection = await connect({ servers: nats.url });
      await (await jetstreamManager(connection)).streams.add({ name: 'THINGS', subjects: ['things.>'] });
      await jetstream(connection).publish('things.one', 'x');
      await connection.close();
      await nats.kill9();
      await nats.restart();
      expect(await stored()).to.equal(1);
      await nats.wipe();
      expect(await stored()).to.equal(null);
    } finally {
      await nats.remove();
    }
  });

  it('the error about a NATS server that does not start has its reason', async () => {
    const error = await testNats({ config: 'no_such_option: 1' }).then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).to.match(/did not start.*no_such_option/s);
  });

  it('a test bucket is empty at first and is removed with everything in it', async () => {
    const { client, bucket, drop } = await testBucket();
    await client.putObject(bucket, 'folder/object', 'content');
    await client.initiateNewMultipartUpload(bucket, 'folder/unfinished', {});
    expect((await client.statObject(bucket, 'folder/object')).size).to.equal(7);
    await drop();
    expect(await client.bucketExists(bucket)).to.equal(false);
  });

  it('until fails with the last value or error that it saw', async () => {
    const error = await until(() => 0, { what: 'a thing', capMs: 30, everyMs: 5 }).then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).to.equal('a thing: not within 30 ms (last answer 0)');
  });
});
