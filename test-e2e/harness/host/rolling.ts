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
    const { rpc } = one.ports;
    const callers = rpc === undefined ? 0 : await connectionsTo(rpc);
    leaving.add(one.name);
    await one.kill('SIGTERM');
    one.start(env);
    await one.ready();
    leaving.delete(one.name);
    if (rpc === undefined || replicasOf(one.service).length === 1) return;
    // The next one may stop once callers have found this one again.
    const from = performance.now();
    const found = async () => performance.now() - from > MIN_READY_MS || (await connectionsTo(rpc)) >= callers;
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

/** How many connections to a port of this host are established (proc(5), `/proc/net/tcp`). */
async function connectionsTo(port: number): Promise<number> {
  const texts = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
  const local = new RegExp(`^\\s*\\d+: [0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, '0')} \\S+ 01 `);
  return texts.flatMap((text) => text.split('\n')).filter((line) => local.test(line)).length;
}
