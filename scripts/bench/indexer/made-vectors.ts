/** Vectors without an engine: around a few hundred directions, as texts of a few hundred subjects have. */
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import type { Passage } from '@vds/indexer/domain/document';
import { vectorField } from '@vds/indexer/domain/mapping';
import { seeded, type Seeded } from './seeded.ts';

const DIMENSIONS = 384;
const SUBJECTS = 300;
const model = { model: 'made', dimensions: DIMENSIONS };
const LENGTH = 127;

const subjects = (() => {
  const random = seeded(11);
  return Array.from({ length: SUBJECTS }, () => Array.from({ length: DIMENSIONS }, () => random.next() - 0.5));
})();

/** One near a random subject. */
function vectorOf(random: Seeded): number[] {
  const around = random.pick(subjects).map((value) => value + (random.next() - 0.5) / 2);
  const length = Math.hypot(...around);
  return around.map((value) => Math.round((value / length) * LENGTH));
}

export function madeVectors(seed: number) {
  const random = seeded(seed);
  return (): Passage => ({ [vectorField(model)]: vectorOf(random) });
}

export function madeEmbedder(): Embedder {
  const random = seeded(13);
  return {
    ...model,
    embed: async (texts) => texts.map(() => Int8Array.from(vectorOf(random))),
    close: async () => {},
  };
}
