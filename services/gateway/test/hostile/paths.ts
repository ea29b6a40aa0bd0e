/** Paths, targets and ids: other notations of existing and unknown ones. */
import { absent, credentials, json, MARK, request, type Hostile, type Target } from './request.ts';

/** Unknown paths: 404 without credentials. */
const unknown: readonly string[] = [
  '/',
  '//',
  '/v1//videos',
  '/v1/%76ideos',
  '/v1/videos/../videos',
  '/v1/videos/%',
  '/v1/videos/%zz',
  '/v1/videos/%e0%a4%a',
  '/v1/videos/%ff',
  '/v1/videos/%c0%af',
  '/v1/videos/%ed%a0%80',
  '/%00',
  '/%0d%0aSet-Cookie:%20a=b',
  `/${encodeURIComponent(MARK)}`,
  `/${MARK}`,
  '/\\docs',
  '/docs/',
  '/docs;a=b',
  '/docs%2f',
  '/docs#top',
  '/..%2f..%2f..%2fetc/passwd',
  '/.env',
  '/__proto__',
  '/constructor',
  '*',
  'http://[/',
  'http://[::zz]/',
  'http://h:99999999/',
  'http://h',
  'ftp://h/docs',
  'HTTP://H/nothing',
  `/${'a'.repeat(15_000)}`,
  `/${'%41'.repeat(5_000)}`,
  `/${'a/'.repeat(7_000)}`,
  `/v1/videos/a/${'../'.repeat(4_000)}`,
];

const queries: readonly string[] = [
  '?',
  '?id=other',
  '?%',
  '?%zz=%',
  '?a=%00%0d%0a',
  '?__proto__[a]=b&constructor[prototype][a]=b',
  '?a[b][c][d]=e&a=f',
  `?${MARK}`,
  `?${'a&'.repeat(7_000)}`,
  `?${'a[]='.repeat(3_000)}`,
];

export function hostilePaths(target: Target): readonly Hostile[] {
  return [
    ...unknown.map((path) => ({ ...get(target, path, '404 not_found'), operation: ['GET', '/nothing'] as const })),
    ...noIds(target.id).map((id) => get(target, `/v1/videos/${id}`, '404 not_found')),
    ...sameIds(target.id).map((id) => get(target, `/v1/videos/${id}`, '200')),
    ...queries.map((query) => get(target, `/v1/videos/${target.id}${query}`, '200', query)),
    ...noIds(target.id)
      .slice(0, 4)
      .flatMap((id) =>
        ['archive', 'republish'].map((verb) => ({
          name: `${verb} of ${id}`,
          parts: [request(`POST /v1/videos/${id}/${verb}`, `${credentials(target)}${json}Content-Length: 0\r\n`)],
          responses: absent,
          next: 'open' as const,
          operation: ['POST', `/v1/videos/${id}/${verb}`] as const,
        })),
      ),
    {
      name: 'the absolute form of a path',
      parts: [request(`GET http://elsewhere.example/v1/videos/${target.id}?x`, credentials(target))],
      responses: ['200'],
      next: 'open',
      operation: ['GET', `/v1/videos/${target.id}`],
    },
  ];
}

function get(target: Target, path: string, response: string, name = path): Hostile {
  return {
    name: `the path ${name.slice(0, 60)}`,
    parts: [request(`GET ${path}`, credentials(target))],
    responses: [response],
    next: 'open',
    operation: ['GET', path],
  };
}

/** Malformed ids: the video does not exist, for any valid key. */
function noIds(id: string): readonly string[] {
  return [
    id.toUpperCase(),
    `vid_${id.toUpperCase()}`,
    `VID_${id}`,
    `vid_vid_${id}`,
    `${id}0`,
    id.slice(1),
    `8${id.slice(1)}`,
    `${id.slice(0, 25)}u`,
    'vid_',
    `vid-${id}`,
    `${id}%20`,
    `%20${id}`,
    `${id}%0a`,
    `${id}%00`,
    `%00${id}`,
    `${id}%2Farchive`,
    `..%2f${id}`,
    `${id};x`,
    `${id}'--`,
    encodeURIComponent(`${id}' OR '1'='1`),
    encodeURIComponent(MARK),
    '%ef%bb%bf',
    `%ef%bb%bf${id}`,
    '%f0%9f%92%a9',
    `${id.slice(0, 25)}%d9%a1`,
    `${id.slice(0, 25)}%ef%bc%91`,
    '__proto__',
    'constructor',
    'undefined',
    'null',
    '.',
    '%2e%2e',
    'x'.repeat(15_000),
    '%76'.repeat(5_000),
  ];
}

/** Other spellings of the same video. */
function sameIds(id: string): readonly string[] {
  return [
    id,
    `vid_${id}`,
    `%76id_${id}`,
    `vid%5f${id}`,
    [...id].map((unit) => `%${unit.charCodeAt(0).toString(16)}`).join(''),
  ];
}
