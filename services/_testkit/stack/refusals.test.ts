import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import pg from 'pg';
import { poolOptions } from '@vds/chassis/database/database';
import { s3Client } from '../harness/objects.ts';
import { readServers, type Servers } from '../servers/servers-file.ts';
import { policyOf } from '@vds/deploy-tools/provision/buckets';
import { loginOf, provisionDatabase } from '@vds/deploy-tools/provision/databases';
import { provision, removeProvisions } from './provision.ts';
import { bucketName, purposes, userName } from '@vds/deploy-tools/installation';
import { openState, type StackState } from './state.ts';
import type { BucketRole, ServiceName } from '@vds/deploy-tools/services';

function options(databaseUrl: string, databasePassword: string): pg.ClientConfig {
  return poolOptions({ databaseUrl, databasePassword, databasePoolSize: 1 }, 'a test');
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'nothing was refused',
    (error: Error & { code?: string }) => `${error.code ?? ''} ${error.message}`,
  );
}

describe('what the servers deny a service', function () {
  this.timeout(60_000);
  const name = `refuse${process.pid}`;
  let dir: string;
  let servers: Servers;
  let state: StackState;

  before(async () => {
    servers = readServers();
    dir = mkdtempSync(join(tmpdir(), 'refusals-'));
    state = openState(dir, name);
    await provision(servers, state, ['auth', 'catalog']);
    for (const service of ['captions', 'metadata'] as const) await provisionDatabase(servers, state, service);
  });
  after(async () => {
    await removeProvisions(servers, name);
    rmSync(dir, { recursive: true });
  });

  const sql = async (service: ServiceName, as: 'owner' | 'runtime', statement: string, database?: ServiceName) => {
    const { url, password } = loginOf(servers, state, service, as);
    const place = database === undefined ? url : url.replace(/[^/]+$/, `${name}_${database}`);
    const client = new pg.Client(options(place, password));
    await client.connect();
    try {
      return (await client.query(statement)).rows as unknown[];
    } finally {
      await client.end();
    }
  };

  describe('database permissions', () => {
    it('the runtime role may read and write rows', async () => {
      await sql(
        'catalog',
        'runtime',
        `insert into chassis.outbox (subject, message_id, payload) values ('a', 'b', '')`,
      );
      expect(
        await sql('catalog', 'runtime', 'update chassis.outbox set subject = subject returning subject'),
      ).to.have.length(1);
      await sql('catalog', 'runtime', 'delete from chassis.outbox');
    });
    for (const statement of [
      'create table public.mine (id int)',
      'create table chassis.mine (id int)',
      'create schema mine',
      'drop table chassis.outbox',
      'truncate chassis.outbox',
      'alter table chassis.outbox add column mine int',
    ]) {
      it(`the runtime role may not ${statement}`, async () => {
        expect(await reasonOf(sql('catalog', 'runtime', statement))).to.match(/^42501 /); // insufficient_privilege
      });
    }
    for (const [service, other] of [
      ['catalog', 'auth'],
      ['captions', 'catalog'],
      ['metadata', 'captions'],
    ] as const) {
      for (const as of ['owner', 'runtime'] as const) {
        it(`the ${as} role of ${service} may not connect to the database of ${other}`, async () => {
          expect(await sql(service, as, 'select 1 as own')).to.deep.equal([{ own: 1 }]);
          expect(await reasonOf(sql(service, as, 'select 1', other))).to.match(
            /^42501 .*permission denied for database/,
          );
        });
      }
    }
    it('a database rejects a wrong password', async () => {
      const { url } = loginOf(servers, state, 'catalog', 'runtime');
      const client = new pg.Client(options(url, state.secret(purposes.runtime('auth'))));
      expect(await reasonOf(client.connect())).to.match(/^28P01 /);
      await client.end();
    });
  });

  describe('bucket permissions', () => {
    const client = (service: ServiceName) => {
      const { endpoint, region } = servers.s3;
      return s3Client(endpoint, region, userName(name, service), state.secret(purposes.s3(service)));
    };
    const bucket = (role: BucketRole) => bucketName(name, role);
    const allowed: [ServiceName, BucketRole, 'all' | 'read' | 'nothing'][] = [
      ['ingest', 'sources', 'all'],
      ['ingest', 'media', 'nothing'],
      ['transcode', 'sources', 'read'],
      ['transcode', 'media', 'all'],
      ['playback', 'sources', 'nothing'],
      ['playback', 'media', 'read'],
      ['playback', 'captions', 'read'],
      ['captions', 'sources', 'nothing'],
      ['captions', 'media', 'read'],
      ['captions', 'captions', 'all'],
      ['metadata', 'sources', 'nothing'],
      ['metadata', 'media', 'read'],
      ['metadata', 'captions', 'read'],
      ['indexer', 'media', 'nothing'],
      ['indexer', 'captions', 'read'],
      ['transcode', 'captions', 'nothing'],
      ['ingest', 'captions', 'nothing'],
    ];

    before(async () => {
      await client('ingest').putObject(bucket('sources'), 'kept/object', 'content');
      await client('transcode').putObject(bucket('media'), 'kept/object', 'content');
      await client('captions').putObject(bucket('captions'), 'kept/object', 'content');
    });

    for (const [service, role, right] of allowed) {
      it(`${service} may ${{ all: 'read and write', read: 'only read', nothing: 'neither read nor write' }[right]} ${role}`, async () => {
        const s3 = client(service);
        const writes = {
          put: async () => await s3.putObject(bucket(role), `own/${service}`, 'content'),
          remove: async () => await s3.removeObject(bucket(role), `own/${service}`),
          upload: async () => await s3.initiateNewMultipartUpload(bucket(role), `own/${service}`, {}),
        };
        const reads = {
          get: async () => await readText(await s3.getObject(bucket(role), 'kept/object')),
          list: async () => await s3.listObjectsV2(bucket(role), '', true).toArray(),
        };
        for (const [verb, write] of Object.entries(writes)) {
          expect(await reasonOf(write()), verb).to.match(right === 'all' ? /nothing was refused/ : /AccessDenied/);
        }
        for (const [verb, read] of Object.entries(reads)) {
          expect(await reasonOf(read()), verb).to.match(right === 'nothing' ? /AccessDenied/ : /nothing was refused/);
        }
        if (right !== 'all') {
          const policy = JSON.stringify(policyOf(name, role));
          expect(await reasonOf(s3.setBucketPolicy(bucket(role), policy)), 'policy').to.match(/AccessDenied/);
        }
      });
    }
    it('a service without buckets has no access to any', async () => {
      const { endpoint, region } = servers.s3;
      const s3 = s3Client(endpoint, region, userName(name, 'gateway'), 'a-guessed-secret');
      expect(await reasonOf(s3.bucketExists(bucket('media')))).not.to.contain('nothing was refused');
    });
  });
});
