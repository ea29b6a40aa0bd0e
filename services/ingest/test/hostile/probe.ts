/**
 * Runs in a network namespace in which every address of the Internet is this machine: a listener logs where connections
 * arrive, whatever the dialer believes. Prints a JSON report. Started by addresses.test.ts.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { parsePinnedHosts } from '@vds/chassis/net/public-address';
import { createAuthority } from '@vds/deploy-tools/secrets/certificates';
import { startDnsServer, type DnsEntry } from '@vds/testkit/origin/dns-server';
import { createDialer } from '../../src/outbound/dial-source.ts';
import { createSourceOpener, type OpenSource } from '../../src/outbound/open-source.ts';
import { createHostResolver } from '../../src/outbound/resolve-host.ts';
import { internalAddresses, spelledHosts } from './address-list.ts';

export type ProbeReport = {
  /** Tries of each way, and the outcomes of all of them with how often they occurred. */
  readonly tries: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Own address of each connection that arrived, with how many did. */
  readonly arrived: Readonly<Record<string, number>>;
};

/** Of hosts that may be dialled; none of them is anybody's here. */
export const PUBLIC = { origin: '45.0.0.1', other: '2606:4700::45' } as const;
const STATUSES = [301, 302, 303, 307, 308];
const [flips = 1_000] = process.argv.slice(2).map(Number);

for (const args of ['link set lo up', 'route add local 0.0.0.0/0 dev lo', '-6 route add local ::/0 dev lo'])
  execFileSync('ip', args.split(' '));
process.stdout.write(JSON.stringify(await probe()));
process.exit();

async function probe(): Promise<ProbeReport> {
  const names = namesOf();
  const authority = await createAuthority();
  const certificate = await authority.issue([...Object.keys(names), 'localhost', '127.0.0.1', '::1']);
  const arrived: Record<string, number> = {};
  const server = createServer({ key: certificate.key, cert: certificate.certificate }, (request, response) => {
    const to = new URL(request.url ?? '/', 'https://public.example').searchParams.get('to');
    if (to === null) response.writeHead(200, { 'content-length': 2 }).end('ok');
    else response.writeHead(STATUSES[to.length % STATUSES.length] ?? 302, { location: latin1(to) }).end();
  });
  server.on('connection', (socket) => {
    const { localAddress = '' } = socket as Socket;
    const address = localAddress.replace(/^::ffff:/, '');
    arrived[address] = (arrived[address] ?? 0) + 1;
  });
  server.listen(443, '::');
  await once(server, 'listening');
  const dns = await startDnsServer(names);
  const open = createSourceOpener({
    dial: createDialer({
      resolve: createHostResolver([dns.address], 5_000),
      ...{ blocked: [], nat64Prefixes: [], pinned: parsePinnedHosts([]), extraCa: authority.caCertificate },
      ...{ connectMs: 2_000, tlsMs: 2_000 },
    }),
    isPinned: () => false,
    ...{ headersMs: 5_000, idleMs: 5_000, rate: { bytesPerSecond: 1, windowMs: 60_000 } },
  });
  return { ...(await tryAll(open)), arrived };
}

/** Location is sent as the bytes of UTF-8. */
function latin1(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n\0]/g, ''), 'utf8').toString('latin1');
}

function namesOf(): Record<string, DnsEntry> {
  const names: Record<string, DnsEntry> = { 'public.example': [PUBLIC.origin], 'other.example': [PUBLIC.other] };
  for (const [index, address] of internalAddresses.entries()) {
    names[`is-${index}.example`] = [address];
    names[`alias-${index}.example`] = [`=is-${index}.example`];
    names[`mixed-${index}.example`] = [PUBLIC.origin, address, PUBLIC.other];
    // The first answer is harmless, and so is every second one after it.
    names[`flip-${index}.example`] = (earlier) => [earlier % 2 === 0 ? PUBLIC.origin : address];
  }
  return names;
}

async function tryAll(open: OpenSource): Promise<Omit<ProbeReport, 'arrived'>> {
  const each = internalAddresses.map((_address, index) => index);
  const redirected = (to: string): string => `https://public.example/?to=${encodeURIComponent(to)}`;
  const ways: Readonly<Record<string, readonly string[]>> = {
    control: ['https://public.example/', redirected('https://other.example/')],
    literal: spelledHosts.map((host) => `https://${host}/`),
    redirect: spelledHosts.map((host) => redirected(`https://${host}/`)),
    'redirect without a scheme': spelledHosts.map((host) => redirected(`//${host}/`)),
    DNS: each.map((index) => `https://is-${index}.example/`),
    'redirect to a name': each.map((index) => redirected(`https://is-${index}.example/`)),
    alias: each.map((index) => `https://alias-${index}.example/`),
    mixed: each.map((index) => `https://mixed-${index}.example/`),
    rebinding: Array.from({ length: flips }, (_, n) => `https://flip-${n % each.length}.example/`),
  };
  const tries: Record<string, number> = {};
  const outcomes: Record<string, number> = {};
  for (const [way, addresses] of Object.entries(ways)) {
    tries[way] = addresses.length;
    for (const address of addresses) {
      const outcome = `${way}: ${await outcomeOf(open, address)}`;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  }
  return { tries, outcomes };
}

async function outcomeOf(open: OpenSource, address: string): Promise<string> {
  try {
    const source = await open(address, undefined, AbortSignal.timeout(20_000));
    await source.close();
    return String(source.status);
  } catch (error) {
    return (error as { reason?: string }).reason ?? String(error);
  }
}
