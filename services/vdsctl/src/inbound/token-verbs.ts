/** `vdsctl token mint` and `vdsctl video preview`: playback tokens, for viewers and for staff. */
import type { Command } from 'commander';
import type { PlaybackTokenOut } from '@vds/proto/generated/vds/auth/v1/PlaybackToken.ts';
import type { VideoDetailsOut } from '@vds/proto/generated/vds/catalog/v1/VideoDetails.ts';
import { AppError } from '@vds/chassis/errors';
import { bareVideoId } from '../domain/ids.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { facts } from './output.ts';
import { auditFields, withClients, type AuditOptions, type CliIo, type Output } from './verb.ts';
import { stateOf } from './videos.ts';

/** Adds the verb to the program. */
export function addTokenVerbs(program: Command, io: CliIo): void {
  program
    .command('token')
    .description('playback tokens')
    .command('mint')
    .description('sign a token that plays one video, and print the address to play')
    .argument('<video id>')
    .option('--viewer <id>', 'the viewer: the token carries a keyed hash of it', '')
    .action(
      withClients<{ viewer: string }>(io, async (clients, { viewer: viewerId }, id = '') => {
        const { playbackId, video } = await playable(clients, bareVideoId(id));
        const durationMs = (video?.durationSeconds ?? 0) * 1_000;
        const minted = await clients.tokens().MintPlaybackToken({ playbackId, durationMs, viewerId });
        return tokenOutput(clients, playbackId, minted);
      }),
    );
}

/** Adds `video preview` to the verbs of videos. */
export function addPreviewVerb(video: Command, io: CliIo): void {
  video
    .command('preview')
    .description(
      'print an address that plays a video for ten minutes whatever its state, also held or archived; of one that is still being encoded what is finished; audited',
    )
    .argument('<video id>')
    .option('--actor <name>', 'who watches (default: the variable USER; with a token of your own it is you)')
    .option('--reason <text>', 'why; recorded in the audit', 'review')
    .action(
      withClients<AuditOptions>(io, async (clients, audit, id = '') => {
        const videoId = bareVideoId(id);
        const playbackId = await previewable(clients, videoId);
        const request = { playbackId, videoId, ...auditFields(io, audit) };
        return tokenOutput(clients, playbackId, await clients.keys().MintPreviewToken(request));
      }),
    );
}

/** While a video is being encoded, staff watches what is finished of it, under the id of the video. */
async function previewable(clients: AdminClients, videoId: string): Promise<string> {
  const { playbackId, video } = await clients.videos().ShowVideo({ videoId });
  if (playbackId !== undefined) return playbackId;
  if (video?.state === 'VIDEO_STATE_PROCESSING') return videoId;
  throw new AppError('FAILED_PRECONDITION', `the video has no media: it is ${stateOf(video?.state)}`);
}

async function playable(
  clients: AdminClients,
  videoId: string,
): Promise<VideoDetailsOut & { readonly playbackId: string }> {
  const details = await clients.videos().ShowVideo({ videoId });
  if (details.playbackId === undefined)
    throw new AppError('FAILED_PRECONDITION', `the video has no media yet: it is ${stateOf(details.video?.state)}`);
  return { ...details, playbackId: details.playbackId };
}

function tokenOutput(clients: AdminClients, playbackId: string, { token, expiresAtMs }: PlaybackTokenOut): Output {
  const expiresAt = new Date(expiresAtMs).toISOString();
  const url = clients.playbackAddress(playbackId, token);
  const text = facts([
    ['playback id', playbackId],
    ['expires', expiresAt],
  ]);
  return {
    json: { playbackId, token, expiresAt, ...(url !== undefined && { url }) },
    text: `${text}\n\n${url ?? token}`,
  };
}
