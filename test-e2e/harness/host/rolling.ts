/** Replaces the processes of a stack as Deployments replace pods: one replica of a service after the other, while it serves. */
import { readFile } from 'node:fs/promises';
import type { ServiceName } from '@vds/deploy-tools/services';
import type { Environment } from '@vds/testkit/stack/environment';
import type { StackProcess } from '@vds/testkit/stack/processes';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { until } from '@vds/testkit/until';

/** `minReadySeconds` of the chart's Deployments. */
const MIN_READY_MS = 10_000;

export type Rolling = ReturnType<typeof openRolling>;

export function openRolling(stack: Stack) {
  /** Those that new requests no longer find: a pod leaves its Service before it gets SIGTERM. */
  const leaving = new Set<string>();
  let turn = 0;
  const replicasOf = (service: ServiceName) => stack.processes.filter((one) => one.service === service);

  const replace = async (one: StackProcess, env: Environment): Promise<void> => {
    const ports = [one.ports.rpc, one.ports.adminRpc].filter((port) => port !== undefined);
    const callers = await connectionsTo(ports);
    leaving.add(one.name);
    await one.kill('SIGTERM');
    one.start(env);
    await one.ready();
    leaving.delete(one.name);
    if (ports.length === 0 || replicasOf(one.service).length === 1) return;
    // The next one may stop once callers have found this one again.
    const from = performance.now();
    const found = async () => performance.now() - from > MIN_READY_MS || isAtLeast(await connectionsTo(ports), callers);
    await until(found, { what: `the callers of ${one.name} are back`, everyMs: 100 });
  };
  return {
    /** The address of a replica that serves: as of a Service, in turn. */
    url: (service: ServiceName): string => {
      const serving = replicasOf(service).filter(({ name }) => !leaving.has(name));
      return serving[turn++ % serving.length]?.url ?? '';
    },
    /** Replaces every process; those without a second replica, which serve no requests of tests, all at once. */
    rollOut: async (settingsOf: (service: ServiceName) => Environment): Promise<void> => {
      const single = stack.processes.filter(({ service }) => replicasOf(service).length === 1);
      for (const one of stack.processes.filter((candidate) => !single.includes(candidate)))
        await replace(one, settingsOf(one.service));
      await Promise.all(single.map((one) => replace(one, settingsOf(one.service))));
    },
  };
}

function isAtLeast(counts: readonly number[], others: readonly number[]): boolean {
  return counts.every((count, at) => count >= (others[at] ?? 0));
}

/** How many connections to each port of this host are established (proc(5), `/proc/net/tcp`). */
async function connectionsTo(ports: readonly number[]): Promise<number[]> {
  const texts = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  const lines = texts.flatMap((text) => text.split('\n'));
  return ports.map((port) => {
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    const established = new RegExp(`^\\s*\\d+: [0-9A-F]+:${hex} \\S+ 01 `);
    return lines.filter((line) => established.test(line)).length;
  });
}
