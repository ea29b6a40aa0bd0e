/** versitygw's administration calls for users, signed here so that no secret appears in an argument list. */
import { createHash, createHmac } from 'node:crypto';

const CALL_MS = 30_000;

/** An S3 server and its administrator. */
export type S3Server = {
  readonly endpoint: string;
  readonly region: string;
  readonly rootAccessKey: string;
  readonly rootSecretKey: string;
};

/** Creates the user, or sets the secret of an existing one. */
export async function ensureS3User(s3: S3Server, access: string, secret: string): Promise<void> {
  const user = `<Access>${access}</Access><Secret>${secret}</Secret><Role>user</Role>`;
  const created = await call(s3, '/create-user', `<Account>${user}<UserID>0</UserID><GroupID>0</GroupID></Account>`);
  if (created.status < 300) return;
  const body = `<MutableProps><Secret>${secret}</Secret></MutableProps>`;
  const updated = await call(s3, `/update-user?access=${encodeURIComponent(access)}`, body);
  if (updated.status >= 300) throw new Error(`S3 user ${access}: ${messageIn(updated.text)}`);
}

async function call(s3: S3Server, path: string, body: string): Promise<{ status: number; text: string }> {
  const url = new URL(path, s3.endpoint);
  const headers = signed(s3, 'PATCH', url, body, new Date());
  const response = await fetch(url, { method: 'PATCH', headers, body, signal: AbortSignal.timeout(CALL_MS) });
  return { status: response.status, text: await response.text() };
}

/** Headers of a signed request (AWS Signature Version 4). */
function signed(s3: S3Server, method: string, url: URL, body: string, now: Date): Record<string, string> {
  const time = `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const day = time.slice(0, 8);
  const digest = sha256(body);
  const headers = { host: url.host, 'x-amz-content-sha256': digest, 'x-amz-date': time };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = [method, url.pathname, url.searchParams.toString(), lines.join(''), names, digest].join('\n');
  const scope = `${day}/${s3.region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n');
  const key = [day, s3.region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${s3.rootSecretKey}`);
  const signature = hmac(key, toSign).toString('hex');
  const credential = `AWS4-HMAC-SHA256 Credential=${s3.rootAccessKey}/${scope}`;
  return { ...headers, authorization: `${credential}, SignedHeaders=${names}, Signature=${signature}` };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** The message of an error response, without the rest of its XML. */
function messageIn(text: string): string {
  return /<Message>([^<]+)/.exec(text)?.[1] ?? text;
}

/** Removes the user; one that does not exist is success. */
export async function removeS3User(s3: S3Server, access: string): Promise<void> {
  const { status, text } = await call(s3, `/delete-user?access=${encodeURIComponent(access)}`, '');
  if (status >= 300 && status !== 404) throw new Error(`S3 user ${access}: ${messageIn(text)}`);
}
