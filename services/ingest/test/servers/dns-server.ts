/** A DNS server on loopback that answers what a test tells it, question by question. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4, isIPv6 } from 'node:net';
import { AUTHORITATIVE_ANSWER, decode, encode, type Answer, type Question } from 'dns-packet';

/** Addresses of a name, or a function that gives them for the n-th question of a type (from 0); CNAMEs begin with `=`. */
export type Zone = Record<string, readonly string[] | ((nth: number) => readonly string[])>;
export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>;

const NXDOMAIN = 3;
const SERVFAIL = 2;

/** `SERVFAIL` as a name's only record makes the server fail, `SILENT` makes it say nothing. */
export async function startDnsServer(zone: Zone) {
  const questions: string[] = [];
  const answersTo = answering(zone);
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { id = 0, questions: [question] = [] } = decode(message);
    const { name, type } = question as Question;
    questions.push(`${name} ${type}`);
    const answers = answersTo(name, type);
    if (Array.isArray(zone[name]) && (zone[name] as readonly string[]).includes('SILENT')) return;
    const flags = AUTHORITATIVE_ANSWER | (typeof answers === 'number' ? answers : 0);
    const reply = encode({
      type: 'response',
      id,
      flags,
      questions: [question as Question],
      answers: typeof answers === 'number' ? [] : answers,
    });
    socket.send(reply, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  return {
    /** For `DNS_SERVERS`. */
    address: `127.0.0.1:${socket.address().port}`,
    /** Every question so far, such as `media.example A`. */
    questions,
    close: (): Promise<void> => new Promise((resolve) => void socket.close(() => resolve())),
  };
}

/** Looks questions up in a zone; a name that is not in it does not exist. */
function answering(zone: Zone) {
  const asked = new Map<string, number>();
  const recordsOf = (name: string, type: string): readonly string[] | undefined => {
    const entry = zone[name.toLowerCase()];
    if (typeof entry !== 'function') return entry;
    const key = `${name} ${type}`;
    const nth = asked.get(key) ?? 0;
    asked.set(key, nth + 1);
    return entry(nth);
  };

  const answersTo = (name: string, type: string): Answer[] | number => {
    const records = recordsOf(name, type);
    if (!records) return NXDOMAIN;
    if (records.includes('SERVFAIL')) return SERVFAIL;
    return records.flatMap((record): Answer[] => {
      if (record.startsWith('=')) {
        const target = record.slice(1);
        const further = answersTo(target, type);
        return [{ name, type: 'CNAME', ttl: 0, data: target }, ...(typeof further === 'number' ? [] : further)];
      }
      const fits = type === 'A' ? isIPv4(record) : type === 'AAAA' && isIPv6(record);
      return fits ? [{ name, type, ttl: 0, data: record } as Answer] : [];
    });
  };

  return answersTo;
}
