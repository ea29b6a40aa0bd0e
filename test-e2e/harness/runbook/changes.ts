/** The changes in the runbook's pages, made once each and reverted, so that the release is as before. */
import { serviceNames } from '@vds/deploy-tools/services';
import { until } from '@vds/testkit/until';
import { command } from '../cluster/command.ts';
import { productChart } from '../cluster/install.ts';
import type { Shell } from './operator-shell.ts';
import { allPodsReady, getJson, kubectl, release } from '../cluster/release.ts';

const deployments = serviceNames.map((name) => `deployment/${release.name}-${name}`);

/** @param lines the pages' commands that change something; each is run, all restarts first */
export async function applyChanges(shell: Shell, lines: readonly string[]): Promise<void> {
  const take = (pattern: RegExp): string[] => lines.filter((line) => pattern.test(line));
  for (const line of take(/^kubectl drain/)) await shell.run(`${line} --dry-run=client`);
  for (const line of take(/^vdsctl reindex/)) await shell.runOnce(line);
  for (const line of take(/ delete pod /)) await shell.run(line);
  for (const line of take(/ rollout restart /)) await shell.run(line);
  await settle();
  for (const line of take(/ scale /)) await scaled(shell, line);
  await settle();
  for (const line of take(/^helm rollback/)) {
    await upgrade();
    await shell.run(line);
  }
  await settle();
}

/** Every rollout is complete and every pod is ready. */
export async function settle(): Promise<void> {
  for (const one of deployments) await kubectl(['rollout', 'status', one, '--timeout', '300s']);
  await until(allPodsReady, { capMs: 300_000, everyMs: 500, what: 'every pod to be ready' });
}

/** Runs a `kubectl scale`, checks its effect, and reverts it before all its pods exist. */
async function scaled(shell: Shell, line: string): Promise<void> {
  const deployment = /deploy\/\$F(-\w+)/.exec(line)?.[1];
  const wanted = Number(/--replicas=(\d+)/.exec(line)?.[1]);
  const name = `deployment/${release.name}${deployment}`;
  const before = await replicasOf(name);
  await shell.run(line);
  try {
    const now = await replicasOf(name);
    if (now !== wanted) throw new Error(`${name} wants ${now} replicas after: ${line}`);
  } finally {
    await kubectl(['scale', name, '--replicas', String(before)]);
  }
}

async function replicasOf(deployment: string): Promise<number> {
  return (await getJson<{ spec: { replicas: number } }>([deployment])).spec.replicas;
}

/** A revision that changes nothing, as the target of a rollback. */
function upgrade(): Promise<string> {
  const options = ['--namespace', release.namespace, '--reuse-values', '--no-hooks', '--wait', '--timeout', '5m'];
  return command('helm', ['upgrade', release.name, productChart, ...options]);
}
