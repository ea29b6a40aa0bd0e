/** Request lines, methods, headers and hosts: invalid ones, and those that every parser must read the same. */
import { METHODS } from 'node:http';
import { absent, MARK, rejected, request, type Hostile } from './request.ts';

const lines: readonly Hostile[] = [
  ['an invalid request line', 'HELLO\r\n\r\n'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown HTTP version', 'GET /docs HTTP/9.9\r\nHost: h\r\n\r\n'],
  ['HTTP/1.1 without a host', 'GET /docs HTTP/1.1\r\n\r\n'],
  ['a path over 16 KiB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['a line of HTTP/0.9 with headers', 'GET /docs\r\nHost: h\r\n\r\n'],
  ['a line of HTTP/0.9 and nothing else', 'GET /docs\r\n\r\n'],
  ['lower-case http', 'GET /docs http/1.1\r\nHost: h\r\n\r\n'],
  ['HTTP/1.2', 'GET /docs HTTP/1.2\r\nHost: h\r\n\r\n'],
  ['HTTP/2.0 without its preface', 'GET /docs HTTP/2.0\r\nHost: h\r\n\r\n'],
  ['the preface of HTTP/2 and a frame', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
  ['lines that end in only LF', 'GET /docs HTTP/1.1\nHost: h\n\n'],
  ['a line that ends in only CR', 'GET /docs HTTP/1.1\rHost: h\r\r'],
  ['a backslash in a host', 'GET http://h\\docs HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['the method of the preface of HTTP/2', 'PRI /docs HTTP/1.1\r\nHost: h\r\n\r\n'],
  ['a tab for a space', 'GET\t/docs\tHTTP/1.1\r\nHost: h\r\n\r\n'],
  ['text before the method', `\0GET /docs HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['a method with a mark', `G${MARK}T /docs HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['an LF in the path', `GET /a\n${MARK} HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['a CR in the path', `GET /a\r${MARK} HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['a NUL in the path', `GET /a\0${MARK} HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['a tab in the path', `GET /a\t${MARK} HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['bytes beyond ASCII in the path', `GET /\xff\xfe${MARK} HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['a path without a slash', `GET docs HTTP/1.1\r\nHost: h\r\n\r\n`],
  ['a scheme without slashes', `GET javascript:alert(1) HTTP/1.1\r\nHost: h\r\n\r\n`],
].map(([name = '', bytes = '']) => rejected(name, bytes));

const fields: readonly Hostile[] = [
  ['a CR LF in a header that starts another', `X: a\r\n${MARK}\r\n`],
  ['only an LF in a header', `X: a\nSet-Cookie: ${MARK}\r\n`],
  ['only a CR in a header', `X: a\rSet-Cookie: ${MARK}\r\n`],
  ['a NUL in a header', `X: a\0${MARK}\r\n`],
  ['a NUL in a header’s name', `X\0Y: ${MARK}\r\n`],
  ['a space in a header’s name', `X Y: ${MARK}\r\n`],
  ['a vertical tab in a header', `X: \x0b${MARK}\r\n`],
  ['a header of 16 KiB', `X: ${MARK.repeat(2_400)}\r\n`],
  ['3,000 headers', 'a:\r\n'.repeat(3_000)],
  ['a header without a name', ': x\r\n'],
  ['a header with a space before its colon', 'X : y\r\n'],
  ['a folded header', 'X: a\r\n b\r\n'],
  ['an invalid host', `host: ${MARK}\r\n`],
  ['a second host', 'Host: other\r\n'],
].map(([name = '', headers = '']) => rejected(name, request('GET /docs', headers)));

const hosts: readonly Hostile[] = ['a b', MARK, 'a/b', 'h:port', '[::1', 'user@h', 'h\\x', '%00h"'].map((host) =>
  rejected(`the host ${host}`, `GET /docs HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
);

const methods: readonly Hostile[] = [
  ...METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method)).map((method): [string, boolean] => [
    method,
    true,
  ]),
  ...['CONNECT', 'DESCRIBE', 'GET_PARAMETER', 'get', 'GETT', 'X', "!#$%&'*+-.^_`|~09Az", 'A'.repeat(9_000)].map(
    (method): [string, boolean] => [method, false],
  ),
].map(([method, known]) => ({
  name: `the method ${method.slice(0, 30)}`,
  parts: [request(`${method} /docs`)],
  responses: absent,
  next: known ? 'open' : 'closed',
}));

export const hostileHeads: readonly Hostile[] = [...lines, ...fields, ...hosts, ...methods];
