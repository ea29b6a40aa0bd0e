/** PostgreSQL with `sslmode`: what a server without TLS receives, or one with another identity. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import pg from 'pg';
import { openRecordingServer } from '@vds/testkit/harness/recording-server';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import { readConfig } from '../../src/config/config.ts';
import { connectionOf, prismaSettings } from '../../src/database/connection.ts';
import { databaseConfig } from '../../src/database/database.ts';

const PASSWORD = 'the-password-of-catalog';
/** The request of a client that wants TLS: its length and 80877103. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const NO_TLS = 'N';
const REJECTED = 'E\0\0\0\x1dSFATAL\0C28P01\0Mrejected\0\0';
const PASSWORD_PLEASE = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3]).toString('latin1');

function urlOf(port: number, sslmode?: string, host = '127.0.0.1'): string {
  return `postgresql://catalog@${host}:${port}/catalog${sslmode === undefined ? '' : `?sslmode=${sslmode}`}`;
}

/** Refuses TLS, asks everybody for the password in clear text, and rejects it. */
function plainPostgres() {
  return openRecordingServer({
    answer: (data) => {
      if (data.equals(SSL_REQUEST)) return NO_TLS;
      return data[0] === 0 ? PASSWORD_PLEASE : REJECTED;
    },
  });
}

/** The error of connecting; the server must never let the client in. */
async function failure(connection: () => pg.ClientConfig): Promise<string> {
  try {
    const client = new pg.Client({ ...connection(), connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return 'connected';
    } finally {
      await client.end();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

describe('PostgreSQL over TLS', () => {
  for (const sslmode of ['require', 'verify-ca', 'verify-full'])
    it(`a server that offers no TLS gets neither user nor password with sslmode=${sslmode}`, async () => {
      const plain = await plainPostgres();
      const message = await failure(() => connectionOf(urlOf(plain.port, sslmode), PASSWORD));
      const received = plain.received();
      await plain.close();
      expect(received).to.equal(SSL_REQUEST.toString('latin1'));
      expect(message).to.match(/does not support SSL/);
    });

  for (const sslmode of ['allow', 'prefer', 'verify_full', 'VERIFY-FULL', '', 'constructor', 'require&sslmode=disable'])
    it(`sslmode=${sslmode} is refused before anything is sent`, async () => {
      const plain = await plainPostgres();
      const url = urlOf(plain.port, sslmode);
      const message = await failure(() => connectionOf(url, PASSWORD));
      const received = plain.received();
      await plain.close();
      expect(received).to.equal('');
      expect(message).to.match(/sslmode must be disable, require, verify-ca or verify-full/);
      expect(() => readConfig(databaseConfig, { DATABASE_URL: url })).to.throw(/DATABASE_URL: sslmode must be/);
      await prismaSettings({ DATABASE_URL: url, DATABASE_PASSWORD: PASSWORD })
        .adapter()
        .then(
          () => expect.fail('Prisma would connect'),
          (error: Error) => expect(error.message).to.match(/sslmode must be/),
        );
    });

  describe('certificates', () => {
    const trustedBefore = getCACertificates('default');
    let known: TlsFiles;
    let ofAnotherHost: TlsFiles;
    let unknown: TlsFiles;
    before(async () => {
      known = await testTlsFiles(['127.0.0.1', 'localhost']);
      ofAnotherHost = await testTlsFiles(['elsewhere.example']);
      unknown = await testTlsFiles(['127.0.0.1', 'localhost']);
      // As NODE_EXTRA_CA_CERTS does at the start of a process.
      setDefaultCACertificates([...trustedBefore, known.pem.ca, ofAnotherHost.pem.ca]);
    });
    after(() => {
      setDefaultCACertificates(trustedBefore);
      for (const files of [known, ofAnotherHost, unknown]) files.remove();
    });

    /** Whether a client with this mode sends its user to a server with this certificate. */
    const trusts = async (sslmode: string, { pem }: TlsFiles, host: string): Promise<boolean> => {
      let received = '';
      const secure = createTlsServer({ cert: pem.cert, key: pem.key }, (clear) => {
        clear
          .on('error', () => undefined)
          .on('data', (data) => {
            received += data.toString('latin1');
            clear.destroy();
          });
      }).on('tlsClientError', () => undefined);
      const server = createServer((socket) => {
        socket
          .on('error', () => undefined)
          .once('data', () => {
            socket.write('S');
            secure.emit('connection', socket);
          });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      await failure(() => connectionOf(urlOf((server.address() as AddressInfo).port, sslmode, host), PASSWORD));
      server.close();
      return received.includes('user\0catalog');
    };

    for (const host of ['127.0.0.1', 'localhost'])
      it(`each sslmode accepts what PostgreSQL’s own clients accept of ${host}`, async () => {
        const accepted = async (sslmode: string) => ({
          known: await trusts(sslmode, known, host),
          ofAnotherHost: await trusts(sslmode, ofAnotherHost, host),
          unknown: await trusts(sslmode, unknown, host),
        });
        expect(await accepted('require')).to.deep.equal({ known: true, ofAnotherHost: true, unknown: true });
        expect(await accepted('verify-ca')).to.deep.equal({ known: true, ofAnotherHost: true, unknown: false });
        expect(await accepted('verify-full')).to.deep.equal({ known: true, ofAnotherHost: false, unknown: false });
      });
  });

  it('without sslmode, or with disable, there is no TLS, whatever PGSSLMODE is', async () => {
    const before = process.env['PGSSLMODE'];
    process.env['PGSSLMODE'] = 'require';
    try {
      for (const sslmode of [undefined, 'disable']) {
        const plain = await plainPostgres();
        await failure(() => connectionOf(urlOf(plain.port, sslmode), PASSWORD));
        expect(plain.received()).to.include(PASSWORD);
        await plain.close();
      }
    } finally {
      if (before === undefined) delete process.env['PGSSLMODE'];
      else process.env['PGSSLMODE'] = before;
    }
  });
});
