/** Several requests on one connection, requests inside requests, old and other protocols. */
import {
  absent,
  bodyWith,
  credentials,
  invalid,
  json,
  last,
  MARK,
  post,
  postJson,
  request,
  type Hostile,
  type Target,
} from './request.ts';

const text = bodyWith();
const hex = text.length.toString(16);
/** A request that must never be executed when it is in the body of another. */
const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${MARK.slice(0, 4)}\r\n\r\n`;
const missing = ['401 missing_credentials'];

type Row = readonly [name: string, parts: Hostile['parts'], responses: readonly string[], next: Hostile['next']];

const unauthenticated: readonly Row[] = [
  ['HTTP/1.0 with keep-alive', ['GET /nothing HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'], absent, 'open'],
  ['HTTP/1.0 without keep-alive', ['GET /nothing HTTP/1.0\r\n\r\n'], absent, 'closed'],
  ['an unknown expectation', [request('GET /nothing', `Expect: ${MARK}\r\n`)], absent, 'open'],
  ['a request for another protocol', [upgrade('h2c')], absent, 'closed'],
  ['a request after it', [Buffer.concat([upgrade('websocket'), request('GET /nothing')])], absent, 'closed'],
  ['a tunnel', [request('CONNECT example.com:443'), smuggled], absent, 'closed'],
  ['empty lines before a request', ['\r\n'.repeat(10_000), request('GET /nothing')], absent, 'open'],
  ['bytes beyond ASCII in a header', [request('GET /nothing', `X: \x80\xff${MARK}\r\n`)], absent, 'open'],
  ['a request in the body of another', [inside('POST /nothing')], absent, 'open'],
  ['a request in the body of a GET', [inside('GET /nothing')], absent, 'open'],
  [
    'a good request after a bad one',
    [`GET / HTTP/1.1\r\nHost : h\r\n\r\n`, request('GET /nothing')],
    invalid,
    'closed',
  ],
];

const unfinished: Row = ['headers that do not end in time', ['GET / HTTP/1.1\r\nHost: h\r\n'], invalid, 'closed'];

const submitting: readonly Row[] = [
  ['a request in a body without credentials', [inside('POST /v1/videos', json)], missing, 'open'],
];

export function hostileConnections(target: Target): readonly Hostile[] {
  return [
    bodiless(target),
    ...ambiguous(target),
    { name: 'a HEAD', parts: [request('HEAD /docs', last)], responses: ['200'], next: 'closed', bodiless: true },
    { ...asHostile(unfinished), slow: true },
    ...[...unauthenticated, ...pipelines(target)].map(asHostile),
    ...[...submitting, ...withKey(target)].map((row) => ({
      ...asHostile(row),
      operation: ['POST', '/v1/videos'] as const,
    })),
  ];
}

/** Answered at once; the connection closes when the body has not arrived within the server's timeout. */
function bodiless(target: Target): Hostile {
  return {
    name: 'a length of a gigabyte and no body',
    parts: [post(target, `${json}Content-Length: 1000000000\r\n`)],
    responses: invalid,
    next: 'closed',
    operation: ['POST', '/v1/videos'],
    slow: true,
  };
}

/** Two Authorization headers, even equal or empty ones. */
function ambiguous(target: Target): readonly Hostile[] {
  const one = credentials(target);
  const none = 'Authorization:\r\n';
  return [one + one, none + one, none + none].map((headers, index) => ({
    name: `two Authorization headers (${index + 1})`,
    parts: [request(`GET /v1/videos/${target.id}`, headers)],
    responses: ['401 invalid_credentials'],
    next: 'open' as const,
    operation: ['GET', `/v1/videos/${target.id}`] as const,
  }));
}

function pipelines(target: Target): readonly Row[] {
  const good = postJson(target, text);
  const nothing = request('GET /nothing');
  const mixed = [good, nothing, postJson(target, '{'), good, Buffer.from('BAD\r\n\r\n'), good];
  return [
    [
      'good and bad requests in one packet',
      [Buffer.concat(mixed)],
      ['202', ...absent, ...invalid, '202', ...invalid],
      'closed',
    ],
    [
      'an unknown method after a good request',
      [Buffer.concat([good, request('FOO /x')])],
      ['202', ...absent],
      'closed',
    ],
  ];
}

function asHostile([name, parts, responses, next]: Row): Hostile {
  return { name, parts, responses, next };
}

function withKey(target: Target): readonly Row[] {
  const chunks = `${json}Transfer-Encoding: chunked\r\n`;
  const old = `POST /v1/videos HTTP/1.0\r\n${credentials(target)}${json}Content-Length: ${text.length}\r\n`;
  const waiting = `${json}Expect: 100-continue\r\nContent-Length: ${text.length}\r\n`;
  const trailer = `${hex}\r\n${text}\r\n0\r\n${credentials(target)}\r\n`;
  return [
    ['HTTP/1.0 that expects 100', [`${old}Expect: 100-continue\r\n\r\n${text}`], ['202'], 'closed'],
    ['HTTP/1.0 without a host', [`${old}\r\n${text}`], ['202'], 'closed'],
    [
      'another expectation',
      [post(target, `${json}Expect: tea\r\nContent-Length: ${text.length}\r\n`, text)],
      ['202'],
      'open',
    ],
    ['a body that is expected', [post(target, waiting), text], ['100', '202'], 'open'],
    ['a body that is expected without credentials', [request('POST /v1/videos', waiting)], missing, 'closed'],
    ['credentials in a trailer', [request('POST /v1/videos', chunks, trailer)], missing, 'open'],
    [
      'chunks that break when the response is out',
      [post(target, chunks, `50000\r\n${'x'.repeat(0x50000)}\r\n`), 'zz\r\n'],
      invalid,
      'closed',
    ],
  ];
}

function upgrade(protocol: string): Buffer {
  return request('GET /nothing', `Connection: upgrade\r\nUpgrade: ${protocol}\r\n`);
}

function inside(line: string, headers = ''): Buffer {
  return request(line, `${headers}Content-Length: ${smuggled.length}\r\n`, smuggled);
}
