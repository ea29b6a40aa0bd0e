/** Staff actions on a video, as its partner sees them. */
import { expect } from 'chai';
import { bare } from '../harness/apps-client.ts';
import { openContractStack, type ContractStack } from '../harness/host/contract-stack.ts';
import type { VideoRecord } from '../harness/partner-client.ts';
import { startFakeWorkers, type FakeWorkers } from '../fakes/fake-workers.ts';
import { stepsOf, type Steps } from '../fixtures/steps.ts';

const source = 'https://origin.example.com/operator.mp4';
const HELD = 'This video is held by the operator and cannot be republished. Contact the operator about it.';
const queued =
  'The video is still processing. It will be archived the moment processing completes and will not appear in feeds, search or recommendations.';
function failed(verb: string): string {
  return `This video failed to process, so it cannot be ${verb}. Delete it, or submit the source again.`;
}
/** What a partner must never see: who of the staff acted, and why. */
const staffOnly = /sre@example|ticket 7|\bheld\b|actor|reason":"ticket/;

type CommandReply = {
  readonly id?: string;
  readonly status?: string;
  readonly message?: string;
  readonly error?: { code: string; message: string };
};

const FAILED_KEEP_MS = 5_000;

describe('the operator’s actions, as a partner sees them', () => {
  let stack: ContractStack;
  let workers: FakeWorkers;
  let steps: Steps;
  let expiring: string;
  before(async function () {
    this.timeout(120_000);
    stack = await openContractStack({
      suffix: 'oper',
      replicas: 2,
      env: { catalog: { FAILED_KEEP: `${FAILED_KEEP_MS}ms` } },
    });
    workers = await startFakeWorkers(stack.stack, { reply: () => 'hold' });
    const { secretKey } = await stack.newKey(await stack.newPublisher('Operator'));
    steps = stepsOf({ stack, workers, partner: stack.partner(secretKey, 1) });
    expiring = await steps.partner.submit(source, { title: 'Expiring', summary: 'Gone', tags: ['a'] });
    await steps.fails(expiring, 'fetch', 'source_not_found', { http_status: '404' });
  });
  after(async function () {
    this.timeout(60_000);
    await workers?.close();
    await stack?.close();
  });

  const submit = (): Promise<string> => steps.partner.submit(source, { title: 'Operated' });
  const live = async (): Promise<string> => {
    const id = await submit();
    await steps.live(id);
    return id;
  };
  const read = async (id: string): Promise<VideoRecord> => {
    const record = await steps.partner.get(id);
    expect(JSON.stringify(record)).not.to.match(staffOnly);
    return record;
  };
  const statusOf = async (id: string): Promise<string> => (await read(id)).status;
  /** A request and its response in one line each: status, body. */
  const command = async (
    verb: 'archive' | 'republish' | 'remove',
    id: string,
  ): Promise<readonly [number, CommandReply]> => {
    const { status, body } = await steps.partner[verb](id);
    expect(JSON.stringify(body)).not.to.match(/sre@example|ticket 7/);
    const reply = body as CommandReply;
    if (reply.error) return [status, { error: { code: reply.error.code, message: reply.error.message } }];
    return [status, reply];
  };
  const done = (id: string, status: string) => [200, { id, status }];
  const rejected = (message: string) => [400, { error: { code: 'invalid_input', message } }];

  it('a held live video is archived, and the partner cannot republish it until the release', async () => {
    const id = await live();
    const before = await read(id);
    await steps.staff.HoldVideo(steps.by(id));
    const held = await read(id);
    expect(held).to.include({ status: 'archived', is_available: false, playback: null });
    // Ours is shut: the partner gave none.
    expect([before.thumbnail_url, held.thumbnail_url]).to.deep.equal([before.playback?.thumbnail_url, null]);
    expect(await command('republish', id)).to.deep.equal(rejected(HELD));
    expect(await statusOf(id)).to.equal('archived');
    await steps.staff.ReleaseVideo(steps.by(id));
    const back = await read(id);
    expect(back).to.deep.equal({ ...before, updated_at: back.updated_at });
    expect(await command('republish', id)).to.deep.equal(done(id, 'public'));
  });

  it('a held video that the partner archives stays archived after the release, until the partner republishes it', async () => {
    const id = await live();
    await steps.staff.HoldVideo(steps.by(id));
    expect(await command('archive', id)).to.deep.equal(done(id, 'archived'));
    expect(await command('archive', id)).to.deep.equal(done(id, 'archived'));
    await steps.staff.ReleaseVideo(steps.by(id));
    expect(await statusOf(id)).to.equal('archived');
    expect(await command('republish', id)).to.deep.equal(done(id, 'public'));
    expect(await statusOf(id)).to.equal('ready');
  });

  it('holding an archived video shuts our thumbnail, and releasing it changes the record back', async () => {
    const id = await live();
    await command('archive', id);
    const before = await read(id);
    await steps.staff.HoldVideo(steps.by(id));
    expect(await read(id)).to.deep.equal({ ...before, thumbnail_url: null });
    expect(await command('republish', id)).to.deep.equal(rejected(HELD));
    await steps.staff.ReleaseVideo(steps.by(id));
    expect(await read(id)).to.deep.equal(before);
    expect(await command('republish', id)).to.deep.equal(done(id, 'public'));
  });

  it('a video held while processing is archived at its completion and live at the release', async () => {
    const id = await submit();
    await steps.staff.HoldVideo(steps.by(id));
    expect(await statusOf(id)).to.equal('processing');
    expect(await command('republish', id)).to.deep.equal(rejected(HELD));
    await steps.finish(id);
    expect((await steps.reaches(id, 'archived')).playback).to.equal(null);
    expect(await command('republish', id)).to.deep.equal(rejected(HELD));
    await steps.staff.ReleaseVideo(steps.by(id));
    expect(await read(id)).to.include({ status: 'ready', is_available: true });
  });

  it('a video held and released while processing follows what the partner has queued', async () => {
    const id = await submit();
    await steps.staff.HoldVideo(steps.by(id));
    expect(await command('archive', id)).to.deep.equal([202, { id, status: 'archive_queued', message: queued }]);
    await steps.staff.ReleaseVideo(steps.by(id));
    await steps.finish(id);
    await steps.reaches(id, 'archived');
    expect(await command('republish', id)).to.deep.equal(done(id, 'public'));
  });

  it('a held failed video stays failed, and its retry ends archived until the release', async () => {
    const id = await submit();
    const { created_at: createdAt } = await steps.fails(id, 'encode', 'transcode_failed');
    const before = await read(id);
    await steps.staff.HoldVideo(steps.by(id));
    expect(await read(id)).to.deep.equal(before);
    expect(await command('archive', id)).to.deep.equal(rejected(failed('archived')));
    expect(await command('republish', id)).to.deep.equal(rejected(failed('republished')));
    await steps.upTo(id, 'fetch');
    await steps.staff.RetryVideo(steps.by(id));
    const again = await read(id);
    expect(again).to.include({ status: 'processing', created_at: createdAt });
    expect(again).not.to.have.any.keys('failure', 'updated_at', 'duration_seconds');
    await steps.finish(id);
    await steps.reaches(id, 'archived');
    await steps.staff.ReleaseVideo(steps.by(id));
    expect(await statusOf(id)).to.equal('ready');
  });

  it('the retry of a failed video with a queued archive ends archived, and the partner can republish it', async () => {
    const id = await submit();
    await command('archive', id);
    await steps.fails(id, 'inspect', 'source_corrupt');
    await steps.upTo(id, 'fetch');
    await steps.staff.RetryVideo(steps.by(id));
    await steps.finish(id);
    expect((await steps.reaches(id, 'archived')).failure).to.equal(undefined);
    expect(await command('republish', id)).to.deep.equal(done(id, 'public'));
  });

  it('a video that the operator removes in any state is deleted, and archive and republish return 404', async () => {
    const ready = await live();
    const archived = await live();
    await command('archive', archived);
    const held = await live();
    await steps.staff.HoldVideo(steps.by(held));
    const broken = await submit();
    await steps.fails(broken, 'fetch', 'source_timeout');
    const begun = await submit();
    for (const id of [ready, archived, held, broken, begun]) {
      await steps.staff.RemoveVideo(steps.by(id));
      const gone = await steps.reaches(id, 'deleted');
      expect(gone).to.include({ title: 'Operated', summary: null, playback: null, is_available: false });
      for (const verb of ['archive', 'republish'] as const) {
        const [status, { error }] = await command(verb, id);
        expect([status, error?.code]).to.deep.equal([404, 'not_found']);
      }
      expect(await command('remove', id)).to.deep.equal(done(id, 'deleted'));
    }
  });

  it('a partner can delete a held video', async () => {
    const id = await live();
    await steps.staff.HoldVideo(steps.by(id));
    expect(await command('remove', id)).to.deep.equal(done(id, 'deleted'));
    expect(await statusOf(id)).to.equal('deleted');
  });

  it('a failed video is deleted after its retention, and its failure can still be read', async function () {
    this.timeout(120_000);
    const { rows } = await stack.stack
      .adminPool('catalog')
      .query<{ failure: object }>('SELECT failure FROM videos WHERE id = $1', [bare(expiring)]);
    expect(rows[0]?.failure).to.include({ code: 'source_not_found' });
    const gone = await steps.reaches(expiring, 'deleted');
    expect(gone).to.deep.include({ title: 'Expiring', summary: null, tags: [], is_available: false, playback: null });
    expect(gone.failure).to.deep.include({ code: 'source_not_found', stage: 'fetch', retryable: false });
    expect(gone.failure?.details).to.deep.equal({ http_status: '404' });
    expect(Date.parse(gone.updated_at ?? '') - Date.parse(gone.created_at)).to.be.at.least(FAILED_KEEP_MS);
    expect((await command('archive', expiring))[0]).to.equal(404);
  });
});
