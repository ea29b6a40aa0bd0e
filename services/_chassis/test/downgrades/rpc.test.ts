/** gRPC with TLS files: what a clear-text peer receives, and what a process does with half of the files. */
import { createHash, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { transcode } from '@vds/proto';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { expect } from 'chai';
import { openRecordingServer, type RecordingServer } from '@vds/testkit/harness/recording-server';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import type { TlsFiles as Files } from '../../src/config/tls-files.ts';
import { channelCredentials, serverCredentials } from '../../src/rpc/credentials.ts';
import { rpcClient } from '../../src/rpc/rpc-client.ts';
import { serveRpc, service } from '../../src/rpc/rpc.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const TOKEN = 'the-token-of-gateway';
/** The first frame of an HTTP/2 server. */
const SETTINGS = '\0\0\0\x04\0\0\0\0\0';
const names = ['tlsCertFile', 'tlsKeyFile', 'tlsCaFile'] as const;

describe('gRPC over TLS', () => {
  let tls: TlsFiles;
  let files: Files;
  let plain: RecordingServer;
  before(async () => {
    tls = await testTlsFiles();
    files = { tlsCertFile: tls.certFile, tlsKeyFile: tls.keyFile, tlsCaFile: tls.caFile };
  });
  beforeEach(async () => {
    plain = await openRecordingServer({ greeting: SETTINGS });
  });
  afterEach(() => plain.close());
  after(() => tls.remove());

  const call = async (config: Files): Promise<string> => {
    try {
      const target = `dns:///127.0.0.1:${plain.port}`;
      const options = { target, config: { rpcToken: TOKEN, ...config }, timeoutMs: 500 };
      const client = rpcClient(transcode.TranscodeService, options);
      try {
        return await client.GetLadder({}).then(() => 'succeeded', String);
      } finally {
        await client.close();
      }
    } catch (error) {
      return String(error);
    }
  };

  it('a clear-text peer gets no token', async () => {
    await call(files);
    expect(plain.connections()).to.be.above(0);
    expect(plain.received()).not.to.include('PRI * HTTP/2');
  });

  for (const missing of [...names.map((name) => [name]), ...names.map((name) => names.filter((one) => one !== name))])
    it(`without ${missing.join(' and ')} a call fails instead of being made in clear text`, async () => {
      const some = { ...files, ...Object.fromEntries(missing.map((name) => [name, undefined])) };
      const message = await call(some);
      expect(plain.connections()).to.equal(0);
      expect(message).to.match(/TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE belong together: set all of them or none/);
      expect(() => channelCredentials(some)).to.throw(/belong together/);
      expect(() => serverCredentials(some)).to.throw(/belong together/);
    });

  it('a server reports when the certificates of its callers expire', async () => {
    const metrics = createMetrics('test');
    const digest = createHash('sha256').update(TOKEN).digest('hex');
    const served = service<TranscodeServiceHandlers>(
      transcode.TranscodeService.service,
      { GetLadder: ['apps'], GetPreview: [] },
      { GetLadder: async () => ({}), GetPreview: async () => ({}) },
    );
    const config = { rpcCallers: [`apps=${digest}`], ...files };
    const log = createLogger('test', 'error', { write: () => {} });
    const server = await serveRpc({ port: 0, services: [served], log, metrics, config });
    const target = `dns:///localhost:${server.port}`;
    const client = rpcClient(transcode.TranscodeService, { target, config: { rpcToken: TOKEN, ...files } });
    await client.GetLadder({});
    const expires = new X509Certificate(await readFile(tls.certFile)).validToDate.getTime() / 1_000;
    const { values } = await (metrics.registry.getSingleMetric('vds_rpc_caller_certificate_expires_seconds')?.get() ??
      expect.fail('there is no such metric'));
    expect(values.map(({ labels, value }) => [labels['caller'], value])).to.deep.equal([['apps', expires]]);
    await client.close();
    await server.close();
  });

  it('without any of the files calls are made in clear text', async () => {
    await call({ tlsCertFile: undefined, tlsKeyFile: undefined, tlsCaFile: undefined });
    expect(plain.received()).to.include('PRI * HTTP/2');
  });
});
