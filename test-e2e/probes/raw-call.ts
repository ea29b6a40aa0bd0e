/** One request, and its complete response as text. */
import { expectContract } from '@vds/proto/testing/contract-check';

export type RawAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The body. */
  readonly text: string;
  /** Headers and body, as one searchable text. */
  readonly whole: string;
  /** `200 ready`, `404 not_found`: HTTP status, then the body's `status` or its `error.code`. */
  readonly reply: string;
  /** By this process's clock, in milliseconds. */
  readonly sent: number;
  readonly answered: number;
};

/**
 * Sends the request once; throws for a response that the contract does not list.
 * @param authorization the header's value; undefined for no header
 */
export async function rawCall(
  url: string,
  { authorization, ...init }: RequestInit & { readonly authorization?: string | undefined },
): Promise<RawAnswer> {
  const sent = performance.now();
  const response = await fetch(url, {
    ...init,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(init.body !== undefined && { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const answered = performance.now();
  const { status, headers } = response;
  const path = url.slice(new URL(url).origin.length);
  expectContract(init.method ?? 'GET', path, { status, headers, body: JSON.parse(text) });
  const whole = `${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${text}`;
  return { status, headers, text, whole, reply: `${status} ${wordOf(text)}`, sent, answered };
}

function wordOf(text: string): string {
  const body = JSON.parse(text) as { status?: string; error?: { code?: string } };
  return body.error?.code ?? body.status ?? '';
}
