/** S3: versitygw over a folder, with its own users (`--iam-dir`) so that bucket policies mean something. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answers, startDetached, stopDetached, untilReady } from './detached.ts';
import { goProgram } from '../programs/go-programs.ts';
import { ensurePort, serverUrl, type Settings } from './settings.ts';

export const S3_ROOT = 'root';
export const S3_REGION = 'us-east-1';

/** Starts the gateway; its metadata lives in extended attributes, so the folder's file system must have them. */
export async function startS3(dir: string, settings: Settings): Promise<void> {
  const command = goProgram('versitygw');
  if (command === null) throw new Error('versitygw is not installed: run `npm run servers -- install`.');
  const [data, iam, versions] = [join(dir, 's3', 'data'), join(dir, 's3', 'iam'), join(dir, 's3', 'versions')];
  for (const folder of [data, iam, versions]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const port = await ensurePort(dir, settings, 's3');
  const args = [
    '--port',
    `127.0.0.1:${port}`,
    '--region',
    S3_REGION,
    '--iam-dir',
    iam,
    // versitygw 1.8 keys its user cache by reused buffers: occasionally one user is mistaken for another.
    '--iam-cache-disable',
    // As every S3 on the market does: a client's next request needs no new connection.
    '--keep-alive',
    '--health',
    '/health',
    '--quiet',
    ...(settings.tls ? ['--cert', settings.tls.certFile, '--key', settings.tls.keyFile] : []),
    'posix',
    // Buckets may have versions; none has unless a test asks for it.
    '--versioning-dir',
    versions,
    data,
  ];
  const env = { PATH: process.env['PATH'], ROOT_ACCESS_KEY_ID: S3_ROOT, ROOT_SECRET_ACCESS_KEY: settings.passwords.s3 };
  startDetached({ dir, name: 's3', command, args, env });
  await untilReady(dir, 's3', async () => await answers(`${serverUrl(settings, 's3')}/health`));
}

/** Stops the gateway. */
export async function stopS3(dir: string): Promise<boolean> {
  return await stopDetached(dir, 's3');
}
