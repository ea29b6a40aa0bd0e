/**
 * Crafted media: each ends with a code of its own or becomes a video, no worker dies of it, and a neighbour's clip goes
 * live meanwhile. `npm run test:hostile -- --minutes N` adds mutants for N minutes.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { failures, isFailureCode } from '@vds/proto/failures';
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
import type { HostTarget } from '../harness/host/host.ts';
import type { Partner } from '../harness/partner-client.ts';
import { theHost } from '../harness/shared-target.ts';
import { craftedMedia, mutantOf, type Crafted } from './crafted-media.ts';

const MINUTE = 60_000;
const AT_A_TIME = 8;
/** Of the crafted files a usual run takes every eighteenth. */
const EVERY = process.env['VDS_LONG'] === '1' ? 1 : 18;
const MINUTES = Number(process.env['VDS_HOSTILE_MINUTES'] ?? 0);
const SEED = Number(process.env['VDS_HOSTILE_SEED'] ?? 1);

type Ended = { readonly name: string; readonly outcome: string; readonly seconds: number };

describe('hostile media', function () {
  this.timeout(30 * MINUTE + MINUTES * MINUTE);
  let target: HostTarget;
  let partner: Partner;
  let neighbour: Partner;
  let good: Buffer;
  before(async function () {
    target = await theHost(this);
    [partner, neighbour] = [await target.newPartner('Hostile'), await target.newPartner('Neighbour')];
    const sample = pairs.find(
      ({ container, codec, width }) => container === 'mp4' && codec === 'h264' && width === 426,
    );
    good = await readFile(await makeSample(sample ?? pairs[0]!));
    await writeFile(join(target.media, 'neighbour.mp4'), good);
  });

  /** Submits one and waits for its end. */
  async function endOf({ name, bytes }: Crafted): Promise<Ended> {
    const path = `/hostile-${Math.random().toString(36).slice(2)}.mp4`;
    target.origin.route(path, async (_request, response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': bytes.length });
      response.end(bytes);
    });
    const from = performance.now();
    const record = await partner.settled(await partner.submit(target.origin.url(path), { title: name }));
    const outcome = record.failure?.code ?? record.status;
    return { name, outcome, seconds: (performance.now() - from) / 1_000 };
  }

  async function endAll(all: Iterable<Crafted>): Promise<Ended[]> {
    const ended: Ended[] = [];
    const left = all[Symbol.iterator]();
    const lane = async (): Promise<void> => {
      for (let next = left.next(); !next.done; next = left.next()) ended.push(await endOf(next.value));
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, lane));
    return ended;
  }

  /** Ended by what is wrong with the file: never by a fault of ours, and never by a deadline of the whole. */
  function expectJudged(ended: readonly Ended[]): void {
    const counts = Object.entries(Object.groupBy(ended, ({ outcome }) => outcome)).map(
      ([one, list = []]) => `${one} ${list.length}`,
    );
    const slowest = ended.toSorted((a, b) => b.seconds - a.seconds)[0];
    console.log(
      `      ${ended.length} files: ${counts.join(', ')}; slowest ${slowest?.seconds.toFixed(1)} s (${slowest?.name})`,
    );
    const ours = ended.filter(
      ({ outcome }) => outcome !== 'ready' && (!isFailureCode(outcome) || failures[outcome].stage !== 'inspect'),
    );
    expect(ours.map(({ name, outcome }) => `${name}: ${outcome}`)).to.deep.equal([]);
  }

  const pidsOf = () => target.stack.processes.map(({ name, pid }) => `${name} ${pid()}`);

  it('crafted media end with the code of what is wrong with them, no worker dies, and a neighbour’s clip goes live meanwhile', async () => {
    const before = pidsOf();
    const crafted = craftedMedia(good).filter((_one, index) => index % EVERY === 0);
    const [ended, record] = await Promise.all([
      endAll(crafted),
      neighbour.submit(target.origin.url('/neighbour.mp4')).then((id) => neighbour.settled(id)),
    ]);
    expectJudged(ended);
    expect(record.status).to.equal('ready');
    expect(pidsOf()).to.deep.equal(before);
  });

  it('mutants by a seed are judged as well', async () => {
    const before = pidsOf();
    const ends = Date.now() + MINUTES * MINUTE;
    function* mutants(): Generator<Crafted> {
      for (let seed = SEED; seed < SEED + 24 || Date.now() < ends; seed++) yield mutantOf(good, seed);
    }
    expectJudged(await endAll(mutants()));
    expect(pidsOf()).to.deep.equal(before);
  });
});
