/** A release's servers, stopped and started as operators do. */
import { until } from '@vds/testkit/until';
import type { Site } from '../site.ts';
import { getJson, kubectl, release } from './release.ts';

export type ServerName = 'postgres' | 'nats' | 's3' | 'opensearch';

/** Restarts it gracefully, and waits until it is available again. */
export async function restartServer(site: Site, name: ServerName): Promise<void> {
  await kubectl(['rollout', 'restart', setOf(name)]);
  await waitUntilReady(site, name);
}

function setOf(name: ServerName): string {
  return `statefulset/${release.servers}-${name}`;
}

async function waitUntilReady(site: Site, name: ServerName): Promise<void> {
  await kubectl(['rollout', 'status', setOf(name), '--timeout', '300s']);
  await site.reconnect();
}

/** Stops it, runs `work` while it is down, and starts it again, even if `work` fails. */
export async function withoutServer(site: Site, name: ServerName, work: () => Promise<void>): Promise<void> {
  await kubectl(['scale', setOf(name), '--replicas', '0']);
  try {
    const only = ['pods', '--selector', `app.kubernetes.io/instance=${release.servers},app.kubernetes.io/name=${name}`];
    const gone = async (): Promise<boolean> => (await getJson<{ items: object[] }>(only)).items.length === 0;
    await until(gone, { capMs: 120_000, everyMs: 250, what: `the end of ${name}` });
    await work();
  } finally {
    await kubectl(['scale', setOf(name), '--replicas', '1']);
    await waitUntilReady(site, name);
  }
}
