/** Running a few lines of JavaScript in a pod of the release: its images have Node and no shell. */
import { kubectl, podsOf, isReady } from '../target/cluster/release.ts';

/**
 * Runs the lines as a module in the first ready pod of a component, in the folder of its service.
 * @param given is there as `given`
 * @returns what `tell(value)` was called with
 * @throws when the lines throw, or no pod is ready
 */
export const inPod = async <T>(component: string, given: unknown, lines: string): Promise<T> => {
  const pod = (await podsOf(component)).find(isReady);
  if (!pod) throw new Error(`no pod of ${component} is ready`);
  const script = `process.chdir('/app/services/${component}');
    const given = ${JSON.stringify(given)};
    const tell = (value) => process.stdout.write(JSON.stringify(value));
    ${lines}`;
  const args = ['exec', pod.metadata.name, '--', 'node', '--input-type=module', '--eval', script];
  return JSON.parse(await kubectl(args)) as T;
};

export type Probe = { readonly name: string; readonly host: string; readonly port: number };

const probing = `
  import { connect } from 'node:net';
  const one = ({ name, host, port }) => new Promise((resolve) => {
    const socket = connect({ host, port, autoSelectFamily: false });
    const end = (how) => { socket.destroy(); resolve([name, how]); };
    socket.setTimeout(3000, () => end('no answer'));
    socket.once('connect', () => end('open')).once('error', (error) => end(error.code));
  });
  tell(Object.fromEntries(await Promise.all(given.map(one))));`;

/** How each TCP connection from a pod of a component ends: `open`, an error's code, or `no answer`. */
export const probeFrom = (component: string, probes: readonly Probe[]): Promise<Readonly<Record<string, string>>> =>
  inPod(component, probes, probing);
