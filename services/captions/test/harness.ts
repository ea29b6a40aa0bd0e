/** The real service in processes of its own, on a fresh database, buckets and nats-server, with the test as its catalog. */
import { createHash } from 'node:crypto';
import { events, type EventType } from '@vds/proto/events';
import { freePort } from '@vds/testkit/servers/free-port';
import type { TestBucket } from '@vds/testkit/harness/objects';
import { readServers } from '@vds/testkit/servers/servers-file';
import { openServiceHarness, type Said, type Worker as Process } from '@vds/testkit/harness/service-harness';

export type { Said } from '@vds/testkit/harness/service-harness';
export type Ports = { readonly rpc: number; readonly adminRpc: number; readonly admin: number };
export type Worker = Process & { readonly ports: Ports };

export const publisher = 'publisher-1';

/** Where the embedded engines are; the rest is found on PATH. */
const { speechPython, apertium } = readServers();
const usual: Record<string, string> = {
  RPC_CALLERS: ['vdsctl', 'indexer'].map((name) => `${name}=${digest(tokenOf(name))}`).join(','),
  ...(typeof speechPython === 'string' && { SPEECH_PYTHON: speechPython }),
  ...(typeof apertium === 'string' && { APERTIUM_PATH: apertium }),
};

const facts = Object.values(events).filter(({ owner }) => owner === 'captions') as EventType<never, object>[];
export type House = Awaited<ReturnType<typeof openHouse>>;

export function tokenOf(caller: string): string {
  return `token-of-${caller}`;
}

/** @param settings variables of every process that is started in it */
export async function openHouse(settings: Readonly<Record<string, string>> = {}) {
  const house = await openServiceHarness({
    room: new URL('..', import.meta.url),
    facts,
    as: 'catalog',
    buckets: ['MEDIA_BUCKET', 'CAPTIONS_BUCKET'],
    settings: { ...usual, ...settings },
  });
  const captions = house.bucket('CAPTIONS_BUCKET');
  return {
    ...house,
    media: house.bucket('MEDIA_BUCKET'),
    captions,
    startWorker: async (more: Readonly<Record<string, string>> = {}): Promise<Worker> => {
      const ports = { rpc: await freePort(), adminRpc: await freePort(), admin: await freePort() };
      const endpoints = { RPC_PORT: `${ports.rpc}`, ADMIN_RPC_PORT: `${ports.adminRpc}`, ADMIN_PORT: `${ports.admin}` };
      return { ...(await house.startWorker({ ...endpoints, ...more })), ports };
    },
    /** Everything said of a video, by the last words of the subject: `tracks.changed`. */
    of: (videoId: string, what: string): Said[] =>
      house.said.filter(({ subject, payload }) => subject === `captions.${what}.v1` && payload['videoId'] === videoId),
    keys: (videoId: string): Promise<string[]> => listKeys(captions, `videos/${videoId}/`),
    /** Keys that are being uploaded in parts. */
    uploads: (videoId: string): Promise<string[]> => listUploads(captions, `videos/${videoId}/`),
    /** Text of an object in the captions bucket. */
    read: (key: string): Promise<string> => readText(captions, key),
  };
}

async function listKeys({ client, bucket }: TestBucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const item of client.listObjectsV2(bucket, prefix, true)) keys.push((item as { name: string }).name);
  return keys;
}

async function listUploads({ client, bucket }: TestBucket, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const item of client.listIncompleteUploads(bucket, prefix, true)) keys.push((item as { key: string }).key);
  return keys;
}

async function readText({ client, bucket }: TestBucket, key: string): Promise<string> {
  const body: Buffer[] = [];
  for await (const chunk of await client.getObject(bucket, key)) body.push(chunk as Buffer);
  return Buffer.concat(body).toString('utf8');
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
