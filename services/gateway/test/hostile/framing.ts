/** Where a body starts and ends: everything that a proxy in front may read differently is rejected. */
import { bodyWith, chunked, credentials, json, MARK, post, rejected, type Hostile, type Target } from './request.ts';

const text = bodyWith();
const chunks = chunked(text).toString();
const hex = text.length.toString(16);
type Framing = readonly [name: string, headers: string, body: string];

const lengths = ['+5', '-5', '0x5', '5 5', '5, 5', '5,6', '', '1e1', '5;', '99999999999999999999999', MARK];
const codings = [
  'chunked, chunked',
  'chunked, identity',
  'gzip, chunked',
  'identity',
  'xchunked',
  'chunked;q=1',
  '"chunked"',
  '\x0bchunked',
  MARK,
];
const sizes = ['zz', '-1', '+1', '0x1', 'fffffffffffffffff', '', ' 5', '5 5'];
const coded = 'Transfer-Encoding: chunked\r\n';

const framings: readonly Framing[] = [
  ...lengths.map((length): Framing => [`the content-length '${length}'`, `Content-Length: ${length}\r\n`, text]),
  ['the same content-length twice', 'Content-Length: 5\r\nContent-Length: 5\r\n', text],
  ['two content-lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n', text],
  ['chunks and a length', `${coded}Content-Length: 5\r\n`, chunks],
  ...codings.map((coding): Framing => [`the coding '${coding}'`, `Transfer-Encoding: ${coding}\r\n`, chunks]),
  ['a coding twice', `${coded}${coded}`, chunks],
  ['two codings', `${coded}Transfer-Encoding: x\r\n`, chunks],
  ['a coding with a space before its colon', 'Transfer-Encoding : chunked\r\n', chunks],
  ...sizes.map((size): Framing => [`the chunk size '${size}'`, coded, `${size}\r\n${text}\r\n0\r\n\r\n`]),
  ['chunks that end in LF', coded, `${hex}\n${text}\n0\n\n`],
  ['a chunk longer than its size', coded, `5\r\n${text}\r\n0\r\n\r\n`],
  ['a chunk extension of 20,000 bytes', coded, `${hex};a=${'b'.repeat(20_000)}\r\n${text}\r\n0\r\n\r\n`],
  ['a trailer of 20,000 bytes', coded, `${hex}\r\n${text}\r\n0\r\nX: ${'b'.repeat(20_000)}\r\n\r\n`],
];

export function hostileFraming(target: Target): readonly Hostile[] {
  return [
    ...framings.map(([name, headers, body]) => rejected(name, post(target, json + headers, body))),
    rejected('chunks in HTTP/1.0', `POST /v1/videos HTTP/1.0\r\n${credentials(target)}${json}${coded}\r\n${chunks}`),
  ];
}
