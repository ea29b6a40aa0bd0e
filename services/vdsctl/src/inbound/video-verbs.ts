/** `vdsctl video …`: reads here, changes in video-changes.ts. */
import { Option, type Command } from 'commander';
import type { HistoryOut } from '@vds/proto/generated/vds/catalog/v1/History.ts';
import type { VideoStateOut } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import { bareVideoId } from '../domain/ids.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { table } from './output.ts';
import { withClients, collectPages, withLimit, type Output, type CliIo } from './verb.ts';
import { addVideoChanges } from './video-changes.ts';
import { stateOf, videoOutput } from './videos.ts';

type ListOptions = { readonly publisher: string; readonly state?: string; readonly limit: number };

const STATES = ['processing', 'ready', 'archived', 'failed', 'deleted'];

/** Adds the verbs to the program. */
export function addVideoVerbs(program: Command, io: CliIo): void {
  const video = program.command('video').description('videos, with everything that the operator may see');
  const read = (name: string, run: (clients: AdminClients, request: { videoId: string }) => Promise<Output>) =>
    video
      .command(name)
      .argument('<video id>')
      .action(withClients(io, async (clients, _options, id = '') => run(clients, { videoId: bareVideoId(id) })));
  read('show', async (clients, request) => videoOutput(await clients.videos().ShowVideo(request))).description(
    'state, stages, unconfirmed purges, and the effect of each verb',
  );
  read('history', async (clients, request) => historyOutput(await clients.videos().GetHistory(request))).description(
    'every change of a video, with actor and reason',
  );
  withLimit(video.command('list'))
    .description('the videos of a publisher, newest first')
    .requiredOption('--publisher <id>', 'whose')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .action(withClients<ListOptions>(io, listVideos));
  addVideoChanges(video, io);
}

function historyOutput(history: HistoryOut): Output {
  return {
    json: history,
    text: table(
      ['at', 'who', 'what', 'from', 'to', 'why'],
      history.entries.map(({ at, actor, action, from, to, reason }) => [at, actor, action, from || '–', to, reason]),
      'This video has no history yet.',
    ),
  };
}

async function listVideos(clients: AdminClients, { publisher, state, limit }: ListOptions): Promise<Output> {
  const wanted = `VIDEO_STATE_${(state ?? 'unspecified').toUpperCase()}` as VideoStateOut;
  const { rows, more } = await collectPages(limit, async (cursor) => {
    const page = await clients.videos().ListPublisherVideos({ publisherId: publisher, state: wanted, ...cursor });
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
  return { json: { videos, more }, text: more ? `${text}\n\nThere are more: use a larger --limit.` : text };
}
