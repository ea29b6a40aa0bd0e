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
/** What a partner must never see: which member of the staff acted, and why. */
const staffOnly = /sre@example|ticket 7|\bheld\b|actor|reason":"ticket/;

type Told = {
  readonly id?: string;
  readonly status?: string;
  readonly message?: string;
  readonly error?: { code: string; message: string };
};

describe('the operator, as a partner sees it', () => {
  let stack: ContractStack;
  let workers: FakeWorkers;
  let steps: Steps;
  let mortal: string;
  before(async function () {
    this.timeout(120_000);
    stack = await openContractStack({ suffix: 'oper', replicas: 2, env: { catalog: { FAILED_KEEP: '12s' } } });
    workers = await startFakeWorkers(stack.stack, { turn: () => 'hold' });
    const { secretKey } = await stack.newKey(await stack.newPublisher('Operator'));
    steps = stepsOf({ stack, workers, partner: stack.partner(secretKey, 1) });
    mortal = await steps.partner.submit(source, { title: 'Mortal', summary: 'Gone', tags: ['a'] });
    await steps.fails(mortal, 'fetch', 'source_not_found', { http_status: '404' });
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
  const look = async (id: string): Promise<VideoRecord> => {
    const record = await steps.partner.get(id);
    expect(JSON.stringify(record)).not.to.match(staffOnly);
    return record;
  };
  const statusOf = async (id: string): Promise<string> => (await look(id)).status;
  /** A request and its response in one line each: status, body. */
  const order = async (verb: 'archive' | 'republish' | 'remove', id: string): Promise<readonly [number, Told]> => {
    const { status, body } = await steps.partner[verb](id);
    expect(JSON.stringify(body)).not.to.match(/sre@example|ticket 7/);
    const told = body as Told;
    if (told.error) return [status, { error: { code: told.error.code, message: told.error.message } }];
    return [status, told];
  };
  const done = (id: string, status: string) => [200, { id, status }];
  const refused = (message: string) => [400, { error: { code: 'invalid_input', message } }];

  it('holds a live video: it is archived, and no order of the partner brings it back', async () => {
    const id = await live();
    const before = await look(id);
    await steps.staff.HoldVideo(steps.by(id));
    const held = await look(id);
    expect(held).to.include({ status: 'archived', is_available: false, playback: null });
    expect(held.thumbnail_url).to.equal(before.thumbnail_url);
    expect(await order('republish', id)).to.deep.equal(refused(HELD));
    expect(await statusOf(id)).to.equal('archived');
    await steps.staff.ReleaseVideo(steps.by(id));
    const back = await look(id);
    expect(back).to.deep.equal({ ...before, updated_at: back.updated_at });
    expect(await order('republish', id)).to.deep.equal(done(id, 'public'));
  });

  it('holds a live video that the partner then archives: the release leaves it archived, a republish brings it back', async () => {
    const id = await live();
    await steps.staff.HoldVideo(steps.by(id));
    expect(await order('archive', id)).to.deep.equal(done(id, 'archived'));
    expect(await order('archive', id)).to.deep.equal(done(id, 'archived'));
    await steps.staff.ReleaseVideo(steps.by(id));
    expect(await statusOf(id)).to.equal('archived');
    expect(await order('republish', id)).to.deep.equal(done(id, 'public'));
    expect(await statusOf(id)).to.equal('ready');
  });

  it('holds an archived video: nothing seems to happen, and after the release it is still archived', async () => {
    const id = await live();
    await order('archive', id);
    const before = await look(id);
    await steps.staff.HoldVideo(steps.by(id));
    expect(await look(id)).to.deep.equal(before);
    expect(await order('republish', id)).to.deep.equal(refused(HELD));
    await steps.staff.ReleaseVideo(steps.by(id));
    expect(await look(id)).to.deep.equal(before);
    expect(await order('republish', id)).to.deep.equal(done(id, 'public'));
  });

  it('holds a video that is processing: it goes on, is archived when it is done, and live at the release', async () => {
    const id = await submit();
    await steps.staff.HoldVideo(steps.by(id));
    expect(await statusOf(id)).to.equal('processing');
    expect(await order('republish', id)).to.deep.equal(refused(HELD));
    await steps.finish(id);
    expect((await steps.comes(id, 'archived')).playback).to.equal(null);
    expect(await order('republish', id)).to.deep.equal(refused(HELD));
    await steps.staff.ReleaseVideo(steps.by(id));
    expect(await look(id)).to.include({ status: 'ready', is_available: true });
  });

  it('holds and releases a video that is processing: what the partner queued counts again', async () => {
    const id = await submit();
    await steps.staff.HoldVideo(steps.by(id));
    expect(await order('archive', id)).to.deep.equal([202, { id, status: 'archive_queued', message: queued }]);
    await steps.staff.ReleaseVideo(steps.by(id));
    await steps.finish(id);
    await steps.comes(id, 'archived');
    expect(await order('republish', id)).to.deep.equal(done(id, 'public'));
  });

  it('holds a failed video: it stays failed, and a retry ends archived until the release', async () => {
    const id = await submit();
    const { created_at: createdAt } = await steps.fails(id, 'encode', 'transcode_failed');
    const before = await look(id);
    await steps.staff.HoldVideo(steps.by(id));
    expect(await look(id)).to.deep.equal(before);
    expect(await order('archive', id)).to.deep.equal(refused(failed('archived')));
    expect(await order('republish', id)).to.deep.equal(refused(failed('republished')));
    await steps.upTo(id, 'fetch');
    await steps.staff.RetryVideo(steps.by(id));
    const again = await look(id);
    expect(again).to.include({ status: 'processing', created_at: createdAt });
    expect(again).not.to.have.any.keys('failure', 'updated_at', 'duration_seconds');
    await steps.finish(id);
    await steps.comes(id, 'archived');
    await steps.staff.ReleaseVideo(steps.by(id));
    expect(await statusOf(id)).to.equal('ready');
  });

  it('retries a failed video of which the partner had queued an archive: it ends archived, and the partner brings it back', async () => {
    const id = await submit();
    await order('archive', id);
    await steps.fails(id, 'inspect', 'source_corrupt');
    await steps.upTo(id, 'fetch');
    await steps.staff.RetryVideo(steps.by(id));
    await steps.finish(id);
    expect((await steps.comes(id, 'archived')).failure).to.equal(undefined);
    expect(await order('republish', id)).to.deep.equal(done(id, 'public'));
  });

  it('removes a video in any state: it is deleted, and is no more for archive and republish', async () => {
    const ready = await live();
    const archived = await live();
    await order('archive', archived);
    const held = await live();
    await steps.staff.HoldVideo(steps.by(held));
    const broken = await submit();
    await steps.fails(broken, 'fetch', 'source_timeout');
    const begun = await submit();
    for (const id of [ready, archived, held, broken, begun]) {
      await steps.staff.RemoveVideo(steps.by(id));
      const gone = await steps.comes(id, 'deleted');
      expect(gone).to.include({ title: 'Operated', summary: null, playback: null, is_available: false });
      for (const verb of ['archive', 'republish'] as const) {
        const [status, { error }] = await order(verb, id);
        expect([status, error?.code]).to.deep.equal([404, 'not_found']);
      }
      expect(await order('remove', id)).to.deep.equal(done(id, 'deleted'));
    }
  });

  it('cannot keep a partner from deleting what is held', async () => {
    const id = await live();
    await steps.staff.HoldVideo(steps.by(id));
    expect(await order('remove', id)).to.deep.equal(done(id, 'deleted'));
    expect(await statusOf(id)).to.equal('deleted');
  });

  it('leaves a failed video for its time; then it is deleted, and why it failed can still be read', async function () {
    this.timeout(120_000);
    const { rows } = await stack.stack
      .adminPool('catalog')
      .query<{ failure: object }>('SELECT failure FROM videos WHERE id = $1', [bare(mortal)]);
    expect(rows[0]?.failure).to.include({ code: 'source_not_found' });
    const gone = await steps.comes(mortal, 'deleted');
    expect(gone).to.deep.include({ title: 'Mortal', summary: null, tags: [], is_available: false, playback: null });
    expect(gone.failure).to.deep.include({ code: 'source_not_found', stage: 'fetch', retryable: false });
    expect(gone.failure?.details).to.deep.equal({ http_status: '404' });
    expect(Date.parse(gone.updated_at ?? '') - Date.parse(gone.created_at)).to.be.at.least(12_000);
    expect((await order('archive', mortal))[0]).to.equal(404);
  });
});
