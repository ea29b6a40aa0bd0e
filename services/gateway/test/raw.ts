/** Responses as bytes on a connection. */
export type RawResponse = { readonly status: number; readonly headers: Headers; readonly body: string };

/** Parses the responses in the received text, by `content-length`. */
export function responsesIn(received: string): RawResponse[] {
  const responses: RawResponse[] = [];
  let rest = received;
  while (rest.includes('\r\n\r\n')) {
    const end = rest.indexOf('\r\n\r\n');
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
    );
    const length = Number(headers.get('content-length') ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    responses.push({ status: Number(start.split(' ')[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}
