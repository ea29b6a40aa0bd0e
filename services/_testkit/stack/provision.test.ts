import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { readServers } from '../servers/servers-file.ts';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexesOf, removeIndexes } from './indexes.ts';
import { provision, removeProvisions } from './provision.ts';
import { purposes, userName } from '@vds/deploy-tools/installation';
import { openState, type StackState } from './state.ts';

describe('provisioning a stack', function () {
  this.timeout(60_000);
  const name = `again${process.pid}`;
  const servers = () => readServers();
  let dir: string;

  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'provision-'));
  });
  after(async () => {
    await removeProvisions(servers(), name);
    rmSync(dir, { recursive: true });
  });

  const makeStream = async (state: StackState): Promise<string> => {
    const user = userName(name, 'catalog');
    const pass = state.secret(purposes.nats('catalog'));
    const nc = await connect({ servers: servers().nats.url, user, pass, inboxPrefix: '_INBOX_catalog' });
    try {
      const jsm = await jetstreamManager(nc, { checkAPI: false });
      return (await jsm.streams.add({ name: 'CATALOG', subjects: ['catalog.>'] })).config.name;
    } finally {
      await nc.close();
    }
  };

  it('provisioning a removed stack again gives it JetStream', async () => {
    const state = openState(dir, name);
    await provision(servers(), state, []);
    expect(await makeStream(state)).to.equal('CATALOG');
    await removeProvisions(servers(), name);
    await provision(servers(), state, []);
    expect(await makeStream(state)).to.equal('CATALOG');
  });

  it('removing the provisions of a stack removes its own search indexes and no others', async () => {
    const url = servers().opensearch?.url ?? '';
    const make = async (index: string): Promise<number> => {
      const body = JSON.stringify({ settings: { number_of_replicas: 0 } });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${url}/${index}`, { method: 'PUT', headers, body })).status;
    };
    const neighbour = `${name}x-videos-1`;
    expect(await make(`${name}-videos-1`)).to.equal(200);
    expect(await make(neighbour)).to.equal(200);
    try {
      await removeIndexes(servers(), name);
      expect(await indexesOf(url, name)).to.deep.equal([]);
      expect((await fetch(`${url}/${neighbour}`, { method: 'HEAD' })).status).to.equal(200);
    } finally {
      await removeIndexes(servers(), `${name}x`);
    }
  });

  it('a stack name whose indexes are those of the unnamed stack is rejected', () => {
    expect(() => openState(dir, 'vds')).to.throw("'vds' is not a name");
  });
});
