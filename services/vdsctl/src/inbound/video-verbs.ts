/** `vdsctl video …`: reads here, changes in video-changes.ts. */
import { Option, type Command } from 'commander';
import type { HistoryOut } from '@vds/proto/generated/vds/catalog/v1/History.ts';
import type { VideoStateOut } from '@vds/proto/generated/vds/catalog/v1/VideoState.ts';
import { bareVideoId } from '../domain/ids.ts';
import { drawTimeline } from '../domain/timeline.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { jobsOfVideo, readTimeline } from './jobs.ts';
import { renditionsOf } from './renditions.ts';
import { escapeUnsafe, tableWithNotes } from './output.ts';
import { parseSince } from './since.ts';
import { addPreviewVerb } from './token-verbs.ts';
import { withClients, collectPages, nowOf, withLimit, withWatch, type Output, type CliIo } from './verb.ts';
import { addVideoChanges } from './video-changes.ts';
import { stateOf, videoOutput } from './videos.ts';

type ListOptions = {
  readonly publisher?: string;
  readonly state?: string;
  readonly sport?: string;
  readonly since?: string;
  readonly limit: number;
};

type ShowOptions = { readonly timeline?: true };

const STATES = ['processing', 'ready', 'archived', 'failed', 'deleted'];

/** Adds the verbs to the program. */
export function addVideoVerbs(program: Command, io: CliIo): void {
  const video = program.command('video').description('videos, with everything that the operator may see');
  withWatch(video.command('show'))
    .description('one screen: state, what it waits for and why, sound, captions of the file, stages, open jobs')
    .option('--timeline', 'instead: one line a job of the latest attempt, what each waited for and spent its time on')
    .argument('<video id>')
    .action(
      withClients<ShowOptions>(io, async (clients, { timeline }, id = '') =>
        (timeline ? showTimeline : showVideo)(clients, bareVideoId(id), nowOf(io)),
      ),
    );
  video
    .command('history')
    .description('every change of a video, with actor and reason')
    .argument('<video id>')
    .action(
      withClients(io, async (clients, _options, id = '') =>
        historyOutput(await clients.videos().GetHistory({ videoId: bareVideoId(id) })),
      ),
    );
  withLimit(video.command('list'))
    .description('the videos of all publishers, or of one, newest first')
    .option('--publisher <id>', 'only of this publisher')
    .addOption(new Option('--state <state>', 'only those in this state').choices(STATES))
    .option('--sport <sport>', 'only of this sport')
    .option('--since <time>', 'only accepted from this time on, such as 2026-01-31T12:00:00Z, 2h or 7d', parseSince)
    .action(withClients<ListOptions>(io, listVideos));
  addPreviewVerb(video, io);
  addVideoChanges(video, io);
}

async function showVideo(clients: AdminClients, videoId: string, now: Date): Promise<Output> {
  const [details, jobs, renditions] = await Promise.all([
    clients.videos().ShowVideo({ videoId }),
    jobsOfVideo(clients, videoId),
    renditionsOf(clients, videoId),
  ]);
  return videoOutput(details, { jobs, renditions }, now);
}

async function showTimeline(clients: AdminClients, videoId: string, now: Date): Promise<Output> {
  const details = await clients.videos().ShowVideo({ videoId });
  const { timeline, unreadable } = await readTimeline(clients, videoId, details.attempt, now);
  const unknown = [...unreadable].map(([service, reason]) => `the jobs of ${service} are unknown: ${reason}`);
  return {
    json: { timeline, unreadable: Object.fromEntries(unreadable) },
    text: [drawTimeline(timeline, 'There are no such jobs.'), ...unknown].map(escapeLines).join('\n'),
    settled: videoOutput(details).settled ?? true,
  };
}

function escapeLines(text: string): string {
  return text.split('\n').map(escapeUnsafe).join('\n');
}

function historyOutput(history: HistoryOut): Output {
  return {
    json: history,
    text: tableWithNotes(
      ['at', 'who', 'what', 'from', 'to'],
      history.entries.map(({ at, actor, action, from, to, reason }) => ({
        cells: [at, actor, action, from || '–', to],
        note: reason,
      })),
      'This video has no history yet.',
    ),
  };
}

async function listVideos(clients: AdminClients, options: ListOptions): Promise<Output> {
  const { publisher = '', state, sport = '', since = '', limit } = options;
  // An unknown publisher is an error, not an empty list.
  if (publisher !== '') await clients.keys().GetPublisher({ publisherId: publisher });
  const query = { publisherId: publisher, sport, since };
  const wanted = `VIDEO_STATE_${(state ?? 'unspecified').toUpperCase()}` as VideoStateOut;
  const { rows, more } = await collectPages(limit, async (cursor) => {
    const page = await clients.videos().ListPublisherVideos({ ...query, state: wanted, ...cursor });
    return { rows: page.videos, nextCursor: page.nextCursor };
  });
  const videos = rows.map((video) => ({ ...video, state: stateOf(video.state) }));
  const lines = videos.map((video) => ({
    cells: [
      video.videoId,
      video.held ? `${video.state}, held` : video.state,
      video.failureCode ?? '–',
      video.createdAt,
      ...(publisher === '' ? [video.publisherId] : []),
    ],
    note: video.sport === undefined ? video.title : `${video.title} (${video.sport})`,
  }));
  const titles = ['video', 'state', 'failure', 'created', ...(publisher === '' ? ['publisher'] : [])];
  const text = tableWithNotes(titles, lines, 'There are no such videos.');
  return { json: { videos, more }, text: more ? `${text}\n\nThere are more: use a larger --limit.` : text };
}
