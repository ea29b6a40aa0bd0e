/** `vdsctl token …`: minting a viewer's token. */
import type { Command } from 'commander';
import { AppError } from '@vds/chassis/errors';
import { facts } from './output.ts';
import { act, bare, type Surroundings } from './verb.ts';
import { stateOf } from './videos.ts';

/** Adds the verb for viewers' tokens. */
export function addTokenVerbs(program: Command, surroundings: Surroundings): void {
  program
    .command('token')
    .description('playback tokens')
    .command('mint')
    .description('sign a token that plays one video')
    .argument('<video id>')
    .action(
      act(surroundings, async (session, _, id = '') => {
        const details = await session.videos().ShowVideo({ videoId: bare(id), actor: 'vdsctl', reason: 'token mint' });
        const playbackId = details.video?.playbackId ?? details.video?.mediaPlaybackId;
        if (playbackId === undefined)
          throw new AppError(
            'FAILED_PRECONDITION',
            `the video has no playback id: it is ${stateOf(details.video?.state)}`,
          );
        const durationMs = (details.video?.durationSeconds ?? 0) * 1_000;
        const { token, expiresAtMs } = await session.tokens().MintPlaybackToken({ playbackId, durationMs });
        const expiresAt = new Date(expiresAtMs).toISOString();
        const text = `${facts([
          ['playback id', playbackId],
          ['expires', expiresAt],
        ])}\n\n${token}`;
        return { json: { playbackId, token, expiresAt }, text };
      }),
    );
}
