/** A hostile request as data: the bytes to send, the expected responses, and the state of the connection afterwards. */

/** Marks everything that a request can put text into; no response may contain it. */
export const MARK = `zq7<b>'`;

export type Hostile = {
  readonly name: string;
  /** Sent one after the other, with a short pause between them. */
  readonly parts: readonly (string | Buffer)[];
  /** Status, or status and code, of every response in order. */
  readonly responses: readonly string[];
  /** Whether the next request on the connection is served. */
  readonly next: 'open' | 'closed';
  /** The operation of the contract that the responses belong to; otherwise they are error envelopes. */
  readonly operation?: readonly [method: string, path: string];
  /** Ends only with the server's request timeout. */
  readonly slow?: boolean;
  /** A response to HEAD. */
  readonly bodiless?: boolean;
  /** True for a duplicate member: its name is returned, escaped. */
  readonly named?: boolean;
};

/** The key and the video of a request. */
export type Target = { readonly key: string; readonly id: string };

export const invalid = ['400 invalid_input'] as const;
export const absent = ['404 not_found'] as const;

export const json = 'Content-Type: application/json\r\n';
export const last = 'Connection: close\r\n';

export const video = { source_url: 'https://media.example.com/final.mp4', title: 'Final' };

/** Bytes that are not a valid request: 400, and the connection closes. */
export function rejected(name: string, bytes: string | Buffer): Hostile {
  return {
    name,
    parts: [bytes],
    responses: invalid,
    next: 'closed',
  };
}

/** POST /v1/videos with a JSON body of the right length. */
export function postJson(target: Target, body: string | Buffer, headers = json): Buffer {
  return post(target, `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`, body);
}

/** POST /v1/videos with credentials; `headers` describe the body. */
export function post(target: Target, headers: string, body: string | Buffer = ''): Buffer {
  return request('POST /v1/videos', credentials(target) + headers, body);
}

/** Bytes of a request with this line and these header lines; a body needs a length among them. */
export function request(line: string, headers = '', body: string | Buffer = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`${line} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`, 'latin1'),
    typeof body === 'string' ? Buffer.from(body) : body,
  ]);
}

export function credentials({ key }: Target): string {
  return `Authorization: Bearer ${key}\r\n`;
}

/** A body in chunks of at most `size` bytes. */
export function chunked(body: string | Buffer, size = 65_536): Buffer {
  const bytes = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += size) {
    const chunk = bytes.subarray(from, from + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** A body that is accepted, with further members as JSON text. */
export function bodyWith(members = ''): string {
  return `${JSON.stringify(video).slice(0, -1)}${members === '' ? '' : `,${members}`}}`;
}
