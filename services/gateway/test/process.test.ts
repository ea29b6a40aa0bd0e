import { notFound } from '@vds/chassis/errors';
import { tokenOf } from '@vds/testkit/harness/rpc-callers';
import { spawnService, type ServiceProcess } from '@vds/testkit/harness/service-process';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { caller, servePeers } from './gateway.ts';

const service = new URL('..', import.meta.url);

describe('the gateway process', () => {
  let peers: Awaited<ReturnType<typeof servePeers>>;
  let release: () => void = () => {};
  const held: string[] = [];

  before(async () => {
    peers = await servePeers({
      auth: { Authorize: async () => caller },
      catalog: {
        GetVideo: () => Promise.reject(notFound('the video')),
        ArchiveVideo: async ({ id }) => {
          held.push(id);
          await new Promise<void>((resolve) => (release = resolve));
          return { id, status: 'archived', queued: false };
        },
      },
    });
  });
  after(() => peers.close());

  const boot = (environment: Record<string, string>): ServiceProcess => spawnService(service, environment);

  it('startup names every missing variable and exits with 1', async () => {
    const { lines, exited } = boot({});
    expect(await exited).to.equal(1);
    for (const name of ['AUTH_RPC', 'CATALOG_RPC', 'PLAYBACK_PUBLIC_URL', 'RPC_TOKEN'])
      expect(String(lines[0]?.['msg'])).to.include(name);
  });

  it('the gateway is not ready while its service token is rejected, and logs it', async () => {
    const target = `dns:///127.0.0.1:${peers.port}`;
    const { process: child, lines } = boot({
      AUTH_RPC: target,
      CATALOG_RPC: target,
      PLAYBACK_PUBLIC_URL: 'https://play.example.com/',
      RPC_TOKEN: 'unknown-token',
      ADMIN_PORT: '0',
    });
    try {
      const waits = (check: string) => lines.some((line) => line['check'] === check && line['level'] === 'warn');
      await until(() => waits('auth_reached') && waits('catalog_reached'), { what: 'it logs the reason of its wait' });
      expect(lines.some((line) => line['msg'] === 'ready')).to.equal(false);
      expect(String(lines.find((line) => line['check'] === 'auth_reached')?.['reason'])).to.include('service token');
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('SIGTERM finishes running requests, closes connections and exits with 0', async () => {
    const target = `dns:///127.0.0.1:${peers.port}`;
    const {
      process: child,
      lines,
      exited,
    } = boot({
      AUTH_RPC: target,
      CATALOG_RPC: target,
      PLAYBACK_PUBLIC_URL: 'https://play.example.com/',
      RPC_TOKEN: tokenOf('gateway'),
      ADMIN_PORT: '0',
    });
    try {
      await until(() => lines.some((line) => line['msg'] === 'ready'), { what: 'the gateway is ready' });
      const port = Number(lines.find((line) => 'http_port' in line)?.['http_port']);
      const admin = Number(lines.find((line) => 'admin_port' in line)?.['admin_port']);
      expect((await fetch(`http://127.0.0.1:${admin}/readyz`)).status).to.equal(200);
      const running = fetch(`http://127.0.0.1:${port}/v1/videos/01jd3m8q0c7e5b9x2k4n6p8rst/archive`, {
        method: 'POST',
        headers: { authorization: 'Bearer k' },
      });
      await until(() => held.length > 0, { what: 'catalog is called' });
      child.kill('SIGTERM');
      await until(() => lines.some((line) => line['msg'] === 'stopping'), { what: 'it starts to stop' });
      await until(
        () =>
          // Read to the end: an unread response would keep the connection open.
          fetch(`http://127.0.0.1:${port}/docs`)
            .then((response) => response.arrayBuffer())
            .then(
              () => false,
              () => true,
            ),
        { what: 'new connections are rejected' },
      );
      release();
      expect((await running).status).to.equal(200);
      expect(await exited).to.equal(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
