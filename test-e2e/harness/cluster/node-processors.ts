/** Limits the processors of every pod of a node that runs on this host, through the kubelet's cgroup. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Short, so that a pod that has used up its share waits for milliseconds. */
const PERIOD_US = 20_000;

const v1 = ['/sys/fs/cgroup/cpu/kubepods', '/sys/fs/cgroup/cpu/kubepods.slice'];
const v2 = ['/sys/fs/cgroup/kubepods', '/sys/fs/cgroup/kubepods.slice'];

/** The limit of all pods, as it is read and written; undefined where no node runs on this host. */
function podsLimit(): { readonly read: () => string; readonly write: (limit: string) => void } | undefined {
  const quota = v1.map((folder) => join(folder, 'cpu.cfs_quota_us')).find((file) => existsSync(file));
  if (quota !== undefined) {
    const period = quota.replace('quota', 'period');
    return {
      read: () => `${readFileSync(quota, 'utf8').trim()} ${readFileSync(period, 'utf8').trim()}`,
      write: (limit) => {
        const [quotaUs = '-1', periodUs = '100000'] = limit.split(' ');
        writeFileSync(quota, '-1');
        writeFileSync(period, periodUs);
        writeFileSync(quota, quotaUs);
      },
    };
  }
  const max = v2.map((folder) => join(folder, 'cpu.max')).find((file) => existsSync(file));
  if (max === undefined) return undefined;
  return { read: () => readFileSync(max, 'utf8').trim(), write: (limit) => writeFileSync(max, limit) };
}

/**
 * Leaves all pods together a share of the processors; returns a function that lifts the limit, or undefined where no node
 * runs on this host, or this process may not limit it.
 */
export function limitProcessors(share: number): (() => void) | undefined {
  const limit = podsLimit();
  if (limit === undefined) return undefined;
  const before = limit.read();
  try {
    limit.write(`${Math.round(availableParallelism() * share * PERIOD_US)} ${PERIOD_US}`);
  } catch {
    return undefined;
  }
  return () => limit.write(before);
}
