/**
 * Loads many videos fast: documents are mixed from the fields of a few thousand that the indexer's own code made, and
 * sent by two streams without a refresh in between.
 */
import { secondsSince } from '@vds/testkit/servers/progress';
import type { LiveDocument } from '@vds/indexer/domain/document';
import { seeded } from './seeded.ts';
import { documentFor, idOf, type BenchIndex } from './bench-index.ts';
import { madeVectors } from './made-vectors.ts';
import { manyVideos } from './many-videos.ts';

const POOL = 4_000;
const BATCH = 500;
const STREAMS = 2;
const YEAR_MS = 365 * 86_400_000;

type Load = {
  readonly from: number;
  readonly to: number;
  /** By `performance.now()`: no batch begins after it. */
  readonly deadline: number;
  readonly print: (line: string) => void;
};

/** Returns how many videos the index has. */
export async function loadVideos(index: BenchIndex, { from, to, deadline, print }: Load): Promise<number> {
  const started = performance.now();
  const mix = openMixer();
  let next = from;
  let reported = from;
  await index.setRefresh('-1');
  const stream = async (): Promise<void> => {
    while (next < to && performance.now() < deadline) {
      const first = next;
      next = Math.min(to, first + BATCH);
      await index.load(Array.from({ length: next - first }, (_empty, at) => mix(first + at)));
      if (next - reported < 50_000) continue;
      reported = next;
      print(`  ${next} documents (${secondsSince(started)})`);
    }
  };
  await Promise.all(Array.from({ length: STREAMS }, stream));
  await index.setRefresh('1s');
  await index.refresh();
  return next;
}

/** Makes document number n of the fields of several; published over a year, in no order of their numbers. */
function openMixer() {
  const videos = manyVideos(3);
  const pool = Array.from({ length: POOL }, (_empty, at) => documentFor(at, videos.next(), new Date()));
  const random = seeded(7);
  const passage = madeVectors(17);
  const pick = (): LiveDocument => random.pick(pool).document as LiveDocument;
  const now = Date.now();
  return (number: number): { readonly id: string; readonly document: object } => {
    const [titled, summed, spoken, tagged] = [pick(), pick(), pick(), pick()];
    const publishedAt = new Date(now - ((number * 7_919) % 1_000_003) * (YEAR_MS / 1_000_003));
    const own = documentFor(number, blank, publishedAt).document as LiveDocument;
    return {
      id: idOf(number),
      document: {
        ...own,
        ...of(titled, ['title', 'title_in', 'sport', 'language']),
        ...of(summed, ['summary', 'summary_in']),
        ...of(spoken, ['text', 'screen', 'caption_languages']),
        ...of(tagged, ['tags', 'topics']),
        passages: [passage()],
        item: { ...titled.item, videoId: own.video_id, publisherId: own.publisher_id, publishedAt: own.published_at },
      },
    };
  };
}

const blank = {
  title: '', summary: '', tags: [], topics: [], sport: 'tennis', language: 'en', spoken: {}, screen: [],
}; // prettier-ignore

function of<Name extends keyof LiveDocument>(document: LiveDocument, names: readonly Name[]): Pick<LiveDocument, Name> {
  return Object.fromEntries(names.map((name) => [name, document[name]])) as Pick<LiveDocument, Name>;
}
