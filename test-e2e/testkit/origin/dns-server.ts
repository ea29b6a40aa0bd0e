/** An authoritative DNS server, on the loopback interface unless told otherwise, UDP and TCP on one port, that answers from a table (RFC 1035). */
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
 * What a name answers: its addresses (IPv4 and IPv6 mixed; each query type gets its own kind), or a trouble.
 * A function is asked for every query with the number of queries the name has had before (0 first): for names that move.
 */
export type DnsEntry = DnsAnswer | ((earlier: number) => DnsAnswer);
export type DnsAnswer = readonly string[] | 'nxdomain' | 'servfail' | 'silent';

export type DnsServer = {
  /** `<address>:<port>`, as DNS_SERVERS wants it. */
  readonly address: string;
  /** The names asked for so far, lower case, one entry a query. */
  readonly queries: () => readonly string[];
  readonly close: () => Promise<void>;
};

const NXDOMAIN = 3;
const SERVFAIL = 2;
const PORT_TRIES = 20;
/** Longest UDP message without EDNS (RFC 1035 §4.2.1). */
const UDP_BYTES = 512;

type Listening = { readonly host: string; readonly port: number };

/**
 * Starts the server. Names that the table lacks are answered NXDOMAIN.
 * @param listening own address, and the port; 0 takes a free one
 */
export async function startDnsServer(
  names: Readonly<Record<string, DnsEntry>>,
  listening: Listening = { host: '127.0.0.1', port: 0 },
): Promise<DnsServer> {
  const asked: string[] = [];
  const table = new Map(Object.entries(names).map(([name, entry]) => [name.toLowerCase(), entry]));
  const look = (name: string): DnsAnswer => {
    const earlier = asked.filter((one) => one === name).length;
    asked.push(name);
    const entry = table.get(name) ?? 'nxdomain';
    return typeof entry === 'function' ? entry(earlier) : entry;
  };
  const { tcp, udp, port } = await openSockets(listening);
  const connections = new Set<TcpSocket>();
  tcp.on('connection', (socket) => {
    connections.add(socket.once('close', () => connections.delete(socket)));
    serveTcp(socket, look);
  });
  udp.on('message', (bytes, peer) => {
    const reply = answer(decode(bytes), look);
    if (reply !== null) udp.send(datagram(reply), peer.port, peer.address);
  });
  return {
    address: `${listening.host}:${port}`,
    queries: () => [...asked],
    close: async () => {
      for (const socket of connections) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

/** One port for both: TCP takes a free one, UDP the same; where UDP cannot have it the next one is tried. */
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

function serveTcp(socket: TcpSocket, look: (name: string) => DnsAnswer): void {
  let pending = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk as Buffer]);
    while (pending.length >= 2 && pending.length >= pending.readUInt16BE(0) + 2) {
      const end = pending.readUInt16BE(0) + 2;
      const query = streamDecode(pending.subarray(0, end));
      pending = pending.subarray(end);
      const reply = query === null ? null : answer(query, look);
      if (reply !== null) socket.write(streamEncode(reply));
    }
  });
}

/** The reply's bytes for a query, or null where none is to be sent. */
function answer(query: Packet, look: (name: string) => DnsAnswer): Packet | null {
  const question = query.questions?.[0];
  if (question === undefined) return null;
  const found = look(question.name.toLowerCase());
  if (found === 'silent') return null;
  const trouble = found === 'nxdomain' ? NXDOMAIN : found === 'servfail' ? SERVFAIL : 0;
  const addresses = typeof found === 'string' ? [] : found;
  const answers: Answer[] = addresses
    .filter((address) => question.type === (isIPv4(address) ? 'A' : 'AAAA'))
    .map((address) => ({ type: isIPv4(address) ? 'A' : 'AAAA', name: question.name, ttl: 0, data: address }));
  return { type: 'response', id: query.id ?? 0, flags: AUTHORITATIVE_ANSWER | trouble, questions: [question], answers };
}

/** A reply as one datagram; what is too long is cut to the question and marked so, and the client asks again over TCP. */
function datagram(reply: Packet): Buffer {
  const bytes = encode(reply);
  return bytes.length <= UDP_BYTES
    ? bytes
    : encode({ ...reply, flags: (reply.flags ?? 0) | TRUNCATED_RESPONSE, answers: [] });
}
