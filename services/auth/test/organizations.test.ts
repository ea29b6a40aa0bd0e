import { expect } from 'chai';
import { decodeJwt } from 'jose';
import type { TestDatabase } from '@vds/testkit/harness/database';
import { authDatabase, failureOf, poolOf, startAuth, type RunningAuth } from './fixtures.ts';

describe('organizations', function () {
  this.timeout(60_000);

  let database: TestDatabase;
  let service: RunningAuth;
  let staff: ReturnType<RunningAuth['adminAs']>;
  before(async () => {
    database = await authDatabase();
    service = await startAuth(database);
    staff = service.adminAs('vdsctl');
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  it('publishers that are created with one organization’s name or id belong to the same one', async () => {
    const byName = await staff.CreatePublisher({ name: 'a', organization: 'League' });
    const again = await staff.CreatePublisher({ name: 'b', organization: ' League ' });
    const byId = await staff.CreatePublisher({ name: 'c', organization: byName.organizationId });
    expect(byName.organizationId).to.match(/^org_[0-9A-Za-z]{20}$/);
    for (const publisher of [again, byId])
      expect(publisher).to.include({ organization: 'League', organizationId: byName.organizationId });
    const unknown = staff.CreatePublisher({ name: 'd', organization: 'org_00000000000000000000' });
    expect(await failureOf(unknown)).to.include({ code: 'NOT_FOUND' });
  });

  it('a renamed organization keeps its id, and its publishers show the new name', async () => {
    const before = await staff.CreateOrganization({ name: 'Club', actor: 'ann', reason: 'a contract' });
    const publisher = await staff.CreatePublisher({ name: 'p', organization: 'Club' });
    const after = await staff.RenameOrganization({ organizationId: before.id, name: 'Club e.V.' });
    expect(after).to.deep.equal({ ...before, name: 'Club e.V.' });
    expect(await staff.GetPublisher({ publisherId: publisher.id })).to.include({ organization: 'Club e.V.' });
    expect((await staff.ListOrganizations({})).organizations).to.deep.include(after);
    const [newest, , oldest] = (await staff.ListAudit({})).entries;
    expect(newest).to.include({ action: 'organization rename', was: `'Club' (${before.id})` });
    expect(oldest).to.include({ action: 'organization create', actor: 'ann', reason: 'a contract' });
  });

  it('two organizations never have one name', async () => {
    const one = await staff.CreateOrganization({ name: 'One' });
    await staff.CreateOrganization({ name: 'Other' });
    expect(await failureOf(staff.CreateOrganization({ name: 'One' }))).to.include({ code: 'ALREADY_EXISTS' });
    const renamed = staff.RenameOrganization({ organizationId: one.id, name: 'Other' });
    expect(await failureOf(renamed)).to.include({ code: 'ALREADY_EXISTS' });
    expect(await failureOf(staff.CreateOrganization({ name: ' ' }))).to.include({ code: 'INVALID_ARGUMENT' });
    const preview = staff.PreviewChange({ createOrganization: { name: 'One' } });
    expect(await failureOf(preview)).to.include({ code: 'ALREADY_EXISTS' });
  });

  it('a publisher is described to analytics alone, with the key of its organization', async () => {
    const [a, b, other] = await Promise.all(
      ['Team', 'Team', 'Rival'].map((organization) => staff.CreatePublisher({ name: 'n', organization })),
    );
    const describe = (publisherId = '') => service.as('analytics').DescribePublisher({ publisherId });
    const [one, same, rival] = await Promise.all([a?.id, b?.id, other?.id].map(describe));
    expect(one?.organizationId).to.equal(a?.organizationId);
    expect(one?.viewerKey).to.have.length(32);
    expect(same).to.deep.equal(one);
    expect(rival?.viewerKey).not.to.deep.equal(one?.viewerKey);
    expect(await failureOf(describe('pub_unknown'))).to.include({ code: 'NOT_FOUND' });
    const foreign = service.as('playback').DescribePublisher({ publisherId: a?.id ?? '' });
    expect(await failureOf(foreign)).to.include({ code: 'PERMISSION_DENIED' });
    const pool = poolOf(database, 1);
    const { rows } = await pool.query<{ sealed: Buffer }>('SELECT sealed_viewer_key AS sealed FROM organizations');
    await pool.end();
    for (const { sealed } of rows) expect(sealed.includes(Buffer.from(one?.viewerKey ?? []))).to.equal(false);
  });

  it('a playback token carries a keyed hash of the viewer, the same for each of the viewer’s tokens', async () => {
    const mint = async (viewerId?: string) => {
      const { token } = await service
        .as('apps')
        .MintPlaybackToken({ playbackId: 'pb1', durationMs: 1_000, ...(viewerId !== undefined && { viewerId }) });
      return decodeJwt(token)['viewer'];
    };
    const [ann, again, bob] = [await mint('ann@example.com'), await mint('ann@example.com'), await mint('bob')];
    expect(ann).to.match(/^[\w-]{43}$/);
    expect(again).to.equal(ann);
    expect(bob).not.to.equal(ann);
    expect(await mint()).to.equal(undefined);
    expect(await failureOf(mint('x'.repeat(129)))).to.include({ code: 'INVALID_ARGUMENT' });
  });
});
