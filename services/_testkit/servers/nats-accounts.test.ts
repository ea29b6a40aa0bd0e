import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountsDir, reloadNats, removeAccount, startNats, stopNats } from './nats.ts';
import { openSettings, type Settings } from './settings.ts';

describe('accounts of nats-server', function () {
  this.timeout(60_000);
  let dir: string;
  let settings: Settings;
  const account = 'stack-test_0a1b2c3d';

  /** Adds the account to the running server and creates a stream with one message in it. */
  const fill = async (): Promise<void> => {
    mkdirSync(accountsDir(dir), { recursive: true });
    writeFileSync(join(accountsDir(dir), `${account}.conf`), 'jetstream: enabled\nusers: [{ user: u, password: p }]');
    await reloadNats(dir, settings);
    const connection = await connect({ servers: `127.0.0.1:${settings.ports.nats}`, user: 'u', pass: 'p' });
    const stream = JSON.stringify({ name: 'S', subjects: ['s.>'] });
    await connection.request('$JS.API.STREAM.CREATE.S', stream);
    expect((await connection.request('s.x', 'one')).json()).to.deep.equal({ stream: 'S', seq: 1 });
    await connection.close();
  };
  const stored = (): string[] =>
    readdirSync(join(dir, 'nats', 'store', 'jetstream')).filter((name) => name === account);

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'vds-nats-'));
    settings = await openSettings(dir, false);
    await startNats(dir, settings);
  });
  afterEach(async () => {
    await stopNats(dir);
    rmSync(dir, { recursive: true });
  });

  it('an account removed from nats-server loses its data, and a new one of the same name starts empty and receives', async () => {
    await fill();
    await removeAccount(dir, settings, account);
    expect(stored()).to.deep.equal([]);
    await fill();
  });

  it('nats-server restarts after accounts were removed', async () => {
    await fill();
    await removeAccount(dir, settings, account);
    await stopNats(dir);
    await startNats(dir, settings);
    await fill();
  });

  it('nats-server forgets an account whose file was removed while it was down', async () => {
    await fill();
    await stopNats(dir);
    rmSync(join(accountsDir(dir), `${account}.conf`));
    await startNats(dir, settings);
    expect(stored()).to.deep.equal([]);
  });
});
