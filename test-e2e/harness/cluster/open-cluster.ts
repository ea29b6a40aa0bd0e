/** The services under test as a Helm release: installed where they are not, reached through the cluster's own doors. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOperatorClient } from '../operator-client.ts';
import type { Target } from '../host/host.ts';
import { openSource } from '../source.ts';
import { targetKind } from '../target-kind.ts';
import { openClusterSite } from './cluster-site.ts';
import { diagnose } from './diagnose.ts';
import { hostAddress } from './host-address.ts';
import { installRelease } from './install.ts';
import { prepareKind } from './kind.ts';
import { keptDir } from './phases.ts';

/** Fixed, so that the settings of the release stay the same from run to run; two runs at once need two pairs. */
const [https = 30_443, dns = 30_053] = (process.env['VDS_ORIGIN_PORTS'] ?? '30443,30053').split(',').map(Number);
const ports = { https, dns };

/** Installs the release where it is not there yet, and opens the ways to it; `close` leaves it running. */
export async function openCluster(): Promise<Target> {
  if (targetKind() === 'kind') await prepareKind();
  // What is open when a later step fails is closed: else the origin would hold its ports for every suite that follows.
  await using opened = new AsyncDisposableStack();
  const source = await openSource({ address: await hostAddress(), ports, keep: join(keptDir, 'origin') });
  opened.defer(source.close);
  const downloads = await mkdtemp(join(tmpdir(), 'vds-e2e-'));
  opened.defer(() => rm(downloads, { recursive: true, force: true }));
  await told(() => installRelease(source));
  const site = await told(openClusterSite);
  opened.defer(site.close);
  const operator = openOperatorClient(site);
  opened.defer(operator.close);
  const open = opened.move();
  return {
    ...source,
    ...operator,
    site,
    scratch: (name) => join(downloads, name),
    close: () => open.disposeAsync(),
  };
}

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    console.log(`      what the cluster knows of it: ${await diagnose()}`);
    throw error;
  }
}
