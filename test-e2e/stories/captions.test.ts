/** Speech becomes captions and 18 translations, each with its true status, and they play with the video. */
import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { SPOKEN } from '@vds/testkit/media/demo-clip-recipe';
import { makeClip } from '@vds/testkit/media/make-clip';
import { makeSample } from '@vds/testkit/media/make-samples';
import { pairs } from '@vds/testkit/media/sample-list';
import { until } from '@vds/testkit/until';
import { walkTracks, type WalkedTracks } from '../hls/tracks.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';

/** What apertium translates from English; it has no path to German and Japanese. */
const READY = 'es pt-BR fr it pt ca gl oc an ast sc eo frp ca-valencia oc-aranes oc-gascon'.split(' ');

describe('the captions of a video', () => {
  let target: Target;
  let partner: Partner;
  let record: VideoRecord;
  let walked: WalkedTracks;

  const publish = async (path: string, more: Record<string, unknown> = {}): Promise<VideoRecord> => {
    await copyFile(path, join(target.media, basename(path)));
    return partner.settled(await partner.submit(target.origin.url(`/${basename(path)}`), more));
  };
  const reasons = async (id: string): Promise<string[]> => {
    const over = async (): Promise<string[] | false> => {
      const tracks = (await partner.get(id)).captions ?? [];
      if (tracks.length !== 19 || tracks.some(({ status }) => status === 'processing')) return false;
      return [...new Set(tracks.map(({ status, reason }) => `${status} ${reason}`))];
    };
    return until(over, { capMs: 120_000, everyMs: 250, what: 'the end of every track' });
  };

  before(async function () {
    this.timeout(300_000);
    target = await theTarget();
    partner = await target.newPartner('Captions');
    const { id, status, failure } = await publish(await makeClip(), { language_code: 'en' });
    expect(status, JSON.stringify(failure)).to.equal('ready');
    // Under load a track may be late; it attaches by itself.
    const settled = async (): Promise<boolean> => {
      record = await partner.get(id);
      return record.captions?.length === 19 && record.captions.every((track) => track.status !== 'processing');
    };
    await until(settled, { capMs: 120_000, everyMs: 250, what: 'the end of every track' });
    const { playback_id: playbackId = '', hls_url: hlsUrl = '' } = record.playback ?? {};
    walked = await walkTracks(`${hlsUrl}?token=${await target.mint(playbackId)}`);
  });

  it('are listed in the record: the spoken language and 18 more, with status and reason', () => {
    const tracks = record.captions ?? [];
    expect(tracks).to.have.lengthOf(19);
    expect(tracks[0]).to.include({ language: 'en', kind: 'captions', status: 'ready', reason: null });
    expect(tracks.slice(1).every(({ kind }) => kind === 'subtitles')).to.equal(true);
    const ready = tracks.slice(1).filter(({ status }) => status === 'ready');
    expect(ready.map(({ language }) => language)).to.have.members(READY);
    for (const language of ['de', 'ja'])
      expect(tracks.find((track) => track.language === language)).to.include({ status: 'skipped', reason: 'no_path' });
  });

  it('are offered by the master playlist, a machine’s translation under a name that says so', () => {
    expect(walked.tracks.map(({ language }) => language)).to.have.members(['en', ...READY]);
    const [english, ...others] = walked.tracks;
    expect(english?.name).to.equal('English');
    for (const { name } of others) expect(name).to.match(/\(.+\)$/);
  });

  it('parse without an error, segment by segment, and last as long as the video', () => {
    expect(walked.breaches).to.deep.equal([]);
    for (const { seconds, language } of walked.tracks) expect(seconds, language).to.be.closeTo(25, 0.1);
  });

  it('are cues that people can read: two lines of 42, a second or more, and none over another', () => {
    for (const { language, cues } of walked.tracks) {
      expect(cues.length, language).to.be.at.least(SPOKEN.length);
      for (const [index, cue] of cues.entries()) {
        const lines = cue.text.split('\n');
        expect(lines.length, cue.text).to.be.at.most(2);
        for (const line of lines) expect([...line].length, line).to.be.at.most(42);
        expect(cue.end - cue.start, cue.text).to.be.within(0.99, 7.01);
        if (index > 0) expect(cue.start).to.be.at.least((cues[index - 1]?.end ?? 0) - 0.001);
      }
    }
  });

  it('begin when the speech begins, within 300 ms', () => {
    const cues = walked.tracks.find(({ language }) => language === 'en')?.cues ?? [];
    const off = SPOKEN.map(([second]) => Math.min(...cues.map(({ start }) => Math.abs(start - second))));
    expect(off.filter((seconds) => seconds <= 0.3).length, off.join(' ')).to.be.at.least(0.9 * SPOKEN.length);
  });

  it('say in English what was said, and in Spanish what it means', () => {
    const said = (language: string): string =>
      (walked.tracks.find((track) => track.language === language)?.cues ?? [])
        .map(({ text }) => text)
        .join(' ')
        .toLowerCase();
    expect(said('en')).to.include('goalkeeper').and.include('winning').and.include('championship match');
    expect(said('es')).to.include('campeonato').and.not.include('championship');
  });

  it('are skipped for want of speech where nobody speaks, and the video is live all the same', async function () {
    this.timeout(300_000);
    const toned = pairs.find(({ height, audio }) => height === 240 && audio !== null);
    const silent = await publish(await makeSample(toned ?? pairs[0]!));
    expect(silent.status, JSON.stringify(silent.failure)).to.equal('ready');
    // Languages without a path from English have none whatever the speech.
    expect(await reasons(silent.id)).to.have.members(['skipped no_speech', 'skipped no_path']);
  });

  it('are skipped for a language that no engine hears, and the video is live all the same', async function () {
    this.timeout(300_000);
    const foreign = await publish(await makeClip(), { language_code: 'xx' });
    expect(foreign.status).to.equal('ready');
    expect(await reasons(foreign.id)).to.deep.equal(['skipped language_unsupported']);
  });
});
