/** A TCP port on the loopback interface that nobody listens on. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below Linux's range for outgoing connections (32768 and up), so that no client socket takes the port before its server does.
const FIRST = 15_000;
const LAST = 32_000;

/** Handed out by this process: who asked for one may not listen on it yet. */
const given = new Set<number>();

/**
 * A free port between 15000 and 31999, chosen at random, and never twice by one process; another process may choose the
 * same one with a chance of about 1 in 17,000.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(FIRST, LAST);
    if (given.has(port) || !(await portIsFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port found between ${FIRST} and ${LAST} on 127.0.0.1`);
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
export async function portIsFree(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
