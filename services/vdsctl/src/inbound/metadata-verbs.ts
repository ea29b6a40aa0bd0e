/** `vdsctl metadata …`: the chapters, key moments, scenes, on-screen texts, topics and labels of a video. */
import type { Command } from 'commander';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { bareVideoId } from '../domain/ids.ts';
import { clock, facts, table } from './output.ts';
import { withClients, type Output, type CliIo } from './verb.ts';

/** Adds the verb to the program. */
export function addMetadataVerbs(program: Command, io: CliIo): void {
  program
    .command('metadata')
    .description('extracted metadata of a video')
    .command('show')
    .description('chapters, key moments, scenes, on-screen text, topics with their evidence, labels')
    .argument('<video id>')
    .action(
      withClients(io, async (clients, _, id = '') =>
        metadataOutput(await clients.metadata().GetMetadata({ videoId: bareVideoId(id) })),
      ),
    );
}

function metadataOutput(found: MetadataOut): Output {
  const head = facts([
    ['video', found.videoId],
    ['attempt', found.attempt],
    ['revision', found.revision],
    ['transcript', found.hasTranscript ? 'yes' : 'no'],
    ['scenes', found.scenes.length],
    ['shots', found.shots.length],
    ['vectors', found.passages.length === 0 ? 'none' : `${found.passages.length} by ${found.embeddingModel}`],
  ]);
  const parts = [
    head,
    table(['topic', 'score', 'where'], topicRows(found), 'No topics.'),
    table(
      ['label', 'source', 'confidence', 'value'],
      found.labels.map(({ name, source, confidence, value }) => [
        name,
        source,
        percent(confidence),
        value === undefined ? '–' : value.toFixed(2),
      ]),
      'No labels.',
    ),
    table(
      ['chapter', 'when', 'origin'],
      found.chapters.map((one) => [one.title, range(one), one.origin]),
      'No chapters.',
    ),
    table(
      ['key moment', 'when', 'score', 'reasons'],
      found.keyMoments.map((one) => [one.title, range(one), percent(one.score), one.reasons.join(', ')]),
      'No key moments.',
    ),
    table(
      ['on screen', 'when', 'confidence'],
      found.screenTexts.map((one) => [one.text, range(one), percent(one.confidence)]),
      'No text on screen.',
    ),
    table(
      ['scene', 'picture at'],
      found.scenes.map((scene) => [range(scene), clock(scene.thumbnailMs)]),
      'No scenes.',
    ),
    table(
      ['interval', 'when'],
      found.intervals.map((one) => [one.kind, range(one)]),
      'No black, frozen or silent interval.',
    ),
  ];
  const passages = found.passages.map(({ vector, ...where }) => ({ ...where, vector: vector.toString('base64') }));
  return { json: { ...found, passages }, text: parts.join('\n\n') };
}

function topicRows({ topics }: MetadataOut): string[][] {
  return topics.map(({ name, score, evidence }) => [
    name,
    percent(score),
    evidence
      .map(({ where, atMs }) => (atMs === undefined ? where : `${where} ${clock(atMs)}`))
      .slice(0, 4)
      .join(', '),
  ]);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function range({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): string {
  return `${clock(startMs)}–${clock(endMs)}`;
}
