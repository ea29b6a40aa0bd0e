/** Every way in which a partner may send its key, right and wrong. */
import { connect } from 'node:net';
import { crc32 } from 'node:zlib';

export type Use = {
  readonly what: string;
  /** The request as it goes over the wire. */
  readonly bytes: string;
};

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

type Request = {
  readonly target?: string;
  readonly method?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
};

const video = '/v1/videos/vid_01jd3m8q0c7e5b9x2k4n6p8rst';

/** @param key a whole key that works */
export function usesOf(key: string): readonly Use[] {
  const bearer = `authorization: Bearer ${key}`;
  const requests: Readonly<Record<string, Request>> = {
    'a good read': { headers: [bearer] },
    'a good write': { method: 'POST', target: `${video}/archive`, headers: [bearer] },
    'a wrong secret': { headers: [`authorization: Bearer ${withOtherSecret(key)}`] },
    'a key that is too long': { headers: [`${bearer}x`] },
    'a key without its end': { headers: [bearer.slice(0, -4)] },
    'a key with a space in it': { headers: [`authorization: Bearer ${key.slice(0, 40)} ${key.slice(40)}`] },
    'two headers': { headers: [bearer, bearer] },
    'no scheme': { headers: [`authorization: ${key}`] },
    'basic authentication': { headers: [`authorization: Basic ${btoa(`${key}:`)}`] },
    'a header of another name': { headers: [`x-api-key: ${key}`, `cookie: key=${key}`, `referer: https://a/${key}`] },
    'headers that the service reads': { headers: [bearer, `x-request-id: ${key}`, `traceparent: ${key}`] },
    'the query string': { target: `${video}?api_key=${key}` },
    'the query string of a good read': { target: `${video}?access_token=${key}`, headers: [bearer] },
    'the path': { target: `/${key}` },
    'the path, in place of an id': { target: `/v1/videos/${key}`, headers: [bearer] },
    'the path, percent-coded': { target: `/v1/videos/${key.replaceAll('_', '%5F')}/archive`, method: 'POST' },
    'a path that cannot be decoded': { target: `/v1/videos/%zz${key}`, headers: [bearer] },
    'the absolute form of a target': { target: `http://user:${key}@gateway/${key}` },
    'the method': { method: key.replaceAll('_', '-') },
    'the content type': { method: 'POST', target: '/v1/videos', headers: [bearer, `content-type: a/${key}`] },
    'a header that cannot be': { headers: [`authorization: Bearer ${key}\u0001`] },
    'a header that is too large': { headers: [`authorization: Bearer ${key.repeat(400)}`] },
    ...Object.fromEntries(
      Object.entries(bodies(key)).map(([where, body]) => [
        `the body: ${where}`,
        { method: 'POST', target: '/v1/videos', headers: [bearer], body },
      ]),
    ),
  };
  return Object.entries(requests).map(([what, request]) => ({ what, bytes: bytesOf(request) }));
}

/** A key with the same id and a right checksum whose secret is another. */
export function withOtherSecret(key: string): string {
  const body = `${key.slice(0, -32)}${[...key.slice(-32, -6)].toReversed().join('')}`;
  let value = crc32(body);
  let sum = '';
  for (let place = 0; place < 6; place++) {
    sum = (DIGITS[value % 62] ?? '') + sum;
    value = Math.floor(value / 62);
  }
  return body + sum;
}

function bodies(key: string): Readonly<Record<string, string>> {
  const whole = { source_url: 'https://example.com/a.mp4', title: 'A test' };
  return {
    'an unknown field': JSON.stringify({ ...whole, api_key: key, [key]: 1 }),
    sport: JSON.stringify({ ...whole, sport: key }),
    language_code: JSON.stringify({ ...whole, language_code: key }),
    'a title that is too long': JSON.stringify({ ...whole, title: key.repeat(4) }),
    'a source_url that is refused': JSON.stringify({ ...whole, source_url: `http://${key}@example.com/${key}` }),
    'a name that occurs twice': `{"source_url": "https://example.com/a.mp4", "title": "x", "${key}": 1, "${key}": 2}`,
    'text that is no JSON': `key=${key}`,
  };
}

function bytesOf({ target = video, method = 'GET', headers = [], body }: Request): string {
  return [
    `${method} ${target} HTTP/1.1`,
    'host: gateway',
    'connection: close',
    ...headers,
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    '',
    body ?? '',
  ].join('\r\n');
}

/** Sends the bytes and returns all that comes back until the connection ends. */
export function sendBytes(base: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1').setTimeout(30_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (data) => (answer += String(data)));
    socket.once('error', reject).once('close', () => resolve(answer));
  });
}
