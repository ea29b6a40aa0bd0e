/** PostgreSQL without a password of our own: a token for each new connection, at a real server and at one that records it. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { expectedSignature } from '@vds/testkit/harness/aws-signature';
import { testDatabase, type TestDatabase } from '@vds/testkit/harness/database';
import { AGENT_TOKEN, openFakeCloud, type FakeCloud, type Issued } from '@vds/testkit/harness/fake-cloud';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { databaseToken } from '../../src/cloud/database-token.ts';
import { prismaSettings } from '../../src/database/connection.ts';
import { openPool, poolOptions } from '../../src/database/database.ts';
import { passwordOf, type DatabaseLogin } from '../../src/database/login.ts';
import { classify } from '../../src/errors.ts';
import { quiet } from '../fixtures.ts';

const SSL_REQUEST_BYTES = 8;
const CLEAR_TEXT_PASSWORD = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3]);
const HOUR = 3_600_000;

describe('PostgreSQL by the identity of the pod', function () {
  this.timeout(20_000);
  const trustedBefore = getCACertificates('default');
  const opened: { readonly close: () => unknown }[] = [];
  const keep = <T extends { readonly close: () => unknown }>(one: T): T => (opened.push(one), one);
  let tls: TlsFiles;
  let database: TestDatabase;
  before(async () => {
    tls = await testTlsFiles();
    setDefaultCACertificates([...trustedBefore, tls.pem.ca]);
    database = await testDatabase();
  });
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });
  after(async () => {
    setDefaultCACertificates(trustedBefore);
    tls.remove();
    await database.drop();
  });

  /** Takes the TLS of a client, as PostgreSQL negotiates it, and passes the rest to `onClient`. */
  const sockets = new Set<Socket>();
  const withTls = async (onClient: (client: TLSSocket) => void): Promise<number> => {
    const secure = createTlsServer({ cert: tls.pem.cert, key: tls.pem.key }, onClient).on('tlsClientError', () => {});
    const server: Server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
      socket.once('data', (data) => {
        expect(data.length).to.equal(SSL_REQUEST_BYTES);
        socket.write('S');
        secure.emit('connection', socket);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    keep({ close: () => (sockets.forEach((socket) => void socket.destroy()), server.close()) });
    return (server.address() as AddressInfo).port;
  };
  const realServer = (): Promise<number> =>
    withTls((client) => {
      const { host, port } = database.poolConfig;
      const real = connect(port, host).on('error', () => void client.destroy());
      client
        .on('error', () => void real.destroy())
        .pipe(real)
        .pipe(client);
    });
  const cloudOf = async (issue: () => Issued): Promise<FakeCloud> => keep(await openFakeCloud({ tls, issue }));
  const token = (sessionToken: string, lifeMs = HOUR): Issued => ({
    accessKey: 'AKID',
    secretKey: 's',
    sessionToken,
    lifeMs,
  });
  const urlOf = (user: string, port: number, name: string): string =>
    `postgresql://${user}@localhost:${port}/${name}?sslmode=verify-full`;

  it('each new connection asks for the token of now; those that are open live on', async () => {
    const { database: name } = database.poolConfig;
    const role = `${name}_role`;
    const admin = new pg.Pool(database.poolConfig);
    keep({ close: () => admin.end() });
    await admin.query(`create role "${role}" login password 'token-1'`);
    keep({ close: () => admin.query(`drop role "${role}"`) });
    let current = token('token-1', 900);
    const cloud = await cloudOf(() => current);
    const databaseUrl = urlOf(role, await realServer(), name);
    const settings = {
      databaseUrl,
      databasePoolSize: 5,
      databaseAuth: 'google' as const,
      googleMetadataHost: cloud.url,
    };
    const pool = keep(openPool(settings, 'test', quiet));
    const one = await pool.connect();
    await admin.query(`alter role "${role}" password 'token-2'`);
    current = token('token-2');
    for (let quarter = 0; quarter < 4; quarter += 1) await sleep(250);
    const two = await pool.connect();
    for (const client of [one, two])
      expect((await client.query<{ role: string }>('select current_user as role')).rows).to.deep.equal([{ role }]);
    for (const client of [one, two]) client.release();
    expect(cloud.asked.length).to.equal(2);
  });

  it('Prisma connects with a token, too', async () => {
    const { user, password, database: name } = database.poolConfig;
    const cloud = await cloudOf(() => token(password));
    const DATABASE_URL = urlOf(user, await realServer(), name);
    const { adapter } = prismaSettings({ DATABASE_URL, DATABASE_AUTH: 'google', GCE_METADATA_HOST: cloud.url });
    const prisma = await (await adapter()).connect();
    const { rows } = await prisma.queryRaw({ sql: 'select current_user::text', args: [], argTypes: [] });
    expect(rows).to.deep.equal([[user]]);
    await prisma.dispose();
  });

  it('RDS gets a token for this host and user that its role has signed, over TLS and never otherwise', async () => {
    const passwords: string[] = [];
    const port = await withTls((client) => {
      client
        .on('error', () => {})
        .once('data', () => {
          client.write(CLEAR_TEXT_PASSWORD);
          client.once('data', (data) => {
            passwords.push(data.subarray(5, -1).toString());
            client.destroy();
          });
        });
    });
    const cloud = await cloudOf(() => ({ ...token('session/+=token'), secretKey: 'the-secret' }));
    const awsContainerTokenFile = join(dirname(tls.caFile), 'agent-token');
    writeFileSync(awsContainerTokenFile, AGENT_TOKEN);
    const login: DatabaseLogin = {
      ...{ databaseAuth: 'aws', awsRegion: 'eu-west-1' },
      ...{ awsContainerUrl: `${cloud.url}/v1/credentials`, awsContainerTokenFile },
    };
    const databaseUrl = urlOf('north_catalog', port, 'north');
    for (let count = 0; count < 2; count += 1) {
      const client = new pg.Client(poolOptions({ databaseUrl, databasePoolSize: 1, ...login }, 'test'));
      client.on('error', () => {});
      await client.connect().then(
        () => expect.fail('it connected'),
        () => {},
      );
    }
    expect(passwords).to.have.lengthOf(2);
    expect(cloud.asked.length).to.equal(1);
    for (const password of passwords) {
      const url = new URL(`https://${password}`);
      const { searchParams } = url;
      const signature = searchParams.get('X-Amz-Signature');
      const time = searchParams.get('X-Amz-Date') ?? '';
      expect(url.host).to.equal(`localhost:${port}`);
      expect([searchParams.get('DBUser'), searchParams.get('X-Amz-Security-Token')]).to.deep.equal([
        'north_catalog',
        'session/+=token',
      ]);
      const signed = password.slice(password.indexOf('/')).replace(/&X-Amz-Signature=.*/, '');
      const of = { method: 'GET', url: signed, headers: { host: url.host }, names: 'host', secret: 'the-secret', time };
      const digest = createHash('sha256').digest('hex');
      expect(signature).to.equal(expectedSignature({ ...of, digest, region: 'eu-west-1', service: 'rds-db' }));
    }
  });

  it('tokens of RDS are those of AWS’s own library', () => {
    const at = new Date('2026-03-04T05:06:07Z');
    const secretKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
    const keys = { accessKey: 'AKIDEXAMPLE', secretKey, sessionToken: 'IQoJb3JpZ2luX2VjE+/=token' };
    const host = 'vds.cluster-abc.eu-west-1.rds.amazonaws.com';
    // Of botocore 1.43: generate_db_auth_token.
    expect(databaseToken({ host, port: 5432, user: 'north_catalog' }, 'eu-west-1', keys, at)).to.match(
      /&X-Amz-Signature=35fc71721ed18cae4ec1ca5ace1c63451d26f6f877d0d1f3a17ab320735fadb0$/,
    );
    const plain = { accessKey: 'AKIDEXAMPLE', secretKey: 'secret' };
    expect(
      databaseToken({ host: 'db.example.com', port: 6432, user: 'catalog-owner' }, 'us-east-1', plain, at),
    ).to.equal(
      'db.example.com:6432/?Action=connect&DBUser=catalog-owner&X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKIDEXAMPLE%2F20260304%2Fus-east-1%2Frds-db%2Faws4_request&X-Amz-Date=20260304T050607Z' +
        '&X-Amz-Expires=900&X-Amz-SignedHeaders=host' +
        '&X-Amz-Signature=88a28a35a777411d19142bc07493f9ae670eabab7d79a3da2568ca22c9d14276',
    );
  });

  it('without an issuer a connection is an unavailable dependency', async () => {
    const cloud = await cloudOf(() => token('x'));
    cloud.state.mood = 'fails';
    const databaseUrl = urlOf('catalog', await realServer(), 'catalog');
    const settings = {
      databaseUrl,
      databasePoolSize: 1,
      databaseAuth: 'google' as const,
      googleMetadataHost: cloud.url,
    };
    const pool = keep(openPool(settings, 'test', quiet));
    const error = await pool.query('select 1').then(
      () => expect.fail('it connected'),
      (one: Error) => one,
    );
    expect(classify(error).class).to.equal('dependency');
    expect(error.message).to.match(/^the metadata server of Google Cloud refuses: status 503$/);
    await until(() => sockets.size === 0, { what: 'the end of the connection that has no password' });
  });

  it('a token without verified TLS, beside a password, or without a region is refused at the start', () => {
    const databaseUrl = urlOf('catalog', 5432, 'catalog');
    const said = (login: DatabaseLogin, url = databaseUrl): string => {
      try {
        passwordOf({ databaseUrl: url, ...login });
        return 'opened';
      } catch (error) {
        return (error as Error).message;
      }
    };
    for (const mode of ['', '?sslmode=disable', '?sslmode=require'])
      expect(said({ databaseAuth: 'google' }, databaseUrl.replace(/\?.*/, mode))).to.match(
        /must say sslmode=verify-full/,
      );
    expect(said({ databaseAuth: 'google' })).to.equal('opened');
    expect(said({ databaseAuth: 'google', databasePassword: 'x' })).to.match(/beside a password/);
    expect(said({ databaseAuth: 'aws' })).to.match(/^AWS_REGION is not set, which DATABASE_AUTH=aws needs/);
  });
});
