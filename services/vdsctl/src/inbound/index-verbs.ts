/** `vdsctl index …` and `vdsctl reindex`: the search document of a video, and rebuilding the index. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { IndexedVideoOut } from '@vds/proto/generated/vds/indexer/v1/IndexedVideo.ts';
import type { IndexStatusOut } from '@vds/proto/generated/vds/indexer/v1/IndexStatus.ts';
import type { ReindexStatusOut } from '@vds/proto/generated/vds/indexer/v1/ReindexStatus.ts';
import { AppError, notFound } from '@vds/chassis/errors';
import { bareVideoId } from '../domain/ids.ts';
import type { AdminClients } from '../outbound/admin-clients.ts';
import { facts } from './output.ts';
import {
  withClients,
  withAuditOptions,
  dryRunOption,
  auditFields,
  dryRunOutput,
  type Output,
  type CommonOptions,
  type WriteOptions,
  type DryRunOption,
  type CliIo,
} from './verb.ts';

type ReindexOptions = WriteOptions & { readonly follow?: true; readonly force?: true };

/** Adds the verbs to the program. */
export function addIndexVerbs(program: Command, io: CliIo): void {
  const index = program.command('index').description('the search index');
  index
    .command('show')
    .description('the search document of a video')
    .argument('<video id>')
    .action(
      withClients(io, async (clients, _, id = '') =>
        documentOutput(await clients.index().ShowVideo({ videoId: bareVideoId(id) })),
      ),
    );
  index
    .command('refresh')
    .description('index a video again, whatever version the index holds')
    .argument('<video id>')
    .addOption(dryRunOption())
    .action(
      withClients<DryRunOption>(io, async (clients, { dryRun }, id = '') => {
        const videoId = bareVideoId(id);
        if (!dryRun) return documentOutput(await clients.index().RefreshVideo({ videoId }, { timeoutMs: 60_000 }));
        const { found, version } = await clients.index().ShowVideo({ videoId });
        return dryRunOutput(
          `index video ${videoId} again; the index ${found ? `holds version ${version}` : 'does not hold it'}`,
        );
      }),
    );
  index
    .command('status')
    .description('the index behind the alias, and its size')
    .action(withClients(io, async (clients) => statusOutput(await clients.index().GetIndexStatus({}))));
  withAuditOptions(program.command('reindex'))
    .description('fill a new index from catalog and metadata while both are written, then move the alias')
    .option('--follow', 'wait until it is done; exit code 1 if it fails')
    .option('--force', 'serve the new index even if it has less than half of the live videos that are served now')
    .action(withClients<ReindexOptions>(io, (clients, options) => reindex(clients, options, io)));
}

function documentOutput(video: IndexedVideoOut): Output {
  if (!video.found) throw notFound(`video ${video.videoId} in the index`);
  const { document: _text, ...rest } = video;
  const document = parseDocument(video);
  const head = facts([
    ['video', video.videoId],
    ['live', video.live ? 'yes' : 'no'],
    ['version', video.version],
  ]);
  return { json: rest, raw: { document }, text: `${head}\n\n${JSON.stringify(document, null, 2)}` };
}

/** The document as JSON; text that cannot be parsed stays text. */
function parseDocument({ document }: IndexedVideoOut): unknown {
  try {
    return document === '' ? null : JSON.parse(document);
  } catch {
    return document; // printed unchanged
  }
}

function statusOutput(status: IndexStatusOut): Output {
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

async function reindex(clients: AdminClients, options: ReindexOptions & CommonOptions, io: CliIo): Promise<Output> {
  const { dryRun, follow, force = false, json, ...auditOptions } = options;
  const report = json ? () => undefined : io.err; // progress lines are not JSON
  const audit = auditFields(io, auditOptions);
  if (dryRun) {
    const { index, live } = await clients.index().GetIndexStatus({});
    return dryRunOutput(`fill a new index beside ${index} (${live} live videos) and move the alias to it`);
  }
  const started = await clients.index().StartReindex({ ...audit, force }, { timeoutMs: 60_000 });
  return reindexOutput(follow ? await waitForReindex(clients, report) : started);
}

/** Polls once a second until the index is filled; reports progress. FAILED_PRECONDITION if the reindex fails. */
async function waitForReindex(clients: AdminClients, report: (progress: string) => void): Promise<ReindexStatusOut> {
  let reported = -1;
  for (;;) {
    const status = await clients.index().GetReindex({});
    if (status.state === 'failed')
      throw new AppError('FAILED_PRECONDITION', `the reindex failed: ${status.error ?? 'no reason was recorded'}`);
    if (status.state !== 'running') return status;
    if (status.written !== reported)
      report(`${status.toIndex || 'the new index'}: ${status.written} written of ${status.seen} seen`);
    reported = status.written;
    await pause(1_000);
  }
}

function reindexOutput(status: ReindexStatusOut): Output {
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
