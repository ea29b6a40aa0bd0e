/** Programs of partners that use the published package, as text: they run and compile in its folder, not in this one. */

/**
 * Calls the client as `calls` says, one `[method, …arguments]` after the other, and prints its outcomes and waits. The
 * waits take no time unless `real`.
 */
const exercise = `
const ID = 'vid_01jd3m8q0c7e5b9x2k4n6p8rst';
const source = { source_url: 'https://media.example.com/final.mp4', title: 'Final' };

async function main({ createClient, ApiError, ConnectionError, isLive }) {
  const { baseUrl, apiKey, calls, real } = JSON.parse(process.argv[2]);
  const waits = [];
  const runtime = real ? undefined : { sleep: async (ms) => void waits.push(ms) };
  const client = createClient({ baseUrl, apiKey }, runtime);
  const outcomes = [];
  for (const call of calls)
    outcomes.push(
      await client[call](call === 'submit' ? source : ID).then(
        (record) => ({ status: record.status, live: record.playback === undefined ? undefined : isLive(record) }),
        (error) => ({
          error: error instanceof ApiError ? error.code : error instanceof ConnectionError ? 'connection' : String(error),
        }),
      ),
    );
  console.log(JSON.stringify({ outcomes, waits }));
}
`;

/** The same program as an ES module, and as CommonJS with \`import()\` and with \`require()\`. */
export const exercises = {
  'exercise.mjs': `import * as client from '@vds/client';\n${exercise}\nawait main(client);\n`,
  'exercise-import.cjs': `${exercise}\nimport('@vds/client').then(main);\n`,
  'exercise-require.cjs': `const client = require('@vds/client');\n${exercise}\nmain(client);\n`,
} as const;

/** A program that uses every export with its type; each \`@ts-expect-error\` is a fault that the types must find. */
export const consumer = `
import {
  ApiError, ConnectionError, createClient, isLive,
  type CallOptions, type Client, type ClientOptions, type ErrorCode, type FollowOptions, type IngestAccepted,
  type IngestRequest, type Operation, type ResponseInfo, type Video,
} from '@vds/client';

const infos: ResponseInfo[] = [];
const options: ClientOptions = {
  baseUrl: 'https://api.example.com', apiKey: 'svc_live_x', timeoutMs: 1_000, maxDailyWaitSeconds: 5,
  onResponse: (info) => infos.push(info), fetch,
};
const client: Client = createClient(options);
const call: CallOptions = { signal: AbortSignal.timeout(1_000) };
const follow: FollowOptions = { ...call, onRecord: ({ status, progress }) => [status, progress] };
const request: IngestRequest = { source_url: 'https://media.example.com/a.mp4', title: 'A', sport: 'tennis', tags: ['a'] };

export async function run(): Promise<string | undefined> {
  try {
    const accepted: IngestAccepted = await client.submit(request, call);
    const video: Video = await client.follow(accepted.id, follow);
    const operation: Operation = await client.archive(accepted.id);
    for (const done of [operation, await client.republish(accepted.id), await client.delete(accepted.id)])
      if (done.status === 'archive_queued') return done.message;
    if (video.status === 'failed') return video.failure?.code;
    return isLive(video) ? video.playback?.hls_url : (await client.get(accepted.id)).summary ?? undefined;
  } catch (error) {
    if (error instanceof ConnectionError) return error.message;
    if (!(error instanceof ApiError)) throw error;
    const code: ErrorCode = error.code;
    const seconds: number | undefined = error.retryAfterSeconds;
    return code === 'daily_ingest_limit' ? String(seconds) : error.requestId;
  }
}

// @ts-expect-error the title is missing
export const untitled: IngestRequest = { source_url: 'https://media.example.com/a.mp4' };
// @ts-expect-error no such sport
export const unknownSport: IngestRequest = { ...request, sport: 'chess' };
// @ts-expect-error no such status
export const unknownStatus = (video: Video): boolean => video.status === 'public';
// @ts-expect-error not exported
import { openTransport } from '@vds/client';
// @ts-expect-error inner files are not exported
import { pollDelayMs } from '@vds/client/dist/client/src/poll.js';
`;

/** A CommonJS program with types. */
export const commonJsConsumer = `
import type { Client } from '@vds/client' with { 'resolution-mode': 'import' };

export async function open(): Promise<Client> {
  const { createClient } = await import('@vds/client');
  return createClient({ baseUrl: 'https://api.example.com', apiKey: 'svc_live_x' });
}
`;
