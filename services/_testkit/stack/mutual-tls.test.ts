/**
 * With `TLS_*` set, services talk to each other only over TLS, and only to peers with a certificate of the same
 * authority.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { auth } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { readServers } from '../servers/servers-file.ts';
import { makeCertificates } from '@vds/deploy-tools/secrets/certificates';
import { startStack, type Stack } from './start-stack.ts';
import { noTls } from '../harness/rpc-callers.ts';

type Tls = { tlsCertFile: string | undefined; tlsKeyFile: string | undefined; tlsCaFile: string | undefined };

describe('mutual TLS between services', function () {
  this.timeout(120_000);
  const dir = mkdtempSync(join(tmpdir(), 'stack-tls-'));
  let stack: Stack;
  let ours: Tls;
  let foreign: Tls;

  const filesOf = async (name: string): Promise<Tls> => {
    const made = await makeCertificates(['127.0.0.1']);
    const write = (kind: string, text: string): string => {
      const file = join(dir, `${name}.${kind}.pem`);
      writeFileSync(file, text, { mode: 0o600 });
      return file;
    };
    return {
      tlsCertFile: write('cert', made.certificate),
      tlsKeyFile: write('key', made.key),
      tlsCaFile: write('ca', made.caCertificate),
    };
  };
  const issueKey = async (tls: Tls): Promise<string> => {
    const config = { rpcToken: stack.tokens.vdsctl, ...tls };
    const admin = rpcClient(auth.AuthAdmin, { target: stack.rpc('auth', 'adminRpc'), config, timeoutMs: 3_000 });
    try {
      const { id } = await admin.CreatePublisher({ name: 'TLS', organization: 'TLS' });
      return (await admin.IssueKey({ publisherId: id, scopes: ['videos:read'] })).secretKey;
    } finally {
      await admin.close();
    }
  };
  const rejection = (tls: Tls): Promise<unknown> =>
    issueKey(tls).then(
      () => 'let in',
      (error: { code?: string }) => error.code,
    );
  /** A server's first message to a client that trusts it and has no certificate: its error, or the frame of HTTP/2. */
  const greeting = (caFile = ''): Promise<string> =>
    new Promise((resolve) => {
      const port = Number(stack.rpc('auth', 'adminRpc').split(':').at(-1));
      const socket = connect({ port, host: '127.0.0.1', ca: readFileSync(caFile), ALPNProtocols: ['h2'] });
      socket.once('data', (data) => resolve(data.toString())).once('error', ({ message }) => resolve(message));
      socket.once('close', () => resolve('closed'));
    });

  before(async () => {
    ours = await filesOf('ours');
    foreign = await filesOf('foreign');
    const env = {
      TLS_CERT_FILE: ours.tlsCertFile ?? '',
      TLS_KEY_FILE: ours.tlsKeyFile ?? '',
      TLS_CA_FILE: ours.tlsCaFile ?? '',
    };
    stack = await startStack({
      dir: join(dir, 'stack'),
      name: `t${process.pid}`,
      servers: readServers(),
      services: ['auth', 'catalog', 'gateway'],
      env: { auth: env, catalog: env, gateway: { ...env, PLAYBACK_PUBLIC_URL: 'https://play.example.com' } },
    });
  });
  after(async () => {
    await stack?.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  it('with mutual TLS services accept a certificate of their authority, from the gateway to the catalog', async () => {
    const key = await issueKey(ours);
    const path = '/v1/videos/01jd3m8q0c7e5b9x2k4n6p8rst';
    const answer = await fetch(`${stack.url('gateway')}${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).to.equal(404);
  });

  it('with mutual TLS a client without TLS is rejected', async () => {
    expect(await rejection(noTls)).to.be.oneOf(['UNAVAILABLE', 'DEADLINE_EXCEEDED']);
  });

  it('with mutual TLS a client without a certificate, or with one of another authority, is rejected', async () => {
    expect(await greeting(ours.tlsCaFile)).to.match(/certificate required/);
    expect(await rejection({ ...foreign, tlsCaFile: ours.tlsCaFile })).to.be.oneOf([
      'UNAVAILABLE',
      'DEADLINE_EXCEEDED',
    ]);
  });
});
