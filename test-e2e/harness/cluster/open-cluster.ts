/** The services under test as a Helm release: installed if missing, reached through the cluster's own ports. */
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

/** Fixed, so that the settings of the release stay the same across runs; two concurrent runs need two pairs. */
const [https = 30_443, dns = 30_053] = (process.env['VDS_ORIGIN_PORTS'] ?? '30443,30053').split(',').map(Number);
const ports = { https, dns };

/** Installs the release if it is missing, and opens the port forwards; `close` leaves it running. */
export async function openCluster(): Promise<Target> {
  if (targetKind() === 'kind') await prepareKind();
  // Closes what is already open when a later step fails: otherwise the origin would keep its ports from every later
  // suite.
  await using opened = new AsyncDisposableStack();
  const source = await openSource({ address: await hostAddress(), ports, keep: join(keptDir, 'origin') });
  opened.defer(source.close);
  const downloads = await mkdtemp(join(tmpdir(), 'vds-e2e-'));
  opened.defer(() => rm(downloads, { recursive: true, force: true }));
  await withDiagnosis(() => installRelease(source));
  const site = await withDiagnosis(openClusterSite);
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

async function withDiagnosis<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    console.log(`      the state of the cluster: ${await diagnose()}`);
    throw error;
  }
}
