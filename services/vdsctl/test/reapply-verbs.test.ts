/** Changes that restored databases have forgotten, made again from copies of the audit. */
import { expect } from 'chai';
import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAuditCopy, withdrawalsOf, type CopiedEntry } from '../src/domain/audit-copy.ts';
import {
  adminPool,
  authorizeCode,
  ctl,
  folder,
  ingest,
  json,
  publisher,
  useStack,
  type DetailsJson,
  type IssuedJson,
} from './harness.ts';

type ReappliedJson = {
  readonly dry_run: boolean;
  readonly results: readonly { readonly what: string; readonly id: string; readonly outcome: string }[];
};

function entry(at: number, more: Partial<CopiedEntry>): CopiedEntry {
  return { at: new Date(at).toISOString(), service: 'catalog', action: 'x', became: 'ready', ...more };
}

describe('what a copy of the audit tells', () => {
  it('revoked and replaced keys, deleted videos, and videos that are held at its end', () => {
    const found = withdrawalsOf([
      entry(1, { service: 'auth', action: 'key revoke', key_id: 'k1', became: 'revoked' }),
      entry(2, { service: 'auth', action: 'key rotate', key_id: 'k2', became: 'revoked, replaced by a new key' }),
      entry(3, { service: 'auth', action: 'key issue', key_id: 'k3', became: 'videos:read' }),
      entry(4, { video_id: 'v1', action: 'delete', became: 'deleted' }),
      entry(5, { video_id: 'v2', action: 'remove', became: 'processing, delete queued' }),
      entry(6, { video_id: 'v3', action: 'hold', became: 'archived, held' }),
      entry(7, { video_id: 'v4', action: 'hold', became: 'archived, archive queued, held' }),
      entry(8, { video_id: 'v4', action: 'release', became: 'archived' }),
      entry(9, { video_id: 'v5', action: 'hold', became: 'archived, held' }),
      entry(10, { video_id: 'v5', action: 'delete', became: 'deleted' }),
    ]);
    expect(found.revokedKeys).to.deep.equal(['k1', 'k2']);
    expect(found.deletedVideos).to.deep.equal(['v1', 'v2', 'v5']);
    expect([...found.heldVideos.keys()]).to.deep.equal(['v3']);
  });

  it('the order of copies and what is in several of them make no difference', () => {
    const one = fc.record({
      at: fc.nat(20),
      id: fc.constantFrom('a', 'b', 'c'),
      became: fc.constantFrom('ready', 'archived, held', 'deleted', 'processing, delete queued'),
    });
    fc.assert(
      fc.property(fc.uniqueArray(one, { selector: ({ at }) => at }), fc.nat(20), (list, cut) => {
        const entries = list.map(({ at, id, became }) => entry(at, { video_id: id, became }));
        const copies = [...entries.slice(cut), ...entries, ...entries.slice(0, cut)];
        const ids = (all: readonly CopiedEntry[]) => {
          const { deletedVideos, heldVideos } = withdrawalsOf(all);
          return [deletedVideos.toSorted(), [...heldVideos.keys()].toSorted()];
        };
        expect(ids(copies)).to.deep.equal(ids(entries));
      }),
    );
  });

  it('what is no copy of the audit is rejected', () => {
    for (const text of ['', '[]', '{}', '{"entries":[{}]}', '{"entries":[null]}'])
      expect(() => parseAuditCopy(text, 'a.json'), text).to.throw("a.json is not the output of 'vdsctl audit --json'");
  });
});

describe('vdsctl reapply', function () {
  this.timeout(60_000);
  useStack();

  it('revokes, deletes and holds again what the databases have forgotten, and nothing that they know', async () => {
    const id = await publisher();
    const keys: IssuedJson[] = [];
    for (let n = 0; n < 4; n++) keys.push(await json<IssuedJson>(`key issue ${id} --reason x`));
    const [revoked, rotated, known, kept] = keys as [IssuedJson, IssuedJson, IssuedJson, IssuedJson];
    const videos = await Promise.all([1, 2, 3, 4].map(() => ingest(id, 'b')));
    const [removed = '', held = '', released = '', other = ''] = videos;
    const moment = new Date().toISOString();
    await json(`key revoke ${revoked.key.id} --reason x`);
    await json(`key rotate ${rotated.key.id} --reason x`);
    await json(`key revoke ${known.key.id} --reason x`);
    await json(`video remove ${removed} --reason x`);
    await json(`video hold ${held} --reason x`);
    await json(`video hold ${released} --reason x`);
    const copy = join(folder(), 'audit.json');
    const { out } = await ctl(`audit --publisher ${id} --all --json`);
    writeFileSync(copy, out);
    await json(`video release ${released} --reason x`);
    await forget([revoked.key.id, rotated.key.id], [removed, held], moment);
    expect(await authorizeCode(revoked.secret_key)).to.equal('OK');

    const dry = await json<ReappliedJson>(`reapply ${copy} --dry-run --reason x`);
    expect(await authorizeCode(revoked.secret_key)).to.equal('OK');
    const made = await json<ReappliedJson>(`reapply ${copy} ${copy} --reason`, 'auth and catalog restored');
    expect(made.results).to.deep.equal(dry.results);
    expect(made.results).to.have.deep.members([
      { what: 'revoke', id: revoked.key.id, outcome: 'done' },
      { what: 'revoke', id: rotated.key.id, outcome: 'done' },
      { what: 'revoke', id: known.key.id, outcome: 'known' },
      { what: 'delete', id: removed, outcome: 'done' },
      { what: 'hold', id: held, outcome: 'done' },
      { what: 'hold', id: released, outcome: 'known' }, // It was released after the copy was made.
    ]);
    for (const { secret_key: secretKey } of [revoked, rotated, known])
      expect(await authorizeCode(secretKey)).to.equal('UNAUTHENTICATED');
    expect(await authorizeCode(kept.secret_key)).to.equal('OK');
    expect(await json<DetailsJson>(`video show ${held}`)).to.include({ held: true });
    for (const one of [released, other]) expect(await json(`video show ${one}`)).to.include({ held: false });
    const { state, intent } = await stateOf(removed);
    expect(state === 'deleted' || intent === 'delete').to.equal(true);

    const again = await json<ReappliedJson>(`reapply ${copy} --reason x`);
    expect(again.results.map(({ outcome }) => outcome)).to.not.include('done');
  });

  it('a copy that lacks older entries is carried out, and reported with exit code 1', async () => {
    const id = await publisher();
    const { key, secret_key: secretKey } = await json<IssuedJson>(`key issue ${id} --reason x`);
    await json(`key revoke ${key.id} --reason x`);
    const { out } = await ctl(`audit --publisher ${id} --limit 1 --json`);
    const copy = join(folder(), 'cut.json');
    writeFileSync(copy, out);
    await forget([key.id], [], new Date().toISOString());
    const { exit, err } = await ctl(`reapply ${copy} --reason x`);
    expect(exit).to.equal(1);
    expect(err).to.contain('lacks older entries: copies are made with --all');
    expect(await authorizeCode(secretKey)).to.equal('UNAUTHENTICATED');
  });

  it('a key or a video that the databases do not know is nothing to withdraw, and a missing file is wrong usage', async () => {
    const copy = join(folder(), 'absent.json');
    const entries = [
      entry(1, { service: 'auth', action: 'key revoke', key_id: 'n'.repeat(24) }),
      entry(2, { video_id: '0'.repeat(26), became: 'deleted' }),
    ];
    writeFileSync(copy, JSON.stringify({ entries, more: false }));
    const { results } = await json<ReappliedJson>(`reapply ${copy} --reason x`);
    expect(results.map(({ outcome }) => outcome)).to.deep.equal(['absent', 'absent']);
    expect(await ctl(`reapply ${copy}.none --reason x`)).to.include({ exit: 2, out: '' });
  });
});

/** What a restore to an earlier moment leaves of these keys and videos. */
async function forget(keys: readonly string[], videos: readonly string[], moment: string): Promise<void> {
  await adminPool('auth').query('update api_keys set revoked_at = null where id = any ($1)', [keys]);
  const pool = adminPool('catalog');
  await pool.query(
    `update videos set state = 'processing', intent = 'none', held = false, version = version + 1 where id = any ($1)`,
    [videos],
  );
  // The audit is part of what was restored; its trigger rejects every other way.
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    await client.query('delete from audit where video_id = any ($1) and at >= $2', [videos, moment]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function stateOf(id: string): Promise<{ state: string; intent: string }> {
  const { rows } = await adminPool('catalog').query<{ state: string; intent: string }>(
    'select state, intent from videos where id = $1',
    [id],
  );
  return rows[0] ?? { state: '', intent: '' };
}
