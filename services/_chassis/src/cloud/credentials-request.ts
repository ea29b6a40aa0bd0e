/** One request to a server that issues credentials, with a deadline and a bound; its token goes to no other address. */
import { readFile } from 'node:fs/promises';
import { fetch } from 'undici';
import { AppError, messageOf } from '../errors.ts';

export type CredentialsRequest = {
  /** The server, for messages. */
  readonly who: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type CredentialsResponse = {
  readonly text: string;
  /** The server's clock, in milliseconds: expiries are in its time, whatever ours is. */
  readonly serverTime: number;
};

const DEADLINE_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** @throws AppError UNAVAILABLE, with the reason `credentials_refused` where the server calls the request wrong */
export async function requestCredentials({
  who,
  url,
  method = 'GET',
  headers = {},
  body,
}: CredentialsRequest): Promise<CredentialsResponse> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal,
      ...(body !== undefined && { body }),
    });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString('utf8');
      if (text.length > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    }
    if (!response.ok) throw refused(who, response.status, text);
    const date = Date.parse(response.headers.get('date') ?? '');
    return { text, serverTime: Number.isNaN(date) ? Date.now() : date };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { cause } = error as { cause?: unknown };
    const why =
      (error as Error).name === 'TimeoutError' ? `no response within ${DEADLINE_MS} ms` : messageOf(cause ?? error);
    throw noCredentials(`${who} cannot be reached: ${why}`, error);
  }
}

/** The content of a file with a token, which is read for each request: it is replaced while the process runs. */
export async function tokenIn(variable: string, file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw noCredentials(`${variable}: ${file} cannot be read`, error);
  }
}

/** The JSON object in a response. */
export function jsonOf(who: string, { text }: CredentialsResponse): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // The same as any other text.
  }
  throw noCredentials(`${who} returned no JSON object`);
}

/** An error that counts as an unavailable dependency. */
export function noCredentials(message: string, cause?: unknown, reason = 'credentials_unavailable'): AppError {
  return new AppError('UNAVAILABLE', message, { reason, cause });
}

/** Their bodies have no secrets: https://docs.aws.amazon.com/STS/latest/APIReference/CommonErrors.html */
function refused(who: string, status: number, text: string): AppError {
  const parts = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]{1,300})`).exec(text)?.[1]);
  const why = parts.filter(Boolean).join(': ') || `status ${status}`;
  const isOurs = status >= 400 && status < 500 && status !== 429 && status !== 408;
  return noCredentials(`${who} refuses: ${why}`, undefined, isOurs ? 'credentials_refused' : undefined);
}
