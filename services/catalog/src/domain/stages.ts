/**
 * THE list of stages: who runs each, what it waits for, whether the video waits for it, and how long it may take.
 * A new stage enters by a row here, a row in outbound/publisher.ts and its facts in inbound/events.ts.
 */
import type { Limits, Stage } from './stage.ts';

function awaitedMs(durationMs: number | null, { awaitLeastMs }: Limits): number {
  return Math.max(awaitLeastMs, (durationMs ?? 0) / 4);
}

export const stages: readonly Stage[] = [
  {
    name: 'fetch',
    owner: 'ingest',
    needs: [],
    blocksReady: true,
    deadlineMs: (_durationMs, limits) => limits.fetchDeadlineMs,
    weight: 15,
  },
  {
    name: 'inspect',
    owner: 'transcode',
    needs: [{ stage: 'fetch', reached: 'completed' }],
    blocksReady: true,
    deadlineMs: (_durationMs, limits) => limits.inspectDeadlineMs,
    weight: 5,
  },
  {
    name: 'encode',
    owner: 'transcode',
    needs: [{ stage: 'inspect', reached: 'completed' }],
    blocksReady: true,
    deadlineMs: (durationMs, limits) =>
      Math.max(limits.encodeDeadlineMs, 8 * (durationMs ?? 0)) + limits.assembleDeadlineMs,
    weight: 60,
  },
  {
    name: 'captions',
    owner: 'captions',
    needs: [{ stage: 'encode', reached: 'audio' }],
    blocksReady: false,
    deadlineMs: (durationMs, limits) => Math.max(limits.captionsDeadlineMs, 4 * (durationMs ?? 0)),
    // The rest of the time is for metadata, which reads the transcript.
    awaitedMs: (durationMs, limits) => 0.75 * awaitedMs(durationMs, limits),
    weight: 12,
  },
  {
    name: 'metadata',
    owner: 'metadata',
    needs: [
      { stage: 'encode', reached: 'completed' },
      { stage: 'captions', reached: 'settled' },
    ],
    blocksReady: false,
    deadlineMs: (durationMs, limits) => Math.max(limits.metadataDeadlineMs, 2 * (durationMs ?? 0)),
    awaitedMs,
    inputsRevision: ({ transcriptRevision }) => transcriptRevision,
    weight: 8,
  },
];

/** Every service that keeps what its stages made, attempt by attempt. */
export const stageOwners: readonly string[] = [...new Set(stages.map((stage) => stage.owner))];

/** Every service that keeps something of a video. */
export const owners: readonly string[] = [...stageOwners, 'indexer'];

/** Who keeps the partner's file. */
export const sourceOwner = 'ingest';
