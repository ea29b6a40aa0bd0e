/** `vdsctl metadata …`: what was found in a video's pictures and words. */
import type { Command } from 'commander';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { clock, facts, table } from './output.ts';
import { act, bare, type Answer, type Surroundings } from './verb.ts';

/** Adds the verb to the program. */
export function addMetadataVerbs(program: Command, surroundings: Surroundings): void {
  program
    .command('metadata')
    .description('what was found in the pictures and words of a video')
    .command('show')
    .description('scenes, text on screen, topics with their evidence, labels')
    .argument('<video id>')
    .action(
      act(surroundings, async (session, _, id = '') =>
        shown(await session.metadata().ShowMetadata({ videoId: bare(id) })),
      ),
    );
}

function shown(found: MetadataOut): Answer {
  const head = facts([
    ['video', found.videoId],
    ['attempt', found.attempt],
    ['revision', found.revision],
    ['transcript', found.hasTranscript ? 'yes' : 'no'],
    ['scenes', found.scenes.length],
    ['shots', found.shots.length],
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
      ['on screen', 'when', 'confidence'],
      found.screenTexts.map((one) => [one.text, from(one), percent(one.confidence)]),
      'No text on screen.',
    ),
    table(
      ['scene', 'picture at'],
      found.scenes.map((scene) => [from(scene), clock(scene.thumbnailMs)]),
      'No scenes.',
    ),
    table(
      ['stretch', 'when'],
      found.stretches.map((one) => [one.kind, from(one)]),
      'No black, frozen or silent stretch.',
    ),
  ];
  return { json: found, text: parts.join('\n\n') };
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

function from({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }): string {
  return `${clock(startMs)}–${clock(endMs)}`;
}
