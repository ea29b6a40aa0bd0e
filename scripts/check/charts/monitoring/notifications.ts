/** What an Alertmanager with the example of the runbooks sends to whom, when alerts fire. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '@vds/testkit/servers/free-port';
import { until } from '@vds/testkit/until';
import { runbooks } from './alert-files.ts';
import type { Fired } from './nights.ts';

type Notification = { readonly groupLabels: { readonly alertname: string } };

/** The notifications that each receiver gets when these alerts fire at once, by the alerts’ names. */
export async function notificationsOf(
  root: string,
  program: string,
  fired: readonly Fired[],
): Promise<Record<'pages' | 'tickets', string[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'vds-alertmanager-'));
  const sent: Record<string, string[]> = { pages: [], tickets: [] };
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const { groupLabels } = JSON.parse(body) as Notification;
      sent[request.url?.slice(1) ?? '']?.push(groupLabels.alertname);
      response.end();
    });
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const config = join(folder, 'alertmanager.yaml');
  const example = readFileSync(join(root, runbooks, 'alertmanager.yaml'), 'utf8');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  writeFileSync(config, example.replaceAll('http://127.0.0.1:9095', url).replace('group_wait: 30s', 'group_wait: 1s'));
  const listen = `127.0.0.1:${await freePort()}`;
  const args = ['--config.file', config, '--storage.path', folder, '--web.listen-address', listen];
  const running = spawn(program, [...args, '--cluster.listen-address='], { stdio: 'ignore' });
  try {
    const ready = async (): Promise<boolean> =>
      await fetch(`http://${listen}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(ready, { capMs: 30_000, what: 'Alertmanager to be ready' });
    // Nothing tells that no further notification follows: wait for that of a last alert, which nothing inhibits.
    const last = { alertname: 'Last', severity: 'ticket', namespace: 'last' };
    await post(
      listen,
      fired.map(({ labels: { alertstate: _state, ...labels } }) => labels),
    );
    await post(listen, [last]);
    await until(async () => sent['tickets']?.includes('Last') === true, {
      capMs: 30_000,
      what: 'the last notification',
    });
    return { pages: sent['pages'] ?? [], tickets: (sent['tickets'] ?? []).filter((name) => name !== 'Last') };
  } finally {
    running.kill();
    if (running.exitCode === null) await once(running, 'exit');
    receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function post(listen: string, alerts: readonly Readonly<Record<string, string>>[]): Promise<void> {
  const body = JSON.stringify(alerts.map((labels) => ({ labels })));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://${listen}/api/v2/alerts`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`Alertmanager answers ${response.status}: ${await response.text()}`);
}
