/** The services under test, one instance for all suites of a run: opened on first use, closed after the last test. */
import type { Context } from 'mocha';
import { skipBecause } from '@vds/testkit/skip';
import { openHost, type HostTarget, type Target } from './host/host.ts';
import { targetKind } from './target-kind.ts';

let opened: Promise<Target> | undefined;
let host: Promise<HostTarget> | undefined;

async function openTarget(): Promise<Target> {
  if (targetKind() === 'host') return (host ??= openHost({ replicas: { playback: 2, transcode: 2 } }));
  const { openCluster } = await import('./cluster/open-cluster.ts');
  return openCluster();
}

/** The target that `VDS_TARGET` names: processes of this host, or a release in a cluster. */
export function theTarget(): Promise<Target> {
  return (opened ??= openTarget());
}

/** The target, if it is processes of this host, which can be killed and wiped; else the test is skipped. */
export async function theHost(context: Context): Promise<HostTarget> {
  if (targetKind() !== 'host') return skipBecause(context, 'needs processes of this host that it may kill');
  await theTarget();
  return host ?? skipBecause(context, 'there is no host');
}

/** The target, if it is a release in a cluster; else the test is skipped. */
export async function theCluster(context: Context): Promise<Target> {
  if (targetKind() === 'host') return skipBecause(context, 'needs a release in a cluster: VDS_TARGET=cluster');
  return theTarget();
}

let failed = false;
afterEach(async function () {
  failed ||= this.currentTest?.state === 'failed';
  // A process crashed: report that once, instead of a failure in every following test.
  const target = await host?.catch(() => undefined); // the caller that opened it has reported the error
  const crashes = target?.stack.processes.flatMap((one) => one.crash() ?? []) ?? [];
  if (crashes.length > 0) throw new Error(`a process of the stack crashed: ${crashes.join('\n')}`);
});

after(async function () {
  this.timeout(300_000);
  if (failed && targetKind() !== 'host') {
    const { diagnose } = await import('./cluster/diagnose.ts');
    console.log(`      the state of the cluster: ${await diagnose()}`);
  }
  await (await opened)?.close();
});
