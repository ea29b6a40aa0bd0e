/**
 * An authoritative DNS server (RFC 1035) that answers from a table, UDP and TCP on one port, on loopback by default.
 */
import { createSocket, type Socket } from 'node:dgram';
import { createServer, isIPv4, type Server, type Socket as TcpSocket } from 'node:net';
import {
  AUTHORITATIVE_ANSWER,
  TRUNCATED_RESPONSE,
  decode,
  encode,
  streamDecode,
  streamEncode,
  type Answer,
  type Packet,
} from 'dns-packet';

/**
 * The answer for a name: its addresses (IPv4 and IPv6 mixed; each query type gets its own kind) and aliases
 * (`=other.test`), or a failure. A function is called for every query with the number of earlier queries of that name
 * and type, for names whose addresses change.
 */
export type DnsEntry = DnsAnswer | ((earlier: number) => DnsAnswer);
export type DnsNames = Readonly<Record<string, DnsEntry>>;
export type DnsAnswer = readonly string[] | 'nxdomain' | 'servfail' | 'silent';

export type DnsServer = {
  /** `<address>:<port>`, as DNS_SERVERS expects it. */
  readonly address: string;
  /** Every query so far, such as `clips.test A`; names are in lower case. */
  readonly queries: () => readonly string[];
  readonly close: () => Promise<void>;
};

const NXDOMAIN = 3;
const SERVFAIL = 2;
const PORT_TRIES = 20;
/** Longest UDP message without EDNS (RFC 1035 §4.2.1). */
const UDP_BYTES = 512;

type Lookup = (name: string, type: string) => DnsAnswer;
type Listening = { readonly host: string; readonly port: number };

/**
 * Starts the server. Names that are not in the table get NXDOMAIN.
 * @param listening own address, and the port; 0 for a free one
 */
export async function startDnsServer(
  names: DnsNames,
  listening: Listening = { host: '127.0.0.1', port: 0 },
): Promise<DnsServer> {
  const queries: string[] = [];
  const table = new Map(Object.entries(names).map(([name, entry]) => [name.toLowerCase(), entry]));
  const lookup: Lookup = (name, type) => {
    const query = `${name} ${type}`;
    const earlier = queries.filter((one) => one === query).length;
    queries.push(query);
    const entry = table.get(name) ?? 'nxdomain';
    return typeof entry === 'function' ? entry(earlier) : entry;
  };
  const { tcp, udp, port } = await openSockets(listening);
  const connections = new Set<TcpSocket>();
  tcp.on('connection', (socket) => {
    connections.add(socket.once('close', () => connections.delete(socket)));
    serveTcp(socket, lookup);
  });
  udp.on('message', (bytes, peer) => {
    const reply = answer(decode(bytes), lookup);
    if (reply !== null) udp.send(datagram(reply), peer.port, peer.address);
  });
  return {
    address: `${listening.host}:${port}`,
    queries: () => [...queries],
    close: async () => {
      for (const socket of connections) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

/** One port for both: TCP binds a free one, UDP the same; if it is taken for UDP, the next one is tried. */
async function openSockets({ host, port: wanted }: Listening): Promise<{ tcp: Server; udp: Socket; port: number }> {
  for (let tries = 1; ; tries++) {
    const tcp = createServer();
    const udp = createSocket('udp4');
    const port = await listenTcp(tcp, wanted, host);
    try {
      await bindUdp(udp, port, host);
      return { tcp, udp, port };
    } catch (error) {
      udp.close();
      tcp.close();
      if (wanted !== 0 || tries === PORT_TRIES) throw error;
    }
  }
}

async function listenTcp(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function bindUdp(socket: Socket, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

function serveTcp(socket: TcpSocket, lookup: Lookup): void {
  let pending = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk as Buffer]);
    while (pending.length >= 2 && pending.length >= pending.readUInt16BE(0) + 2) {
      const end = pending.readUInt16BE(0) + 2;
      const query = streamDecode(pending.subarray(0, end));
      pending = pending.subarray(end);
      const reply = query === null ? null : answer(query, lookup);
      if (reply !== null) socket.write(streamEncode(reply));
    }
  });
}

/** The reply to a query, or null for none. */
function answer(query: Packet, lookup: Lookup): Packet | null {
  const question = query.questions?.[0];
  if (question === undefined) return null;
  const found = resolve(question.name, question.type, lookup);
  if (found === 'silent') return null;
  const [failure, answers] = found === 'nxdomain' ? [NXDOMAIN, []] : found === 'servfail' ? [SERVFAIL, []] : [0, found];
  return { type: 'response', id: query.id ?? 0, flags: AUTHORITATIVE_ANSWER | failure, questions: [question], answers };
}

/** The records of a name and, for aliases, those of their targets. */
function resolve(name: string, type: string, lookup: Lookup): Answer[] | Exclude<DnsAnswer, readonly string[]> {
  const found = lookup(name.toLowerCase(), type);
  if (typeof found === 'string') return found;
  return found.flatMap((record): Answer[] => {
    if (record.startsWith('=')) {
      const data = record.slice(1);
      const further = resolve(data, type, lookup);
      return [{ type: 'CNAME', name, ttl: 0, data }, ...(typeof further === 'string' ? [] : further)];
    }
    const kind = isIPv4(record) ? 'A' : 'AAAA';
    return kind === type ? [{ type: kind, name, ttl: 0, data: record }] : [];
  });
}

/**
 * A reply as one datagram; one that is too long is truncated to the question and flagged, so the client retries over
 * TCP.
 */
function datagram(reply: Packet): Buffer {
  const bytes = encode(reply);
  return bytes.length <= UDP_BYTES
    ? bytes
    : encode({ ...reply, flags: (reply.flags ?? 0) | TRUNCATED_RESPONSE, answers: [] });
}
