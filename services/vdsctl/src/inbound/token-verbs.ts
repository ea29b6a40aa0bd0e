/** `vdsctl token …`: playback tokens. */
import type { Command } from 'commander';
import { AppError } from '@vds/chassis/errors';
import { bareVideoId } from '../domain/ids.ts';
import { facts } from './output.ts';
import { withClients, type CliIo } from './verb.ts';
import { stateOf } from './videos.ts';

/** Adds the verb to the program. */
export function addTokenVerbs(program: Command, io: CliIo): void {
  program
    .command('token')
    .description('playback tokens')
    .command('mint')
    .description('sign a token that plays one video')
    .argument('<video id>')
    .option('--viewer <id>', 'the viewer: the token carries a keyed hash of it', '')
    .action(
      withClients<{ viewer: string }>(io, async (clients, { viewer: viewerId }, id = '') => {
        const details = await clients.videos().ShowVideo({ videoId: bareVideoId(id) });
        const playbackId = details.video?.playbackId ?? details.video?.mediaPlaybackId;
        if (playbackId === undefined)
          throw new AppError(
            'FAILED_PRECONDITION',
            `the video has no playback id: it is ${stateOf(details.video?.state)}`,
          );
        const durationMs = (details.video?.durationSeconds ?? 0) * 1_000;
        const { token, expiresAtMs } = await clients.tokens().MintPlaybackToken({ playbackId, durationMs, viewerId });
        const expiresAt = new Date(expiresAtMs).toISOString();
        const text = `${facts([
          ['playback id', playbackId],
          ['expires', expiresAt],
        ])}\n\n${token}`;
        return { json: { playbackId, token, expiresAt }, text };
      }),
    );
}
