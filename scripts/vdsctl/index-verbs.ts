/** `vdsctl index …` and `vdsctl reindex`: what search has of a video, and filling the index anew. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { IndexedVideoOut } from '@vds/proto/generated/vds/indexer/v1/IndexedVideo.ts';
import type { IndexStatusOut } from '@vds/proto/generated/vds/indexer/v1/IndexStatus.ts';
import type { ReindexStatusOut } from '@vds/proto/generated/vds/indexer/v1/ReindexStatus.ts';
import { AppError, notFound } from '@vds/chassis/errors';
import { facts } from './output.ts';
import type { Session } from './session.ts';
import {
  act,
  asDeed,
  bare,
  dryRun,
  whoAsks,
  would,
  type Answer,
  type CommonOptions,
  type Deed,
  type Dry,
  type Surroundings,
} from './verb.ts';

type Reindex = Deed & { readonly follow?: true };

/** Adds the verbs to the program. */
export function addIndexVerbs(program: Command, surroundings: Surroundings): void {
  const index = program.command('index').description('the search index');
  index
    .command('show')
    .description('what the index has of a video')
    .argument('<video id>')
    .action(
      act(surroundings, async (session, _, id = '') => indexed(await session.index().ShowVideo({ videoId: bare(id) }))),
    );
  index
    .command('refresh')
    .description('read a video anew, whatever the index has of it')
    .argument('<video id>')
    .addOption(dryRun())
    .action(
      act<Dry>(surroundings, async (session, { dryRun: dry }, id = '') => {
        const videoId = bare(id);
        if (!dry) return indexed(await session.index().RefreshVideo({ videoId }, { timeoutMs: 60_000 }));
        const { found, version } = await session.index().ShowVideo({ videoId });
        return would(`read video ${videoId} anew; the index has ${found ? `version ${version}` : 'nothing of it'}`);
      }),
    );
  index
    .command('status')
    .description('the index behind the alias, and how much is in it')
    .action(act(surroundings, async (session) => described(await session.index().GetIndexStatus({}))));
  asDeed(program.command('reindex'))
    .description('fill a new index from the truth while both are written, then move the alias')
    .option('--follow', 'wait for the end; exit code 1 when it failed')
    .action(act<Reindex>(surroundings, (session, options) => reindex(session, options, surroundings)));
}

function indexed(found: IndexedVideoOut): Answer {
  if (!found.found) throw notFound(`video ${found.videoId} in the index`);
  const { document: _text, ...rest } = found;
  const document = documentOf(found);
  const head = facts([
    ['video', found.videoId],
    ['live', found.live ? 'yes' : 'no'],
    ['version', found.version],
  ]);
  return { json: rest, raw: { document }, text: `${head}\n\n${JSON.stringify(document, null, 2)}` };
}

/** The document as JSON; what cannot be read as such stays a text. */
function documentOf({ document }: IndexedVideoOut): unknown {
  try {
    return document === '' ? null : JSON.parse(document);
  } catch {
    return document; // shown as it is
  }
}

function described(status: IndexStatusOut): Answer {
  return {
    json: status,
    text: facts([
      ['index', status.index],
      ['mapping', status.mappingVersion],
      ['live videos', status.live],
      ['tombstones', status.tombstones],
      ['megabytes', (status.bytes / 1e6).toFixed(1)],
    ]),
  };
}

async function reindex(
  session: Session,
  options: Reindex & CommonOptions,
  surroundings: Surroundings,
): Promise<Answer> {
  const { dryRun: dry, follow: wait, json, ...why } = options;
  const tell = json ? () => undefined : surroundings.err; // what is not JSON would be in a program's way
  const who = whoAsks(surroundings, why);
  if (dry) {
    const { index, live } = await session.index().GetIndexStatus({});
    return would(`fill a new index beside ${index} (${live} live videos) and move the alias to it`);
  }
  const started = await session.index().StartReindex(who, { timeoutMs: 60_000 });
  return filled(wait ? await follow(session, tell) : started);
}

/** Asks once a second until the index is filled; tells each step. FAILED_PRECONDITION when it failed. */
async function follow(session: Session, tell: (step: string) => void): Promise<ReindexStatusOut> {
  let told = -1;
  for (;;) {
    const status = await session.index().GetReindex({});
    if (status.state === 'failed')
      throw new AppError('FAILED_PRECONDITION', `the reindex failed: ${status.error ?? 'no reason was given'}`);
    if (status.state !== 'running') return status;
    if (status.written !== told)
      tell(`${status.toIndex || 'the new index'}: ${status.written} written of ${status.seen} seen`);
    told = status.written;
    await pause(1_000);
  }
}

function filled(status: ReindexStatusOut): Answer {
  return {
    json: status,
    text: facts([
      ['state', status.state],
      ['from', status.fromIndex || '–'],
      ['to', status.toIndex || '–'],
      ['videos seen', status.seen],
      ['written', status.written],
      ['started', status.startedAt],
      ['finished', status.finishedAt],
      ['error', status.error],
    ]),
  };
}
