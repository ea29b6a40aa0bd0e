/** The services under test, one for all suites of a run: opened at the first use, closed after the last test. */
import type { Context } from 'mocha';
import { skipBecause } from '@vds/shared/testing/skip';
import { openHost, type HostTarget, type Target } from './host.ts';
import { targetKind } from './target-kind.ts';

let opened: Promise<Target> | undefined;
let host: Promise<HostTarget> | undefined;

const openTarget = async (): Promise<Target> => {
  if (targetKind() === 'host') return (host ??= openHost({ replicas: { playback: 2, transcode: 2 } }));
  const { openCluster } = await import('./cluster/open-cluster.ts');
  return openCluster();
};

/** What `VDS_TARGET` names: processes of this host, or a release in a cluster. */
export const theTarget = (): Promise<Target> => (opened ??= openTarget());

/** The same where it is processes of this host, which can be killed and wiped; else the test is skipped. */
export const theHost = async (context: Context): Promise<HostTarget> => {
  if (targetKind() !== 'host') return skipBecause(context, 'needs processes of this host that it may kill');
  await theTarget();
  return host ?? skipBecause(context, 'there is no host');
};

after(async function () {
  this.timeout(120_000);
  await (await opened)?.close();
});
