/**
 * Viewers as a process of their own: `node load.ts <JSON of Load>` prints a `Loaded`. Not by autocannon, which keeps the
 * bodies: of 4 MB it takes 20 a second, whatever the server.
 */
import { Agent, get } from 'node:http';

export type Load = {
  /** Addresses in the order in which each viewer asks for them; the nth viewer begins at the nth. */
  readonly addresses: readonly string[];
  readonly viewers: number;
  readonly seconds: number;
};
export type Loaded = {
  readonly requests: number;
  readonly failed: number;
  readonly bytes: number;
  /** Milliseconds to the last byte. */
  readonly p50: number;
  readonly p99: number;
};

if (process.argv[2] !== undefined)
  process.stdout.write(JSON.stringify(await load(JSON.parse(process.argv[2]) as Load)));

async function load({ addresses, viewers, seconds }: Load): Promise<Loaded> {
  const agent = new Agent({ keepAlive: true, maxSockets: viewers });
  const end = performance.now() + seconds * 1_000;
  const times: number[] = [];
  let [failed, bytes] = [0, 0];
  const view = async (viewer: number): Promise<void> => {
    for (let index = viewer; performance.now() < end; index += 1) {
      const from = performance.now();
      const { status, length } = await ask(agent, addresses[index % addresses.length] ?? '');
      if (status !== 200) failed += 1;
      bytes += length;
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: viewers }, (_, viewer) => view(viewer)));
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { requests: times.length, failed, bytes, p50: at(0.5), p99: at(0.99) };
}

function ask(agent: Agent, address: string): Promise<{ status: number; length: number }> {
  return new Promise((resolve) => {
    const request = get(address, { agent }, (response) => {
      let length = 0;
      response.on('data', (data: Buffer) => (length += data.length));
      response.once('close', () => resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, length }));
    });
    request.once('error', () => resolve({ status: 0, length: 0 }));
  });
}
