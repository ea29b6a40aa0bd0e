/** Limits the processors of every pod of a node that runs on this host, through the kubelet's cgroup. */
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Short, so that a pod that has used up its share waits for milliseconds. */
const PERIOD_US = 20_000;

const v1 = ['/sys/fs/cgroup/cpu/kubepods', '/sys/fs/cgroup/cpu/kubepods.slice'];
const v2 = ['/sys/fs/cgroup/kubepods', '/sys/fs/cgroup/kubepods.slice'];

/** Writes the limit of all pods, in microseconds or none; undefined if no node runs on this host. */
function podsLimit(): ((quotaUs: number | undefined) => void) | undefined {
  const quota = v1.map((folder) => join(folder, 'cpu.cfs_quota_us')).find((file) => existsSync(file));
  if (quota !== undefined)
    return (quotaUs = -1) => {
      writeFileSync(quota, '-1');
      writeFileSync(quota.replace('quota', 'period'), String(PERIOD_US));
      writeFileSync(quota, String(quotaUs));
    };
  const max = v2.map((folder) => join(folder, 'cpu.max')).find((file) => existsSync(file));
  return max === undefined ? undefined : (quotaUs) => writeFileSync(max, `${quotaUs ?? 'max'} ${PERIOD_US}`);
}

/**
 * Limits all pods together to a share of the processors; returns a function that lifts the limit, or undefined if no
 * node runs on this host, or this process may not limit it. The limit is lifted, not restored: the kubelet sets none
 * there, and a killed run may have left one.
 */
export function limitProcessors(share: number): (() => void) | undefined {
  const limit = podsLimit();
  if (limit === undefined) return undefined;
  try {
    limit(Math.round(availableParallelism() * share * PERIOD_US));
  } catch {
    return undefined;
  }
  return () => limit(undefined);
}
