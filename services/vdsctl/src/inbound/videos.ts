/** How a video is presented. */
import type { VideoDetailsOut } from '@vds/proto/generated/vds/catalog/v1/VideoDetails.ts';
import { facts, table } from './output.ts';
import type { Output } from './verb.ts';

export function videoOutput(details: VideoDetailsOut): Output {
  return {
    json: { ...details, video: { ...details.video, state: stateOf(details.video?.state) } },
    text: describe(details),
  };
}

/** `ready` of `VIDEO_STATE_READY`. */
export function stateOf(state = ''): string {
  return state.replace('VIDEO_STATE_', '').toLowerCase();
}

function describe(details: VideoDetailsOut): string {
  const { video } = details;
  const state = stateOf(video?.state);
  const head = facts([
    ['video', video?.id],
    ['title', video?.title],
    ['state', details.held ? `${state}, held by the operator` : state],
    ['publisher', details.publisherId],
    ['intent', details.intent],
    ['attempt', details.attempt],
    ['version', details.version],
    ['progress', video?.progress],
    ['duration (s)', video?.durationSeconds],
    ['playback id', video?.playbackId ?? video?.mediaPlaybackId],
    ['created', video?.createdAt],
    ['updated', video?.updatedAt],
    [
      'failure',
      video?.failure ? `${video.failure.code} in ${video.failure.stage}: ${video.failure.message}` : undefined,
    ],
    ['warnings', video?.sourceWarnings.map(({ code }) => code).join(' ') || undefined],
    ['unconfirmed purges', details.unconfirmedPurges.join(', ') || undefined],
  ]);
  const rows = details.stages.map((stage) => [
    stage.stage,
    stage.state,
    String(stage.attempt),
    `${stage.progress} %`,
    stage.startedAt ?? '–',
    stage.finishedAt ?? '–',
  ]);
  return `${head}\n\n${table(['stage', 'state', 'attempt', 'progress', 'started', 'finished'], rows, 'No stage was requested yet.')}`;
}
