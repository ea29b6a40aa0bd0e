/**
 * Two releases beside each other, with the settings of deploy/values/production.yaml: TLS of a private authority to every
 * server, mutual TLS between services, one NATS account, and a prefix for all that a release has on the servers.
 */
import { expect } from 'chai';
import { skipBecause } from '@vds/testkit/skip';
import { until } from '@vds/testkit/until';
import { spokenClip } from '../chaos/short-clips.ts';
import { openTlsReleases, type TlsRelease, type TlsReleases } from '../harness/host/tls-releases.ts';
import { openOperatorClient } from '../harness/operator-client.ts';
import { partnerOf } from '../harness/partner-client.ts';
import { targetKind } from '../harness/target-kind.ts';
import { walkHls } from '../hls/walk.ts';
import { documentsOf, keysOf, leftoversOf, rowsOf } from '../probes/leftovers.ts';
import { serverConnections, storedStreams } from '@vds/testkit/stack/shared-servers';

type Clip = { readonly release: TlsRelease; readonly id: string; readonly title: string; readonly playbackId: string };

describe('two releases beside each other, with TLS to every server', function () {
  this.timeout(300_000);
  let opened: TlsReleases;
  let north: Clip;
  let south: Clip;

  const publish = async (release: TlsRelease, source: string): Promise<Clip> => {
    const title = `A goal of the ${release.name}`;
    const id = await release.partner.submit(source, { title });
    const { status, failure, playback } = await release.partner.settled(id);
    expect(status, JSON.stringify(failure)).to.equal('ready');
    return { release, id, title, playbackId: playback?.playback_id ?? '' };
  };
  const isFound = ({ release, id, title }: Clip) =>
    until(() => release.apps.finds(title, id), { what: `${title} is found`, capMs: 60_000 });
  const address = async ({ release, id, playbackId }: Clip, token?: string): Promise<string> => {
    const { playback } = await release.partner.get(id);
    return `${playback?.hls_url}?token=${token ?? (await release.mint(playbackId))}`;
  };
  const plays = async (clip: Clip): Promise<void> => {
    const { breaches, rungs } = await walkHls(await address(clip), opened.scratch(clip.id));
    expect(breaches).to.deep.equal([]);
    expect(rungs.map(({ segments }) => segments)).to.satisfy((counts: number[]) => counts.every((count) => count > 0));
  };
  const pairs = (): [Clip, Clip][] => [
    [north, south],
    [south, north],
  ];

  before(async function () {
    if (targetKind() !== 'host') skipBecause(this, 'opens releases of its own, as processes of this host');
    opened = await openTlsReleases(['north', 'south']);
    const source = await opened.source.serve(await spokenClip());
    const clips = await Promise.all(opened.releases.map((release) => publish(release, source)));
    [north, south] = clips as [Clip, Clip];
  });
  after(() => opened?.close());

  it('a clip of each of two releases becomes ready, is found and plays', async () => {
    for (const clip of [north, south]) {
      await isFound(clip);
      await plays(clip);
    }
  });

  it('every connection of two releases to PostgreSQL and NATS is encrypted, and no role of theirs is a superuser', async () => {
    const { connections, roles } = await serverConnections(opened.tls);
    for (const { name } of opened.releases) {
      const own = connections.filter(({ user }) => user.startsWith(name));
      expect(own.filter(({ server }) => server === 'PostgreSQL').map(({ user }) => user)).to.include.members(
        ['auth', 'catalog', 'ingest', 'transcode', 'captions', 'metadata'].map((service) => `${name}_${service}`),
      );
      expect(own.filter(({ server }) => server === 'NATS').map(({ user }) => user)).to.include.members(
        ['catalog', 'indexer', 'playback'].map((service) => `${name}-${service}`),
      );
      expect(roles.filter((role) => role.name.startsWith(`${name}_`))).to.have.lengthOf(12);
    }
    expect(connections.filter(({ isEncrypted }) => !isEncrypted)).to.deep.equal([]);
    expect(roles.filter(({ may }) => may !== '')).to.deep.equal([]);
  });

  it('neither of two releases finds, shows, plays or administers what is the other’s', async () => {
    for (const [{ id, title, playbackId, release }, { release: other }] of pairs()) {
      expect(await other.apps.finds(title, id)).to.equal(false);
      expect((await other.apps.feed({ limit: 50 })).items.map(({ videoId }) => `vid_${videoId}`)).to.not.include(id);
      expect((await other.partner.call('GET', `/v1/videos/${id}`)).status).to.equal(404);
      const stranger = partnerOf(other.partner.base, release.partner.key);
      expect((await stranger.call('GET', `/v1/videos/${id}`)).status).to.equal(401);
      const { pathname } = new URL(await address({ id, title, playbackId, release }));
      const elsewhere = (token: string) => fetch(`${other.stack.url('playback')}${pathname}?token=${token}`);
      expect((await elsewhere(await release.mint(playbackId))).status).to.be.oneOf([401, 403]);
      const operator = openOperatorClient({ ...other.site, tokens: release.site.tokens, clientTls: release.site.clientTls });
      expect(await operator.newPartner('stranger').catch((error: { code?: string }) => error.code)).to.equal('UNAVAILABLE');
      await operator.close();
    }
  });

  it('streams, rows, objects and documents of two releases are apart under their prefixes', async () => {
    const streams = await storedStreams(opened.tls);
    const namesOf = ({ name }: TlsRelease): string[] =>
      [...streams.keys()].flatMap((stream) => (stream.startsWith(`${name.toUpperCase()}_`) ? stream.slice(name.length + 1) : []));
    expect(namesOf(north.release)).to.include.members(['CATALOG', 'INGEST', 'TRANSCODE']).and.have.members(namesOf(south.release));
    expect(streams.size).to.equal(2 * namesOf(north.release).length);
    for (const [{ id, release }, { release: other }] of pairs()) {
      const { name, stores } = release;
      for (const [stream, { subjects, text }] of streams) {
        const isOwn = stream.startsWith(`${name.toUpperCase()}_`);
        if (isOwn) expect(subjects.filter((subject) => !subject.startsWith(`${name}.`))).to.deep.equal([]);
        else expect(text, stream).to.not.include(id.slice('vid_'.length));
      }
      expect(streams.get(`${name.toUpperCase()}_CATALOG`)?.text).to.include(id.slice('vid_'.length));
      expect(await rowsOf(stores, id)).to.not.be.empty;
      expect(await rowsOf(other.stores, id)).to.deep.equal([]);
      for (const [bucket, keys] of await keysOf(stores)) {
        expect(bucket).to.match(new RegExp(`^${name}-`));
        expect(keys.filter((key) => !key.includes(id.slice('vid_'.length)))).to.deep.equal([]);
      }
      expect(await leftoversOf(stores, id)).to.not.be.empty;
      const indexes = (await documentsOf(stores, id)).map(({ index }) => index);
      expect(indexes).to.not.be.empty.and.satisfy((all: string[]) => all.every((index) => index.startsWith(`${name}-`)));
    }
  });

  it('a deletion in one of two releases purges its own video and leaves the other’s whole', async () => {
    const kept = await leftoversOf(south.release.stores, south.id);
    expect((await north.release.partner.remove(north.id)).status).to.equal(200);
    const left = async (): Promise<string[]> => [
      ...(await leftoversOf(north.release.stores, north.id)),
      ...(await rowsOf(north.release.stores, north.id)),
      ...(await documentsOf(north.release.stores, north.id)).map(({ index }) => index),
    ];
    await until(async () => (await left()).length === 0, { what: 'nothing is left of it', capMs: 120_000, everyMs: 500 });
    expect((await north.release.partner.get(north.id)).status).to.equal('deleted');
    expect(await leftoversOf(south.release.stores, south.id)).to.deep.equal(kept);
    await isFound(south);
    await plays(south);
  });
});
