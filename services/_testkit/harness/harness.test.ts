import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { testDatabase } from './database.ts';
import { testNats } from './nats.ts';
import { readServers } from '../servers/servers-file.ts';
import { until } from '../until.ts';

describe('the test kit', () => {
  it('without servers the test kit names the command that starts them', () => {
    expect(() => readServers('/nowhere/servers.json')).to.throw('npm run servers -- up');
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

  it('the error about a NATS server that does not start has its reason', async () => {
    const error = await testNats({ config: 'no_such_option: 1' }).then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).to.match(/did not start.*no_such_option/s);
  });

  it('until fails with the last value or error that it saw', async () => {
    const error = await until(() => 0, { what: 'a thing', capMs: 30, everyMs: 5 }).then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).to.equal('a thing: not within 30 ms (last answer 0)');
  });
});
