/** Any sequence of orders, words and rounds of the clock on the real catalog in three processes, also at once. */
import { runs } from '@vds/testkit/counts';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import fc from 'fast-check';
import { actionOf } from './actions.ts';
import { foretold, shown, ways, type Books } from './preview.ts';
import { openHall, type Hall } from './cluster.ts';
import type { Loaded } from '../../src/outbound/snapshots.ts';
import { expectKept, expectLawful, note, type Promised } from './rules.ts';
import { sequences, type Sequence, type Step } from './steps.ts';

const tried = runs(1) > 1 ? 10_000 : 150;
/** Sequences that run beside each other, each on videos of its own. */
const lanes = 12;

const counts = new Map<string, number>();
function count(what: string, by = 1): void {
  return void counts.set(what, (counts.get(what) ?? 0) + by);
}

function figures(): string {
  return [...counts].map(([what, n]) => `${n} ${what}`).join(', ');
}

/** Takes steps at once; what they were answered and what is so afterwards must be as in one order of them. */
async function take(hall: Hall, before: Loaded, steps: readonly Step[], books: readonly Books[], promised: Promised) {
  const actions = await Promise.all(steps.map((step) => actionOf(hall, step, before, steps.length === 1)));
  const answers = await Promise.all(actions.map(({ ask }) => ask()));
  const after = await hall.load(before.video.id);
  note(promised, actions, answers);
  expectLawful(before.video, after, promised);
  const found = ways(before, actions, answers, after, books);
  if (found.length === 0)
    throw new Error(
      `${steps.map((step) => JSON.stringify(step)).join('\n')}\nfrom ${shown(before)}\nforetold ${foretold(before, actions)}\ncame ${answers.join(', ')}\n${shown(after)}`,
    );
  count('steps', steps.length);
  count('steps at once', steps.length > 1 ? steps.length : 0);
  count(`→ ${after.video.state}`, after.video.state === before.video.state ? 0 : 1);
  return { after, found };
}

async function run(hall: Hall, lane: number, sequence: Sequence): Promise<void> {
  const id = await hall.create(lane);
  const promised: Promised = { deleted: false, hidden: false };
  let books: readonly Books[] = [{ ledger: [], audit: [] }];
  let now = await hall.load(id);
  for (const steps of sequence) ({ after: now, found: books } = await take(hall, now, steps, books, promised));
  await expectKept(hall, now, books);
  count('sequences');
  if ((counts.get('sequences') ?? 0) % 1_000 === 0) process.stdout.write(`      ${figures()}\n`);
}

describe('a storm on three processes of catalog', () => {
  let hall: Hall;
  before(async () => {
    hall = await openHall();
  });
  after(() => hall.close());

  it(`leaves what the pure functions foretell, in ${tried} sequences of orders, words and rounds`, async () => {
    const began = performance.now();
    const seed = Number(process.env['VDS_SEED'] ?? Date.now() % 2 ** 31);
    const lane = (_: unknown, n: number): Promise<void> =>
      fc.assert(
        fc.asyncProperty(sequences, (sequence) => run(hall, n, sequence)),
        { numRuns: Math.ceil(tried / lanes), seed: seed + n },
      );
    await Promise.all(Array.from({ length: lanes }, lane));
    process.stdout.write(`      ${figures()}; ${Math.round((performance.now() - began) / 1_000)} s, seed ${seed}\n`);
    const { videos, charged, versions } = await hall.totals();
    expect(charged, 'one charge a video').to.equal(videos);
    const said = () =>
      new Set(hall.house.heard.filter(({ name }) => name === 'videoChanged').map(({ id }) => id)).size ===
      Number(versions);
    await until(said, { what: `each of ${versions} versions is said`, capMs: 300_000 });
  }).timeout(3_600_000);
});
