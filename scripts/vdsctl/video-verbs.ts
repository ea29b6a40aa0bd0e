/** `vdsctl video …` and `vdsctl token …`: looking into a video, changing it with a reason, minting a viewer's token. */
import type { Command } from 'commander';
import type { HistoryOut } from '@vds/proto/generated/vds/catalog/v1/History.ts';
import type { VideoDetailsOut } from '@vds/proto/generated/vds/catalog/v1/VideoDetails.ts';
import { AppError } from '@vds/shared/errors';
import { facts, table } from './output.ts';
import type { Session } from './session.ts';
import { act, bare, dryRun, whoAsks, would, type Answer, type Deed, type Surroundings, type Why } from './verb.ts';

type Repeat = { readonly stage: string };

const stateOf = (details: VideoDetailsOut): string =>
  (details.video?.state ?? '').replace('VIDEO_STATE_', '').toLowerCase();

const describe = (details: VideoDetailsOut): string => {
  const { video } = details;
  const head = facts([
    ['video', video?.id],
    ['title', video?.title],
    ['state', details.held ? `${stateOf(details)}, held by the operator` : stateOf(details)],
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
    ['purges to be confirmed', details.unconfirmedPurges.join(', ') || undefined],
  ]);
  const rows = details.stages.map((stage) => [
    stage.stage,
    stage.state,
    String(stage.attempt),
    `${stage.progress} %`,
    stage.startedAt ?? '–',
    stage.finishedAt ?? '–',
  ]);
  return `${head}\n\n${table(['stage', 'state', 'attempt', 'progress', 'started', 'finished'], rows, 'No stage was asked for yet.')}`;
};

const shown = (details: VideoDetailsOut): Answer => ({
  json: { ...details, video: { ...details.video, state: stateOf(details) } },
  text: describe(details),
});

const listed = (history: HistoryOut): Answer => ({
  json: history,
  text: table(
    ['at', 'who', 'what', 'from', 'to', 'why'],
    history.entries.map(({ at, actor, action, from, to, reason }) => [at, actor, action, from || '–', to, reason]),
    'Nothing happened to this video yet.',
  ),
});

/** Asks for the stage once more, or says what that would be. FAILED_PRECONDITION where catalog would refuse it. */
const repeat = async (
  session: Session,
  request: { videoId: string; stage: string; actor: string; reason: string },
  dry: boolean,
): Promise<Answer> => {
  if (!dry) return shown(await session.videos().RepeatStage(request));
  const { videoId, stage } = request;
  const { stages } = await session.videos().ShowVideo(request);
  const now = stages.find((one) => one.stage === stage);
  if (now === undefined) throw new AppError('FAILED_PRECONDITION', `${stage} was never asked for in video ${videoId}`);
  if (now.state === 'requested' || now.state === 'started')
    throw new AppError('FAILED_PRECONDITION', `${stage} has not ended yet; ask again when it has`);
  return would(`ask for revision ${now.revision + 1} of ${stage} in video ${videoId}`);
};

/** Adds the verbs to the program. */
export const addVideoVerbs = (program: Command, surroundings: Surroundings): void => {
  const asked = (videoId: string, why: Why) => ({ videoId: bare(videoId), ...whoAsks(surroundings, why) });
  const video = program.command('video').description('videos, as the staff sees them');
  const verb = (name: string, description: string): Command =>
    video
      .command(name)
      .description(description)
      .argument('<video id>')
      .option('--actor <name>', 'who asks (default: the variable USER)');
  verb('show', 'state, stages and what is still to be removed')
    .option('--reason <text>', 'why')
    .action(
      act<Why>(surroundings, async (session, why, id = '') => shown(await session.videos().ShowVideo(asked(id, why)))),
    );
  verb('history', 'everything that happened to a video, with who and why')
    .option('--reason <text>', 'why')
    .action(
      act<Why>(surroundings, async (session, why, id = '') =>
        listed(await session.videos().GetHistory(asked(id, why))),
      ),
    );
  verb('retry', 'start a failed video again as a new attempt')
    .requiredOption('--reason <text>', 'why; kept in the history')
    .addOption(dryRun())
    .action(
      act<Deed>(surroundings, async (session, { dryRun: dry, ...why }, id = '') => {
        const request = asked(id, why);
        if (!dry) return shown(await session.videos().RetryVideo(request));
        const now = await session.videos().ShowVideo(request);
        if (stateOf(now) !== 'failed')
          throw new AppError('FAILED_PRECONDITION', `only a failed video can be retried; this one is ${stateOf(now)}`);
        return would(`start attempt ${now.attempt + 1} of video ${request.videoId}`);
      }),
    );
  verb('repeat', 'ask for a stage that the video can do without once more, in the same attempt')
    .requiredOption('--stage <stage>', 'its name, such as metadata')
    .requiredOption('--reason <text>', 'why; kept in the history')
    .addOption(dryRun())
    .action(
      act<Deed & Repeat>(surroundings, async (session, { dryRun: dry, stage, ...why }, id = '') => {
        return await repeat(session, { ...asked(id, why), stage }, dry === true);
      }),
    );
};

/** Adds the verb for viewers' tokens. */
export const addTokenVerbs = (program: Command, surroundings: Surroundings): void => {
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
          throw new AppError('FAILED_PRECONDITION', `the video has no playback id: it is ${stateOf(details)}`);
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
};
