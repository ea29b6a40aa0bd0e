import { createHash } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transcode } from '@vds/proto';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { expect } from 'chai';
import { makeCertificates, type Certificates } from '@vds/deploy-tools/secrets/certificates';
import { watchCertificates } from '@vds/chassis/config/tls-files';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { serveRpc, service } from '@vds/chassis/rpc/rpc';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { until } from '../until.ts';

/** A folder as kubelet mounts a Secret: the files link through `..data`, which is replaced atomically. */
function mountedSecret() {
  const dir = mkdtempSync(join(tmpdir(), 'certificates-'));
  const names = { tlsCertFile: 'tls.crt', tlsKeyFile: 'tls.key', tlsCaFile: 'ca.crt' } as const;
  let version = 0;
  const put = (made: Certificates): void => {
    version += 1;
    mkdirSync(join(dir, `..v${version}`));
    writeFileSync(join(dir, `..v${version}`, names.tlsCertFile), made.certificate);
    writeFileSync(join(dir, `..v${version}`, names.tlsKeyFile), made.key);
    writeFileSync(join(dir, `..v${version}`, names.tlsCaFile), made.caCertificate);
    symlinkSync(`..v${version}`, join(dir, '..next'));
    renameSync(join(dir, '..next'), join(dir, '..data'));
  };
  for (const name of Object.values(names)) symlinkSync(join('..data', name), join(dir, name));
  const files = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, join(dir, name)]));
  return { files: files as typeof names, put, drop: () => rmSync(dir, { recursive: true }) };
}

function make(): Promise<Certificates> {
  return makeCertificates(['127.0.0.1']);
}

describe('renewed certificates', () => {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line) => void lines.push(line) });
  const open: { close: () => Promise<unknown> }[] = [];
  let ours: ReturnType<typeof mountedSecret>;
  let theirs: ReturnType<typeof mountedSecret>;
  let old: Certificates;
  let target: string;
  beforeEach(async () => {
    lines.length = 0;
    [ours, theirs, old] = [mountedSecret(), mountedSecret(), await make()];
    for (const secret of [ours, theirs]) secret.put(old);
    const digest = createHash('sha256').update('t').digest('hex');
    const handlers = { GetLadder: async () => ({ videoId: 'a' }), GetPreview: async () => ({}) };
    const served = service<TranscodeServiceHandlers>(
      transcode.TranscodeService.service,
      { GetLadder: ['friend'], GetPreview: [] },
      handlers,
    );
    const config = { rpcPort: 0, rpcCallers: [`friend=${digest}`], ...ours.files };
    const server = await serveRpc({ port: 0, services: [served], log, metrics: createMetrics('test'), config });
    open.push(server);
    target = `dns:///127.0.0.1:${server.port}`;
  });
  afterEach(async () => {
    for (const part of open.splice(0).toReversed()) await part.close();
    for (const secret of [ours, theirs]) secret.drop();
  });

  /** A client with its own connection. */
  const ask = async (files: typeof ours.files): Promise<string> => {
    const config = { rpcToken: 't', ...files };
    const client = rpcClient(transcode.TranscodeService, { target, config, timeoutMs: 2_000 });
    try {
      return (await client.GetLadder({})).videoId ?? '';
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await client.close();
    }
  };
  const watch = (secret: typeof ours) => {
    const metrics = createMetrics('test');
    open.push(watchCertificates(secret.files, { log, metrics, everyMs: 20 }));
    return metrics;
  };

  it('servers and clients use renewed certificates without a restart, also of another authority', async () => {
    for (const secret of [ours, theirs]) watch(secret);
    expect(await ask(theirs.files)).to.equal('a');
    const renewed = await make();
    ours.put(renewed);
    await until(async () => (await ask(theirs.files)) !== 'a', { what: 'the server shows its new certificate' });
    theirs.put(renewed);
    await until(async () => (await ask(theirs.files)) === 'a', { what: 'the client shows and trusts the new ones' });
  });

  it('a renewed certificate that is broken is ignored', async () => {
    watch(ours);
    ours.put({ ...(await make()), key: old.key });
    await until(() => lines.some((line) => line.includes('certificate files unusable')), { what: 'it is logged' });
    expect(await ask(theirs.files)).to.equal('a');
  });

  it('a metric shows when the certificate in use expires', async () => {
    const metrics = watch(ours);
    const value = (await metrics.registry.getSingleMetric('vds_tls_certificate_expires_seconds')?.get())?.values[0];
    expect(value?.value).to.be.closeTo(Date.now() / 1_000 + 30 * 86_400, 60);
  });
});
