/** The status record of a video in every state, field by field, read through three gateways. */
import { expect } from 'chai';
import { bare } from '../harness/apps-client.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { absent, cellOf, fields, type Facts, type Sent } from '../fixtures/record-table.ts';
import { states, type Outcome, type VideoState } from '../fixtures/states.ts';
import type { Steps } from '../fixtures/steps.ts';
import { sharedFixture, type SharedFixture } from '../harness/host/shared-fixture.ts';

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

type Kind = { readonly sent: Sent; readonly durationMs: number; readonly durationSeconds: number };
/** The encode stage measures 40 ms more than the probe; before it completes, the probe counts. */
const kinds: Readonly<Record<string, Kind>> = {
  'everything that is optional': {
    sent: {
      source_url: 'https://origin.example.com/private/7Qm2.mp4?signature=0a1b2c',
      title: '  The final, in full ',
      summary: 'Rallies & <b>bold</b>\n moves ',
      tags: ['b', '', 'a', 'b'],
      thumbnail_url: 'https://Pictures.Example.com:443/a%2fb/%C3%A9.jpg?x=1#top',
      sport: 'tennis',
      category: 'sports',
      language_code: 'pt',
    },
    durationMs: 61_600,
    durationSeconds: 62,
  },
  'nothing that is optional': {
    sent: { source_url: 'https://origin.example.com/private/8Rn3.webm', title: 'x' },
    durationMs: 400,
    durationSeconds: 1,
  },
  'its own thumbnail alone, and an empty summary': {
    sent: {
      source_url: 'https://origin.example.com/private/9So4.mkv',
      title: 'y',
      summary: '',
      thumbnail_url: 'https://pictures.example.com/9.png',
    },
    durationMs: 25_400,
    durationSeconds: 25,
  },
};

describe('the record of a video', () => {
  let fixture: SharedFixture;
  let partners: readonly Partner[];
  let steps: Steps;
  let prepared: ReadonlyMap<string, PromiseSettledResult<PreparedVideo>>;
  type PreparedVideo = { readonly id: string; readonly accepted: string; readonly outcome: Outcome };
  let begun: number;
  let cells = 0;

  const submit = async ({ sent, durationMs }: Kind): Promise<{ id: string; accepted: string }> => {
    const { status, body } = await steps.partner.call<{ id: string; resource_url: string }>('POST', '/v1/videos', sent);
    expect([status, body.resource_url]).to.deep.equal([202, `/v1/videos/${bare(body.id)}`]);
    fixture.durations.set(bare(body.id), durationMs);
    return { id: body.id, accepted: body.resource_url };
  };

  const prepare = async (state: VideoState, given: Kind): Promise<PreparedVideo> => {
    const video = await submit(given);
    return { ...video, outcome: await state(video.id, steps) };
  };

  before(async function () {
    this.timeout(600_000);
    begun = Date.now();
    fixture = await sharedFixture();
    ({ partners, steps } = await fixture.newPublisher('Record'));
    const found = new Map<string, PromiseSettledResult<PreparedVideo>>();
    const waiting = Object.entries(states)
      .flatMap(([name, state]) =>
        Object.entries(kinds).map(([kind, given]) => ({ key: `${name}, ${kind}`, state, given })),
      )
      .values();
    const slot = async (): Promise<void> => {
      for (const { key, state, given } of waiting) {
        const [result] = await Promise.allSettled([prepare(state, given)]);
        found.set(key, result);
      }
    };
    await Promise.all(Array.from({ length: 15 }, slot));
    prepared = found;
  });
  after(() => console.log(`      ${cells} cells of ${prepared?.size} videos`));

  const factsOf = async ({ id, outcome }: PreparedVideo, { sent, durationSeconds }: Kind): Promise<Facts> => {
    const { rows } = await fixture.stack.stack
      .adminPool('catalog')
      .query<Facts['row']>('SELECT created_at, updated_at, playback_id FROM videos WHERE id = $1', [bare(id)]);
    const [row] = rows;
    if (!row) throw new Error(`${id} has no row`);
    return { probed: true, captioned: true, progress: 0, ...outcome, id: bare(id), sent, durationSeconds, row };
  };

  const check = (record: VideoRecord, facts: Facts, what: string): void => {
    for (const field of fields) {
      const cell = cellOf(field, facts);
      cells += 1;
      if (cell === absent) expect(record, `${what}: ${field}`).not.to.have.property(field);
      else expect(record[field], `${what}: ${field}`).to.deep.equal(cell);
    }
    expect(fields, what).to.include.members(Object.keys(record));
  };

  /** Values that the partner sent only for internal use, or for a state that is not reached yet or is over. */
  const checkNoLeak = (record: VideoRecord, { sent, column }: Facts, what: string): void => {
    const text = JSON.stringify(record);
    const secrets = [new URL(sent.source_url).pathname, 'signature', 'origin.example.com'];
    if (column !== 'ready' && column !== 'archived' && sent.thumbnail_url) secrets.push(sent.thumbnail_url);
    if (column === 'deleted' && sent.summary) secrets.push('Rallies');
    for (const secret of secrets) expect(text, what).not.to.include(secret);
  };

  for (const name of Object.keys(states))
    it(`the record of a video that is ${name} has exactly the fields of the table`, async () => {
      for (const [kind, given] of Object.entries(kinds)) {
        const result = prepared.get(`${name}, ${kind}`);
        if (result?.status !== 'fulfilled') throw new Error(`${name}, ${kind}`, { cause: result?.reason });
        const facts = await factsOf(result.value, given);
        const { id, accepted } = result.value;
        const records = await Promise.all(partners.map((partner) => partner.get(id)));
        const [record] = records;
        if (!record) throw new Error('there is no gateway');
        check(record, facts, kind);
        checkNoLeak(record, facts, kind);
        records.push(await steps.partner.get(bare(id)), (await steps.partner.call<VideoRecord>('GET', accepted)).body);
        for (const other of records) expect(other).to.deep.equal(record);
        expect(record.created_at).to.match(timestamp);
        expect(Date.parse(record.created_at)).to.be.within(begun - 60_000, Date.now() + 60_000);
        if (record.updated_at === undefined) continue;
        expect(record.updated_at).to.match(timestamp);
        expect(Date.parse(record.updated_at)).to.be.at.least(Date.parse(record.created_at));
      }
    });
});
