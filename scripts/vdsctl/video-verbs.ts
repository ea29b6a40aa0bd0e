/** `vdsctl video …`: looking into videos here, changing them in video-changes.ts. */
import { Option, type Command } from 'commander';
import type { HistoryOut } from '@vds/proto/generated/vds/catalog/v1/History.ts';
import type { VideoStateOut } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import { table } from './output.ts';
import type { Session } from './session.ts';
import { act, bare, collectPages, whoAsks, withLimit, type Answer, type Surroundings, type Why } from './verb.ts';
import { addVideoChanges } from './video-changes.ts';
import { shown, stateOf } from './videos.ts';

type List = { readonly publisher: string; readonly state?: string; readonly limit: number };

const STATES = ['processing', 'ready', 'archived', 'failed', 'deleted'];

/** Adds the verbs to the program. */
export function addVideoVerbs(program: Command, surroundings: Surroundings): void {
  const asked = (videoId: string, why: Why) => ({ videoId: bare(videoId), ...whoAsks(surroundings, why) });
  const video = program.command('video').description('videos, as the staff sees them');
  const look = (name: string, work: (session: Session, request: ReturnType<typeof asked>) => Promise<Answer>) =>
    video
      .command(name)
      .argument('<video id>')
      .option('--actor <name>', 'who asks (default: the variable USER)')
      .option('--reason <text>', 'why')
      .action(act<Why>(surroundings, async (session, why, id = '') => work(session, asked(id, why))));
  look('show', async (session, request) => shown(await session.videos().ShowVideo(request))).description(
    'state, stages, what is still to be removed, and what each verb would come to',
  );
  look('history', async (session, request) => told(await session.videos().GetHistory(request))).description(
    'everything that happened to a video, with who and why',
  );
  withLimit(video.command('list'))
    .description('the videos of a publisher, newest first')
    .requiredOption('--publisher <id>', 'whose')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .action(act<List>(surroundings, listed));
  addVideoChanges(video, surroundings);
}

function told(history: HistoryOut): Answer {
  return {
    json: history,
    text: table(
      ['at', 'who', 'what', 'from', 'to', 'why'],
      history.entries.map(({ at, actor, action, from, to, reason }) => [at, actor, action, from || '–', to, reason]),
      'Nothing happened to this video yet.',
    ),
  };
}

async function listed(session: Session, { publisher, state, limit }: List): Promise<Answer> {
  const wanted = `VIDEO_STATE_${(state ?? 'unspecified').toUpperCase()}` as VideoStateOut;
  const { rows, more } = await collectPages(limit, async (asked) => {
    const page = await session.videos().ListPublisherVideos({ publisherId: publisher, state: wanted, ...asked });
    return { rows: page.videos, nextCursor: page.nextCursor };
  });
  const videos = rows.map((video) => ({ ...video, state: stateOf(video.state) }));
  const lines = videos.map((video) => [
    video.videoId,
    video.held ? `${video.state}, held` : video.state,
    video.failureCode ?? '–',
    video.createdAt,
    video.title,
  ]);
  const text = table(['video', 'state', 'failure', 'created', 'title'], lines, 'There are no such videos.');
  return { json: { videos, more }, text: more ? `${text}\n\nThere are more: ask with a larger --limit.` : text };
}
