/** The last unit of encode: everything that was made is verified and becomes one title. */
import { AppError } from '@vds/chassis/errors';
import { addToOutbox } from '@vds/chassis/database/outbox';
import type { Job } from '@vds/chassis/work/work';
import { ladderDocument } from '@vds/proto/documents/ladder';
import { unjoinable, verifyTitle, type MadeAudio, type MadePiece } from '../domain/hls/finished-title.ts';
import { madePaths, writeTitle, type TitleFile } from '../domain/hls/ladder-document.ts';
import { attemptPrefix } from '../domain/hls/object-keys.ts';
import { asOnePiece, type TitlePlan } from '../domain/plan/title-plan.ts';
import { pieceUnits } from '../domain/plan/units.ts';
import { enqueueUnits } from '../outbound/encode-units.ts';
import { publishResult, type StageResult } from '../outbound/publisher.ts';
import { closeStage, type StageKey, type StageRow } from '../outbound/stages.ts';
import { addParts, readMade, removePieces, saveLadder, savePlan } from '../outbound/titles.ts';
import type { Deps } from './deps.ts';

/** @param folder the unit's own folder, below the attempt */
export async function assemble(deps: Deps, job: Job, title: StageRow, plan: TitlePlan, folder: string): Promise<void> {
  const key: StageKey = { videoId: title.videoId, attempt: title.attempt, stage: 'encode' };
  const made = await readMade(deps.pool, key);
  const audio = (made.get('audio') as MadeAudio | undefined) ?? null;
  const pieces = plan.pieces.flatMap(({ index }) => {
    const one = made.get(`piece-${index}`) ?? made.get('whole');
    return one ? [one as MadePiece] : [];
  });
  try {
    verifyTitle(plan, pieces);
  } catch (error) {
    if (error instanceof AppError && error.reason === unjoinable) {
      deps.log.warn({ reason: error.message }, 'pieces cannot be joined; the title is encoded as one');
      await startOver(job, title, plan);
      deps.encodedAsOne.inc();
      return;
    }
    throw error;
  }
  const prefix = attemptPrefix(key.videoId, key.attempt);
  const { document, files: named } = writeTitle({ ...key, plan }, folder, pieces, audio);
  const ladder = {
    path: `${folder}/ladder.json`,
    body: ladderDocument.write(document),
    contentType: 'application/json',
  };
  const files = [...named, ladder];
  await store(deps, job, prefix, files);
  await tidy(deps, prefix, [...madePaths(pieces, audio), ...files.map(({ path }) => path)]);
  const ladderKey = prefix + ladder.path;
  const thumbnailKey = `${prefix}${document.thumbnail.path}`;
  const { durationMs, audio: sound } = document;
  const audioPlaylistKey = sound ? prefix + sound.playlist : '';
  const kept = { ladderKey, thumbnailKey, durationMs };
  const answer: StageResult = { said: 'encoded', ...kept, hasAudio: sound !== null, audioPlaylistKey };
  await job.complete(async (client) => {
    if (!(await closeStage(client, key, 'completed', answer))) return;
    await saveLadder(client, { ...key, document, ladderKey, thumbnailKey });
    await addToOutbox(client, [publishResult(key, answer)]);
  });
}

/** Plans the title anew as one piece; what was made of its pieces is removed when that one is assembled. */
function startOver(job: Job, title: StageRow, plan: TitlePlan): Promise<void> {
  return job.complete(async (client) => {
    const whole = asOnePiece(plan);
    await savePlan(client, title, whole);
    await removePieces(client, title);
    await addParts(client, title, pieceUnits(whole, true));
    await enqueueUnits(client, title, whole, pieceUnits(whole, true));
  });
}

async function store({ media }: Deps, job: Job, prefix: string, files: readonly TitleFile[]): Promise<void> {
  for (const { path, body, contentType } of files) {
    job.signal.throwIfAborted();
    await media.putBytes(`${prefix}${path}`, body, {
      contentType,
      cacheControl: 'private, max-age=31536000, immutable',
    });
  }
}

/**
 * Makes sure that players find every file, and removes what lost tries and the copies of the source's pieces left. Folders
 * of other assemblers stay: one that has lost its lease must not touch those of its successor.
 */
async function tidy({ media }: Deps, prefix: string, wanted: readonly string[]): Promise<void> {
  const there = new Set(await media.list(prefix));
  const missing = wanted.filter((path) => !there.has(`${prefix}${path}`));
  if (missing.length > 0) throw new AppError('INTERNAL', `${missing.length} files are missing, such as ${missing[0]}`);
  const kept = new Set(wanted.map((path) => folderOf('', path)));
  await media.removePrefix(prefix, (key) => {
    const folder = folderOf(prefix, key);
    return !kept.has(folder) && !folder.startsWith('assemble');
  });
}

/** `videos/<id>/<attempt>/` and the name of a unit with its fence. */
function folderOf(prefix: string, key: string): string {
  return key.slice(prefix.length).split('/', 1)[0] ?? '';
}
