/** Fake admin servers of captions, metadata and indexer: they implement the contracts and record the requests. */
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { captions, deadLetters, indexer, metadata, transcode, worker } from '@vds/proto';
import type { CaptionsAdminHandlers } from '@vds/proto/generated/vds/captions/v1/CaptionsAdmin.ts';
import type { CaptionsServiceHandlers } from '@vds/proto/generated/vds/captions/v1/CaptionsService.ts';
import type { DeadLetterAdminHandlers } from '@vds/proto/generated/vds/common/v1/DeadLetterAdmin.ts';
import type { WorkerAdminHandlers } from '@vds/proto/generated/vds/common/v1/WorkerAdmin.ts';
import type { IndexerAdminHandlers } from '@vds/proto/generated/vds/indexer/v1/IndexerAdmin.ts';
import type { ReindexStatus } from '@vds/proto/generated/vds/indexer/v1/ReindexStatus.ts';
import type { MetadataServiceHandlers } from '@vds/proto/generated/vds/metadata/v1/MetadataService.ts';
import type { TranscodeServiceHandlers } from '@vds/proto/generated/vds/transcode/v1/TranscodeService.ts';
import { stageOwners } from '@vds/proto/stages';
import { AppError, notFound } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { serveRpc, service } from '@vds/chassis/rpc/rpc';

const TOKEN = 'a token of the tests';
const callers = ['vdsctl'];
/** The only video that these servers have. */
export const KNOWN_VIDEO = '01jd3m8q0c7e5b9x2k4n6p8rst';

const state = {
  revision: 7,
  transcriptRevision: 1,
  tracks: [
    { language: 'en', kind: 'captions', status: 'ready', name: 'English', path: ['en'] },
    { language: 'fr', kind: 'subtitles', status: 'ready', name: 'French (machine)', path: ['en', 'ca', 'fr'] },
    { language: 'de', kind: 'subtitles', status: 'skipped', reason: 'no_path', name: 'German', path: [] },
    { language: 'es', kind: 'subtitles', provided: true, status: 'ready', name: 'Spanish', path: [] },
    { language: 'it', kind: 'subtitles', status: 'failed', reason: 'engine_error', name: 'Italian', path: [] },
  ],
};

const shownCues = [
  { startMs: 1_000, endMs: 2_500, lines: ['Goal by', 'A & B <3>'] },
  { startMs: 3_723_004, endMs: 3_724_000, lines: ['The end.'] },
];

export type RecordedRequest = { readonly method: string; readonly request: unknown };

type Recorder = (method: string, request: unknown) => void;

/**
 * Serves the admin interfaces on one free port.
 * @param token of vdsctl
 */
export async function startStageServers(token = TOKEN) {
  const requests: RecordedRequest[] = [];
  let reindexStatuses: ReindexStatus[] = [];
  let letterSequences = usualLetters;
  let jobStates: string[] = [];
  let jobReads = 0;
  const record: Recorder = (method, request) => void requests.push({ method, request });
  const rpc = await serveRpc({
    port: 0,
    services: [
      captionsAdmin(record),
      captionsService(),
      transcodeService(),
      metadataService(),
      indexerAdmin(record, () => reindexStatuses.shift() ?? { state: 'none' }),
      deadLetterAdmin(record, () => letterSequences),
      workerAdmin(record, () => {
        const state = jobStates.length > 1 ? jobStates[0] : jobStates.at(-1);
        if (++jobReads % stageOwners.length === 0 && jobStates.length > 1) jobStates.shift();
        return state;
      }),
    ],
    log: createLogger('stage-servers', 'error', new Writable({ write: (_chunk, _encoding, done) => done() })),
    metrics: createMetrics('stage-servers'),
    config: {
      rpcCallers: [`vdsctl=${createHash('sha256').update(token).digest('hex')}`],
      tlsCertFile: undefined,
      tlsKeyFile: undefined,
      tlsCaFile: undefined,
    },
  });
  const address = `127.0.0.1:${rpc.port}`;
  return {
    requests,
    /** The replies to the next GetReindex requests. */
    setReindexStatuses: (next: ReindexStatus[]): void => void (reindexStatuses = next),
    /** The sequences of every service's dead letters; without an argument the usual ones. */
    setDeadLetters: (sequences: readonly number[] = usualLetters): void => void (letterSequences = sequences),
    /** The states of the second job of every service, one after the other, the last one for good; none: ready. */
    setJobStates: (states: string[]): void => void (jobStates = states),
    environment: {
      VDSCTL_CATALOG: address,
      VDSCTL_INGEST: address,
      VDSCTL_TRANSCODE: address,
      VDSCTL_CAPTIONS: address,
      VDSCTL_METADATA: address,
      VDSCTL_INDEXER: address,
      VDSCTL_ANALYTICS: address,
      VDSCTL_TOKEN: token,
      USER: 'sam',
    },
    close: rpc.close,
  };
}

const usualLetters: readonly number[] = [1, 7];

/** Dead letters, of which the one with the number 7 fails again. */
function deadLetterAdmin(record: Recorder, sequences: () => readonly number[]) {
  const letters = () =>
    sequences().map((sequence) => ({
      ...{ sequence, subject: sequence === 1 ? 'catalog.fetch.requested.v1' : 'catalog.purge.requested.v1' },
      ...{ reason: 'cannot use it', messageId: `id-${sequence}` },
      deadLetteredAt: new Date(Date.UTC(2030) + 1_000 * sequence).toISOString(),
    }));
  const find = (sequence: number) => {
    const found = letters().find((letter) => letter.sequence === sequence);
    if (!found) throw notFound(`dead letter ${sequence}`);
    return { ...found, payload: '{"videoId":"v1"}' };
  };
  return service<DeadLetterAdminHandlers>(
    deadLetters.DeadLetterAdmin.service,
    { ListDeadLetters: callers, ShowDeadLetter: callers, ReplayDeadLetter: callers },
    {
      ListDeadLetters: async ({ pageSize, cursor }) => {
        const rest = letters().filter(({ sequence }) => sequence > Number(cursor));
        const page = rest.slice(0, pageSize);
        return { deadLetters: page, nextCursor: rest.length > pageSize ? String(page.at(-1)?.sequence) : '' };
      },
      ShowDeadLetter: async ({ sequence }) => find(sequence),
      ReplayDeadLetter: async (request) => {
        record('ReplayDeadLetter', request);
        if (request.sequence === 7) throw new AppError('FAILED_PRECONDITION', 'the message fails again: no');
        return find(request.sequence);
      },
    },
  );
}

/** A job that crashed, and one that waits. */
function workerAdmin(record: Recorder, stateOfSecond: () => string | undefined) {
  const job = { videoId: KNOWN_VIDEO, attempt: 1, stage: 'encode', queue: 'encode', state: 'ready', tries: 1 };
  const times = { createdAt: '2030-01-01T00:00:00.000Z', readyAt: '2030-01-01T00:00:43.000Z' };
  const first = { ...job, ...times, name: 'piece-1', crashes: 2, quarantined: true, error: 'killed' };
  const waiting = { ...times, olderReady: 3, blockedSince: '2030-01-01T00:00:02.000Z', blockedBy: 'missing' };
  const running = { progress: 40, claimedBy: 'worker-1/7', startedAt: '2030-01-01T00:01:00.000Z' };
  const jobs = () => {
    const state = stateOfSecond();
    const second = { ...job, name: 'piece-2', ...(state === undefined || state === 'ready' ? waiting : running) };
    if (state === undefined) return [first, second];
    return [
      { ...first, state: 'done' },
      { ...second, state },
    ];
  };
  return service<WorkerAdminHandlers>(
    worker.WorkerAdmin.service,
    { ListKnownVideos: callers, DescribeVideos: callers, ListJobs: callers },
    {
      ListKnownVideos: async () => ({ videoIds: [] }),
      DescribeVideos: async () => ({ videos: [] }),
      ListJobs: async (request) => {
        record('ListJobs', request);
        return { jobs: jobs(), nextCursor: '' };
      },
    },
  );
}

function captionsAdmin(record: Recorder) {
  return service<CaptionsAdminHandlers>(
    captions.CaptionsAdmin.service,
    { RerunTracks: callers, ReadTrack: callers, CorrectTrack: callers, ListLanguages: callers },
    {
      RerunTracks: async (request) => {
        requireKnown(request.videoId);
        record('RerunTracks', request);
        return tracks(request.videoId);
      },
      ReadTrack: async ({ videoId, language }) => {
        requireKnown(videoId);
        const track = state.tracks.find((one) => one.language === language);
        if (!track) throw notFound(`a track '${language}'`);
        return { videoId, revision: state.revision, track, cues: shownCues };
      },
      CorrectTrack: async (request) => {
        requireKnown(request.videoId);
        record('CorrectTrack', request);
        return tracks(request.videoId);
      },
      ListLanguages: async (request) => {
        record('ListLanguages', request);
        const routes = [
          { source: 'en', target: 'fr', path: ['en', 'ca', 'fr'] },
          { source: 'en', target: 'de', path: [] },
          { source: 'ko', target: 'en', path: ['ko', 'en'], fromSpeech: true },
          { source: 'ko', target: 'fr', path: ['ko', 'en', 'ca', 'fr'], fromSpeech: true },
        ];
        const engines = { speechEngine: 'whisper', speechLanguages: ['en', 'ko'], translationEngine: 'apertium' };
        return { ...engines, targets: ['en', 'fr', 'de'], routes, checkedAt: '2030-01-01T00:00:00.000Z' };
      },
    },
  );
}

function captionsService() {
  return service<CaptionsServiceHandlers>(
    captions.CaptionsService.service,
    { GetTracks: callers, GetTranscript: [] },
    {
      GetTracks: async ({ videoId }) => {
        requireKnown(videoId);
        return tracks(videoId);
      },
      GetTranscript: async () => ({}),
    },
  );
}

/** A ladder with two tracks of sound, the partner's own pictures and chapters. */
function transcodeService() {
  return service<TranscodeServiceHandlers>(
    transcode.TranscodeService.service,
    { GetLadder: callers, GetPreview: callers },
    {
      GetLadder: async ({ videoId }) => {
        requireKnown(videoId);
        return {
          videoId,
          audio: { language: 'eng', role: 'main' },
          alternates: [{ language: '', role: 'commentary', title: 'Away \u001b[31mradio' }],
          original: { width: 3_840, height: 2_160, codecs: 'hvc1.2.4.L150.B0' },
          originalRange: 'PQ',
          chapters: 3,
        };
      },
      GetPreview: async ({ videoId }) => {
        throw notFound(`video ${videoId}`);
      },
    },
  );
}

function requireKnown(videoId: string): void {
  if (videoId !== KNOWN_VIDEO) throw notFound(`video ${videoId}`);
}

function tracks(videoId: string) {
  return { videoId, attempt: 1, state, updatedAt: '2030-01-01T00:00:00.000Z' };
}

function metadataService() {
  return service<MetadataServiceHandlers>(
    metadata.MetadataService.service,
    { GetMetadata: callers },
    {
      GetMetadata: async ({ videoId }) => {
        requireKnown(videoId);
        return {
          videoId,
          attempt: 1,
          revision: 2,
          scenes: [{ startMs: 0, endMs: 61_500, thumbnailMs: 30_000 }],
          screenTexts: [{ text: 'SLOW MOTION', startMs: 9_000, endMs: 14_000, confidence: 0.93 }],
          topics: [{ name: 'goalkeeper', score: 0.5, evidence: [{ where: 'transcript', text: 'save', atMs: 4_200 }] }],
          labels: [{ name: 'audio:speech_share', source: 'sound', confidence: 1, value: 0.625 }],
          hasTranscript: true,
          passages: [{ vector: Buffer.from([1, 255]) }, { atMs: 4_200, vector: Buffer.from([2, 3]) }],
          embeddingModel: 'small/q4',
          chapters: [{ startMs: 0, endMs: 61_500, title: 'First half', origin: 'file' }],
          keyMoments: [{ startMs: 4_000, endMs: 18_000, score: 0.81, reasons: ['crowd', 'replay'], title: 'Goal' }],
        };
      },
    },
  );
}

function indexerAdmin(record: Recorder, nextStatus: () => ReindexStatus) {
  return service<IndexerAdminHandlers>(
    indexer.IndexerAdmin.service,
    {
      ...{ StartReindex: callers, GetReindex: callers, RefreshVideo: callers },
      ...{ ShowVideo: callers, GetIndexStatus: callers, ListIndexedVideos: callers },
    },
    {
      StartReindex: async (request) => {
        record('StartReindex', request);
        return { state: 'running', fromIndex: 'vds-videos-1', toIndex: 'vds-videos-2' };
      },
      GetReindex: async () => nextStatus(),
      RefreshVideo: async (request) => {
        record('RefreshVideo', request);
        return { ...request, found: true, live: true, version: 4, document: '{"captions":{"pt-BR":"gol"}}' };
      },
      ShowVideo: async ({ videoId }) => ({
        videoId,
        found: videoId === KNOWN_VIDEO,
        live: true,
        version: 3,
        document: '{}',
      }),
      ListIndexedVideos: async () => ({ videos: [] }),
      GetIndexStatus: async () => ({ index: 'vds-videos-1', mappingVersion: 1, live: 12, bytes: 2_500_000 }),
    },
  );
}
