import { expect } from 'chai';
import {
  authorizeCode,
  ctl,
  gateway,
  ingest,
  json,
  publisher,
  useStack,
  type IssuedJson,
  type KeyJson,
  type PublisherJson,
} from './harness.ts';

describe('vdsctl publisher, key and signing-key', function () {
  this.timeout(60_000);
  useStack();

  it('publisher create creates a publisher that publisher list prints', async () => {
    const made = await json<PublisherJson>(
      'publisher create',
      'The League',
      '--organization',
      'Sports Ltd',
      '--reason',
      'invited',
    );
    expect(made)
      .to.include({ name: 'The League', organization: 'Sports Ltd' })
      .and.to.have.all.keys('id', 'name', 'organization', 'created_at');
    expect((await json<{ publishers: unknown[] }>('publisher list')).publishers).to.deep.include(made);
    const { out } = await ctl('publisher list');
    expect(out)
      .to.match(/^PUBLISHER +NAME +ORGANIZATION +CREATED +STATE\n/)
      .and.contain(made.id);
  });

  it('publisher rename changes the name, or the organization alone', async () => {
    const id = await publisher();
    const renamed = await json(`publisher rename ${id} --reason x --name`, 'The League');
    expect(renamed).to.include({ id, name: 'The League', organization: 'Sports' });
    expect(await json(`publisher rename ${id} --reason x --organization`, 'Sports Ltd')).to.include({
      name: 'The League',
      organization: 'Sports Ltd',
    });
  });

  it('publisher show prints the keys with their limits and the use of today', async () => {
    const id = await publisher();
    const { key } = await json<IssuedJson>(`key issue ${id} --daily-limit 7 --reason x`);
    await ingest(id, key.budget_id);
    await ingest(id, key.budget_id);
    const { key: next } = await json<IssuedJson>(`key rotate ${key.id} --reason x`);
    const shown = await json<{ keys: KeyJson[]; resets_in_seconds: number }>(`publisher show ${id}`);
    expect(shown).to.have.nested.property('publisher.organization', 'Sports');
    expect(shown.resets_in_seconds).to.be.within(1, 86_400);
    expect(shown.keys.map(({ id: keyId }) => keyId)).to.deep.equal([key.id, next.id]);
    for (const one of shown.keys) expect(one).to.include({ used_today: 2, daily_limit: 7 });
    const { out } = await ctl(`publisher show ${id}`);
    expect(out)
      .to.match(/^KEY +SCOPES +PER MINUTE +PER DAY\n/m)
      .and.match(new RegExp(`^${next.id} +videos:read videos:write +60 +7\n +used today: 2 · created \\d`, 'm'));
  });

  it('publisher budget sets budgets, keeps the others, removes one with none, and is in the audit', async () => {
    const id = await publisher();
    const set = await json(`publisher budget ${id} --media-minutes 600 --fetched-bytes 500GB --reason agreed`);
    expect(set)
      .to.include({ media_minutes: 600, fetched_bytes: 500_000_000_000 })
      .and.not.to.have.property('stored_bytes');
    expect(await json(`publisher budget ${id} --media-minutes none --stored-bytes 2TB --reason agreed`)).to.include({
      fetched_bytes: 500_000_000_000,
      stored_bytes: 2_000_000_000_000,
    });
    const { out } = await ctl(`publisher show ${id}`);
    expect(out)
      .to.match(/^minutes of video today +0 of any number$/m)
      .and.match(/^bytes fetched today +0 of 500000000000$/m)
      .and.match(/^bytes stored +0 of 2000000000000$/m);
    const { entries } = await json<{ entries: object[] }>(`audit --publisher ${id}`);
    expect(entries.at(-1)).to.include({
      ...{ service: 'catalog', actor: 'sam', action: 'publisher budget', publisher_id: id, reason: 'agreed' },
      was: '600 minutes of video a day, 500000000000 bytes fetched a day',
      became: '500000000000 bytes fetched a day, 2000000000000 bytes stored',
    });
  });

  it('key show prints one key and never its secret part', async () => {
    const { key, secret_key: secretKey } = await json<IssuedJson>(`key issue ${await publisher()} --reason x`);
    expect(await json<KeyJson>(`key show ${key.id}`)).to.deep.equal(key);
    expect((await ctl(`key show ${key.id}`)).out).to.not.contain(secretKey.slice(-32));
  });

  it('key issue returns a working key, printed only once', async () => {
    const { key, secret_key: secretKey } = await json<IssuedJson>(
      `key issue ${await publisher()} --minute-limit 7 --reason x`,
    );
    expect(key).to.deep.include({ scopes: ['videos:read', 'videos:write'], minute_limit: 7, daily_limit: 500 });
    const reply = await gateway().Authorize({ key: secretKey });
    expect(reply.keyId).to.equal(key.id);
    const listed = await ctl(`key list ${key.publisher_id} --json`);
    expect(JSON.parse(listed.out).keys).to.deep.equal([key]);
    expect(listed.out).to.not.contain(secretKey.slice(-32));
  });

  it('key issue --scopes videos:read issues a read-only key and prints it as text', async () => {
    const { exit, out } = await ctl(`key issue ${await publisher()} --scopes videos:read --reason x`);
    expect(exit).to.equal(0);
    expect(out)
      .to.match(/scopes +videos:read\n/)
      .and.match(/\n\nsvc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}\n\n/);
  });

  it('key rotate, limits and revoke take effect immediately', async () => {
    const first = await json<IssuedJson>(`key issue ${await publisher()} --reason x`);
    const second = await json<IssuedJson>(`key rotate ${first.key.id} --reason x`);
    expect(await authorizeCode(first.secret_key)).to.equal('UNAUTHENTICATED');
    expect(second.key.budget_id).to.equal(first.key.budget_id);
    expect(await json<KeyJson>(`key limits ${second.key.id} --daily-limit 9 --reason x`)).to.include({
      minute_limit: 60,
      daily_limit: 9,
    });
    expect((await gateway().Authorize({ key: second.secret_key })).dailyLimit).to.equal(9);
    expect((await json<KeyJson>(`key revoke ${second.key.id} --reason x`)).revoked_at).to.be.a('string');
    expect(await authorizeCode(second.secret_key)).to.equal('UNAUTHENTICATED');
  });

  it('signing-key rotate publishes the next signing key, once', async () => {
    const next = await json<{ published_at: string; signs_from: string }>('signing-key rotate --reason x');
    expect(Date.parse(next.signs_from) - Date.parse(next.published_at)).to.equal(600_000);
    expect((await ctl('signing-key rotate --reason x')).exit).to.equal(1);
  });

  it('a command line with a whole key is rejected without printing the key', async () => {
    const { secret_key: secretKey } = await json<IssuedJson>(`key issue ${await publisher()} --reason x`);
    const { exit, err } = await ctl(`key revoke ${secretKey} --reason x`);
    expect(exit).to.equal(2);
    expect(err).to.contain('never the key itself').and.not.contain(secretKey);
    for (const line of [`key list pub_1 --reason ${secretKey}`, `audit --actor x${secretKey}`, `${secretKey} --json`]) {
      const refused = await ctl(line);
      expect(refused).to.include({ exit: 2, out: '' });
      expect(refused.err).to.contain('never the key itself').and.not.contain(secretKey.slice(-32));
    }
    expect(await authorizeCode(secretKey)).to.equal('OK');
  });
});
