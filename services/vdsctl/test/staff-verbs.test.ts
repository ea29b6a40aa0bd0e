/** Personal tokens: who acts is who the credential belongs to, at every service. */
import { expect } from 'chai';
import {
  authorizeCode,
  ctl,
  FAILED,
  json,
  publisher,
  READY,
  useStack,
  video,
  type IssuedJson,
  type PublisherJson,
} from './harness.ts';

type AuditJson = { readonly entries: readonly { readonly actor: string; readonly action: string }[] };
type MintedJson = { readonly token: string; readonly url: string; readonly expires_at: string };

/** A new person, and vdsctl with their token. */
async function person(name: string) {
  const { token } = await json<{ token: string }>(`staff add ${name} --reason joined`);
  // The variable USER names somebody else, whom nobody believes.
  const environment = { VDSCTL_TOKEN: token, USER: 'mallory', PLAYBACK_PUBLIC_URL: 'https://play.example.com/' };
  const act = async <T>(line: string): Promise<T> => {
    const { exit, out, err } = await ctl(`${line} --json`, [], environment);
    expect(exit, err).to.equal(0);
    return JSON.parse(out) as T;
  };
  return { token, act, run: (line: string) => ctl(line, [], environment) };
}

describe('vdsctl staff, and acting as a person', function () {
  this.timeout(60_000);
  useStack();

  it('the audit names the person whose token acted, whatever --actor and USER say, at auth and at catalog', async () => {
    const { act } = await person('ada');
    const id = await publisher();
    const held = await video('ready', READY);
    await act(`publisher suspend ${id} --actor mallory --reason ended`);
    await act(`video hold ${held} --actor mallory --reason complaint`);
    const ofPublisher = await json<AuditJson>(`audit --publisher ${id}`);
    expect(ofPublisher.entries.map(({ actor, action }) => `${actor}: ${action}`)).to.include('ada: publisher suspend');
    const ofVideo = await json<AuditJson>(`audit --video ${held}`);
    expect(ofVideo.entries.map(({ actor, action }) => `${actor}: ${action}`)).to.deep.equal(['ada: hold']);
  });

  it('a revoked token is refused, and a person has one token at a time', async () => {
    const { run, token } = await person('grace');
    expect((await ctl('staff add grace --reason again')).exit).to.equal(1);
    await json('staff revoke grace --reason left');
    expect((await run('publisher list')).err).to.match(/rejects the token/);
    expect((await ctl('publisher list', [], { VDSCTL_TOKEN: `${token.slice(0, -1)}x` })).exit).to.equal(1);
    const { staff } = await json<{ staff: readonly { name: string; revoked_at?: string }[] }>('staff list');
    expect(staff.find(({ name }) => name === 'grace')).to.have.property('revoked_at');
    expect(JSON.stringify(staff)).not.to.contain(token);
    await json('staff add grace --reason back');
  });

  it('the keys of a suspended publisher authenticate as revoked ones do, and work again after resume', async () => {
    const id = await publisher();
    const { secret_key: key } = await json<IssuedJson>(`key issue ${id} --label studio --reason x`);
    expect(await authorizeCode(key)).to.equal('OK');
    expect((await json<PublisherJson>(`publisher suspend ${id} --reason ended`)).id).to.equal(id);
    expect(await authorizeCode(key)).to.equal('UNAUTHENTICATED');
    expect((await ctl(`publisher show ${id}`)).out)
      .to.match(/^suspended +\d{4}-/m)
      .and.match(/studio/);
    const again = await json<{ would: string }>(`publisher suspend ${id} --dry-run --reason again`);
    expect(again.would).to.match(/^change nothing: publisher \S+ is suspended/);
    await json(`publisher resume ${id} --reason renewed`);
    expect(await authorizeCode(key)).to.equal('OK');
  });

  it('video preview prints an address that is valid for ten minutes, and writes who watches into the audit', async () => {
    const { act } = await person('joan');
    const id = await video('archived', READY);
    const before = Date.now();
    const { token, url, expires_at: expires } = await act<MintedJson>(`video preview ${id}`);
    expect(url).to.equal(`https://play.example.com/p${id}.m3u8?token=${token}`);
    expect(Date.parse(expires) - before).to.be.within(595_000, 605_000);
    const { entries } = await json<AuditJson>('audit --actor joan');
    expect(entries.map(({ action }) => action)).to.deep.equal(['video preview']);
    expect(JSON.stringify(entries)).to.contain(id).and.not.contain(token);
    expect((await ctl(`video preview ${await video('failed', FAILED)}`)).exit).to.equal(1);
  });

  it('video list finds videos of all publishers by sport and time, each with its publisher', async () => {
    const id = await video('ready', `${READY}, sport = 'fencing'`);
    const { videos } = await json<{ videos: readonly { video_id: string; publisher_id: string }[] }>(
      'video list --sport fencing --since 1h',
    );
    expect(videos.map(({ video_id: found }) => found)).to.deep.equal([id]);
    expect(videos[0]).to.have.property('publisher_id', 'pub_1');
    expect((await ctl('video list --sport fencing --since 2020-01-01')).out).to.match(/ PUBLISHER\n/);
  });
});
