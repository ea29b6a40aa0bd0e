/** The audit of auth and catalog: who changed what and why, and that no role can alter it. */
import { expect } from 'chai';
import pg from 'pg';
import { ctl, allRows, FAILED, ingest, json, loginOf, publisher, useStack, video, type IssuedJson } from './harness.ts';

type EntryJson = { readonly at: string; readonly [name: string]: unknown };
type AuditJson = { readonly entries: readonly EntryJson[]; readonly more: boolean };

function lines({ entries }: AuditJson): string[] {
  return entries.map(({ service, actor, action, was, became, reason }) =>
    [service, actor, action, was, became, reason].join(' | '),
  );
}

describe('vdsctl audit', function () {
  this.timeout(60_000);
  useStack();

  it('audit lists every change of auth and catalog by time, with actor and reason', async () => {
    const id = await publisher();
    await json(`publisher rename ${id} --name Cup --reason`, 'a new name');
    const { key } = await json<IssuedJson>(`key issue ${id} --actor kim --reason`, 'their backend');
    await json(`key limits ${key.id} --minute-limit 120 --reason`, 'a big weekend');
    const videoId = await ingest(id, key.budget_id);
    await json(`video hold ${videoId} --reason`, 'ticket 7');
    const { key: next } = await json<IssuedJson>(`key rotate ${key.id} --reason`, 'seen in a log');
    await json(`video release ${videoId} --reason`, 'settled');
    await json(`video remove ${videoId} --reason`, 'rights ended');
    await json(`key revoke ${next.id} --reason`, 'they left');
    const all = await json<AuditJson>(`audit --publisher ${id}`);
    // Catalog itself finishes the removal, at any time.
    const whole = { ...all, entries: all.entries.filter(({ actor }) => actor !== 'catalog') };
    expect(lines(whole)).to.deep.equal([
      "auth | sam | publisher create |  | 'League' of 'Sports' | invited",
      "auth | sam | publisher rename | 'League' of 'Sports' | 'Cup' of 'Sports' | a new name",
      'auth | kim | key issue |  | videos:read videos:write, 60 per minute, 500 per day | their backend',
      'auth | sam | key limits | 60 per minute, 500 per day | 120 per minute, 500 per day | a big weekend',
      'catalog | sam | hold | processing | processing, held | ticket 7',
      'auth | sam | key rotate | in force | revoked, replaced by a new key | seen in a log',
      'catalog | sam | release | processing, held | processing | settled',
      'catalog | sam | remove | processing | processing, delete queued | rights ended',
      'auth | sam | key revoke | in force | revoked | they left',
    ]);
    const times = whole.entries.map(({ at }) => at);
    expect(times).to.deep.equal(times.toSorted());
    expect(await json<AuditJson>(`audit --publisher ${id} --actor kim`)).to.deep.equal({
      entries: [whole.entries[2]],
      more: false,
    });
    expect((await json<AuditJson>(`audit --key ${next.id}`)).entries).to.deep.equal([
      whole.entries[5],
      whole.entries[8],
    ]);
    expect(lines(await json<AuditJson>(`audit --video vid_${videoId} --actor sam`))).to.have.length(3);
    const { out } = await ctl(`audit --publisher ${id}`);
    expect(out)
      .to.match(/^AT +WHO +WHAT +OF\n/)
      .and.match(
        new RegExp(`key rotate +${key.id} →\n +${next.id}\n +in force → revoked, replaced by .*: seen in a log`),
      );
  });

  it('audit --limit prints the newest entries and that older ones exist, and --since bounds the time', async () => {
    const id = await publisher();
    const { key } = await json<IssuedJson>(`key issue ${id} --reason x`);
    const videoId = await ingest(id, key.budget_id);
    for (const verb of ['hold', 'release', 'hold']) await json(`video ${verb} ${videoId} --reason x`);
    const whole = await json<AuditJson>(`audit --publisher ${id}`);
    expect(whole.entries).to.have.length(5);
    expect(await json<AuditJson>(`audit --publisher ${id} --limit 2`)).to.deep.equal({
      entries: whole.entries.slice(-2),
      more: true,
    });
    expect((await ctl(`audit --publisher ${id} --limit 2`)).out).to.match(/^There are older entries/);
    expect(await json<AuditJson>(`audit --publisher ${id} --since 2h --limit 5`)).to.deep.equal(whole);
    const since = whole.entries[3]?.at ?? '';
    expect((await json<AuditJson>(`audit --publisher ${id} --since ${since}`)).entries).to.deep.include(
      whole.entries[4],
    );
    expect((await json<AuditJson>('audit --since 2100-01-01')).entries).to.deep.equal([]);
    for (const wrong of ['--since yesterday', '--limit 0', '--limit 10001', `--key ${'n'.repeat(24)} --video v`])
      expect(await ctl(`audit ${wrong}`), wrong).to.include({ exit: 2, out: '' });
  });

  it('a rejected change leaves no entry', async () => {
    const id = await video('ready');
    const before = await allRows();
    expect((await ctl(`video retry ${id} --reason x`)).exit).to.equal(1);
    expect((await ctl(`video rerun ${id} --stage encode --reason x`)).exit).to.equal(1);
    expect((await ctl(`key revoke ${'n'.repeat(24)} --reason x`)).exit).to.equal(3);
    expect((await ctl('key issue pub_none --reason x')).exit).to.equal(3);
    expect(await allRows()).to.equal(before);
  });

  it('the runtime role of a service can insert and read entries, and not alter them', async () => {
    await json(`video retry ${await video('failed', FAILED)} --reason x`);
    for (const service of ['auth', 'catalog'] as const) {
      const { url, password } = loginOf(service);
      const { username, hostname, port, pathname } = new URL(url);
      const database = pathname.slice(1);
      const client = new pg.Client({ user: username, host: hostname, port: Number(port), database, password });
      await client.connect();
      const { rows } = await client.query<{ id: string }>('select * from audit order by id desc limit 1');
      expect(rows).to.have.length(1);
      const id = rows[0]?.id;
      for (const [verb, refused] of [
        [`update audit set reason = 'nothing' where id = ${id}`, /never changed or removed/],
        [`delete from audit where id = ${id}`, /never changed or removed/],
        [`insert into audit select * from audit where id = ${id} on conflict (id) do update set reason = 'y'`, /never/],
        ['truncate audit', /permission denied/],
        ['alter table audit disable trigger all', /must be owner/],
        ['set session_replication_role = replica', /permission denied/],
        ['drop trigger audit_is_kept on audit', /must be owner/],
      ] as const) {
        const failure = await client.query(verb).catch((error: unknown) => error);
        expect(failure, verb).to.be.instanceOf(pg.DatabaseError).with.property('message').that.matches(refused);
      }
      expect((await client.query(`select * from audit where id = ${id}`)).rows).to.deep.equal(rows);
      await client.end();
    }
  });
});
