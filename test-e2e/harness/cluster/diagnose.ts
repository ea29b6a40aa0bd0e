/** Kept from a failed run: everything that helps to explain it, without secrets. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { attempt, command } from './command.ts';
import { keptDir } from './phases.ts';
import { release } from './release.ts';

const inNamespace = ['--namespace', release.namespace];
const databases = serviceNames.filter((name) => rowOf(name).database);
const workSql = `select queue, state, count(*), min(run_after), max(tries) from chassis.jobs group by 1, 2 order by 1, 2;
  select count(*) as waiting, min(created_at) as oldest from chassis.outbox where published_at is null;`;

const reports: Readonly<Record<string, () => Promise<string>>> = {
  'pods.txt': () => attempt('kubectl', [...inNamespace, 'get', 'all,networkpolicy,pvc', '--output', 'wide']),
  'events.txt': () => attempt('kubectl', [...inNamespace, 'get', 'events', '--sort-by', '.lastTimestamp']),
  'describe.txt': () => attempt('kubectl', [...inNamespace, 'describe', 'pods,jobs,deployments,statefulsets']),
  'helm.txt': () => attempt('helm', ['history', release.name, ...inNamespace]),
  'streams.json': () =>
    attempt('kubectl', [
      'get',
      '--raw',
      `/api/v1/namespaces/${release.namespace}/services/${release.servers}-nats:8222/proxy/jsz?streams=1&consumers=1&accounts=1`,
    ]),
  'work.txt': tables,
};

/**
 * Writes all of it into a new folder and returns its path. Never throws: the failure under diagnosis must not be
 * masked.
 */
export async function diagnose(): Promise<string> {
  const dir = join(keptDir, `failure-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await Promise.all(
    Object.entries(reports).map(async ([file, report]) => writeFileSync(join(dir, file), await report())),
  );
  const named = await command('kubectl', [...inNamespace, 'get', 'pods', '--output', 'name']).catch(() => '');
  for (const pod of named.split('\n').filter(Boolean))
    writeFileSync(join(dir, `${pod.replace('pod/', '')}.log`), await logsOf(pod));
  return dir;
}

/** Logs of every running container, and of its predecessor if it was restarted. */
async function logsOf(pod: string): Promise<string> {
  const now = await attempt('kubectl', [...inNamespace, 'logs', pod, '--all-containers', '--tail', '2000']);
  const before = await attempt('kubectl', [...inNamespace, 'logs', pod, '--all-containers', '--previous']);
  return `── now ──\n${now}\n── previous ──\n${before}`;
}

/** The job and outbox rows of every database, queried in the pod of Postgres. */
async function tables(): Promise<string> {
  const pod = `${release.servers}-postgres-0`;
  const sections = databases.map(async (database) => {
    // The password stays in its file: it is in no process's arguments.
    const script = 'PGPASSWORD=$(cat /etc/admin/postgres-password) exec psql -U admin -h /tmp -d "$0" -c "$1"';
    const psql = ['sh', '-c', script, database, workSql];
    return `── ${database} ──\n${await attempt('kubectl', [...inNamespace, 'exec', pod, '--', ...psql])}`;
  });
  return (await Promise.all(sections)).join('\n');
}
