import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import pg from 'pg';
import { basicAuthorization, startTlsServers, type TlsServers } from './tls-servers.ts';

describe('servers with TLS of a private authority', function () {
  this.timeout(60_000);
  let tls: TlsServers;
  before(async () => {
    tls = await startTlsServers();
  });
  after(() => tls?.close());

  const query = async (ssl: pg.ClientConfig['ssl'], sql: string): Promise<unknown> => {
    const { host, port } = tls.servers.postgres;
    const client = new pg.Client({ host, port, ...tls.databases, database: 'postgres', ssl });
    try {
      await client.connect();
      return (await client.query<{ found: unknown }>(sql)).rows[0]?.found;
    } finally {
      await client.end().catch(() => undefined); // it may never have been connected
    }
  };
  const failure = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      (error: Error) => error.message,
    );

  it('PostgreSQL accepts connections only over TLS, and its administrator is not a superuser', async () => {
    expect(await failure(query(false, 'select 1'))).to.match(/no encryption/);
    const found = `select format('%s %s %s', rolsuper, rolcreaterole, rolcreatedb) as found from pg_roles
      where rolname = current_user`;
    expect(await query(tls.servers.postgres.ssl, found)).to.equal('f t t');
  });

  it('NATS accepts connections only over TLS', async () => {
    const { url, user, password } = tls.servers.nats;
    const login = { user, pass: password, reconnect: false };
    expect(await failure(connect({ servers: url, ...login, tls: null }))).to.not.equal('none');
    const connection = await connect({ servers: url, ...login, tls: { caFile: tls.caFile } });
    await connection.close();
  });

  it('S3 and OpenSearch answer only over HTTPS, OpenSearch to its users about their own indexes', async () => {
    const { s3, opensearch } = tls.servers;
    const url = opensearch?.url ?? '';
    for (const server of [s3.endpoint, url])
      expect(await failure(fetch(server.replace('https', 'http')))).to.not.equal('none');
    expect((await fetch(`${s3.endpoint}/health`)).status).to.equal(200);
    expect((await fetch(url)).status).to.equal(401);
    const login = { user: 'one', password: 'secret' };
    tls.permitSearch({ ...login, indexes: ['one-videos*'] });
    const statusOf = async (path: string): Promise<number> =>
      (await fetch(`${url}${path}`, { headers: { authorization: basicAuthorization(login) } })).status;
    const statuses = await Promise.all(
      ['/', '/one-videos-1', '/one-2-videos-1', '/one-videos,other/_search'].map(statusOf),
    );
    expect(statuses).to.deep.equal([200, 404, 403, 403]);
  });
});
