/** Runs a few lines of JavaScript in a pod of the release: its images have Node and no shell. */
import { command } from '../harness/cluster/command.ts';
import { images } from '../harness/cluster/images.ts';
import { isReady, podsOf, release } from '../harness/cluster/release.ts';

export type Probe = { readonly name: string; readonly host: string; readonly port: number };

const probing = `
  import { connect } from 'node:net';
  const one = ({ name, host, port }) => new Promise((resolve) => {
    const socket = connect({ host, port, autoSelectFamily: false });
    const end = (how) => { socket.destroy(); resolve([name, how]); };
    socket.setTimeout(3000, () => end('no answer'));
    socket.once('connect', () => end('open')).once('error', (error) => end(error.code));
  });
  output(Object.fromEntries(await Promise.all(input.map(one))));`;

const OUTSIDE_POD = { namespace: `${release.namespace}-outside`, name: 'outside' } as const;

const outsidePod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: OUTSIDE_POD,
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    securityContext: { runAsNonRoot: true, runAsUser: 10_001, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'node',
        image: `${images.repository}/app:${images.tag}`,
        command: ['node', '--eval', 'setInterval(() => undefined, 60_000)'],
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
};

/**
 * Runs the lines as a module in the first ready pod of a component, in the folder of its service.
 * @param input available as `input`
 * @returns the value that the lines pass to `output`
 * @throws if the lines throw, or no pod is ready
 */
export async function inPod<T>(component: string, input: unknown, lines: string): Promise<T> {
  const here = `process.chdir('/app/services/${component}');`;
  return runIn(release.namespace, await readyPod(component), input, `${here}\n${lines}`);
}

/** Runs the lines in a pod by its name. */
async function runIn<T>(namespace: string, pod: string, input: unknown, lines: string): Promise<T> {
  const script = `const input = ${JSON.stringify(input)};
    const output = (value) => process.stdout.write(JSON.stringify(value));
    ${lines}`;
  const args = ['--namespace', namespace, 'exec', pod, '--', 'node', '--input-type=module', '--eval', script];
  return JSON.parse(await command('kubectl', args)) as T;
}

async function readyPod(component: string): Promise<string> {
  const pod = (await podsOf(component)).find(isReady);
  if (!pod) throw new Error(`no pod of ${component} is ready`);
  return pod.metadata.name;
}

/** The result of a TCP connection from a pod of a component: `open`, an error's code, or `no answer`. */
export async function probeFrom(
  component: string,
  probes: readonly Probe[],
): Promise<Readonly<Record<string, string>>> {
  return runIn(release.namespace, await readyPod(component), probes, probing);
}

/**
 * The results of the same connections from a pod in a namespace without any policy; the namespace is deleted
 * afterwards.
 */
export async function probeFromOutside(probes: readonly Probe[]): Promise<Readonly<Record<string, string>>> {
  const { namespace, name } = OUTSIDE_POD;
  const items = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, outsidePod];
  await command('kubectl', ['apply', '--filename', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  try {
    await command('kubectl', [
      ...['--namespace', namespace, 'wait', `pod/${name}`],
      ...['--for', 'condition=ready', '--timeout', '120s'],
    ]);
    return await runIn(namespace, name, probes, probing);
  } finally {
    await command('kubectl', ['delete', 'namespace', namespace, '--timeout', '5m']);
  }
}
