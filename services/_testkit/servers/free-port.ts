/** A free TCP port on the loopback interface. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export type PortRange = { readonly first: number; readonly last: number };

/**
 * Below Linux's range for outgoing connections (32768 and up), so that no client socket takes the port before its
 * server does.
 */
const ALL: PortRange = { first: 15_000, last: 31_999 };

/** The ranges of suites that run side by side: two processes of different lanes never choose the same port. */
export const laneRanges: readonly PortRange[] = [
  { first: ALL.first, last: 23_499 },
  { first: 23_500, last: ALL.last },
];

/** Ports that this process handed out: the callers may not listen on them yet. */
const given = new Set<number>();

/**
 * A free port, chosen at random from the range of `VDS_PORTS` (`15000-23499`; 15000 to 31999 without it), and never
 * twice by one process. Another process with the same range may choose the same one, with a chance of about 1 in the
 * length of the range.
 */
export async function freePort({ first, last }: PortRange = portRange(process.env)): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(first, last + 1);
    if (given.has(port) || !(await portIsFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port found between ${first} and ${last} on 127.0.0.1`);
}

/** The range in an environment. */
export function portRange(environment: NodeJS.ProcessEnv): PortRange {
  const text = environment['VDS_PORTS'];
  if (text === undefined) return ALL;
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (!(range.first >= 1 && range.first <= range.last && range.last <= 65_535))
    throw new Error(`VDS_PORTS must be a range of ports such as 15000-23499, not '${text}'`);
  return range;
}

/** The variable that restricts a process and its children to a range. */
export function portVariable({ first, last }: PortRange): { readonly VDS_PORTS: string } {
  return { VDS_PORTS: `${first}-${last}` };
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
export async function portIsFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
