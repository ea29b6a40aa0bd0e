/** Speech becomes captions and 18 translations, each with its true status, and they play with the video. */
import { expect } from 'chai';
import { SPOKEN } from '@vds/testkit/media/demo-clip-recipe';
import { smallSample } from '@vds/testkit/media/make-samples';
import { spokenClip } from '../chaos/short-clips.ts';
import { walkTracks, type WalkedTracks } from '../hls/tracks.ts';
import type { Target } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { theTarget } from '../harness/shared-target.ts';
import { spokenVideo } from './spoken-video.ts';

/** What apertium translates from English; it has no path to German and Japanese. */
const READY = 'es pt-BR fr it pt ca gl oc an ast sc eo frp ca-valencia oc-aranes oc-gascon'.split(' ');

describe('the captions of a video', () => {
  let target: Target;
  let partner: Partner;
  let record: VideoRecord;
  let walked: WalkedTracks;

  const publish = async (path: string, more: Record<string, unknown> = {}): Promise<VideoRecord> => {
    return partner.settled(await partner.submit(await target.serve(path), more));
  };
  const reasons = async (id: string): Promise<string[]> => {
    const { captions = [] } = await partner.tracksSettled(id);
    return [...new Set(captions.map(({ status, reason }) => `${status} ${reason}`))];
  };

  before(async function () {
    this.timeout(300_000);
    target = await theTarget();
    ({ partner, record } = await spokenVideo());
    const { playback_id: playbackId = '', hls_url: hlsUrl = '' } = record.playback ?? {};
    walked = await walkTracks(`${hlsUrl}?token=${await target.mint(playbackId)}`);
  });

  it('the record lists captions in the spoken language and 18 more, with status and reason', () => {
    const tracks = record.captions ?? [];
    expect(tracks).to.have.lengthOf(19);
    expect(tracks[0]).to.include({ language: 'en', kind: 'captions', status: 'ready', reason: null });
    expect(tracks.slice(1).every(({ kind }) => kind === 'subtitles')).to.equal(true);
    const ready = tracks.slice(1).filter(({ status }) => status === 'ready');
    expect(ready.map(({ language }) => language)).to.have.members(READY);
    for (const language of ['de', 'ja'])
      expect(tracks.find((track) => track.language === language)).to.include({ status: 'skipped', reason: 'no_path' });
  });

  it('the master playlist offers the ready captions, and machine translations are named as such', () => {
    expect(walked.tracks.map(({ language }) => language)).to.have.members(['en', ...READY]);
    const [english, ...others] = walked.tracks;
    expect(english?.name).to.equal('English');
    for (const { name } of others) expect(name).to.match(/\(.+\)$/);
  });

  it('every caption segment parses, and the tracks are as long as the video', () => {
    expect(walked.breaches).to.deep.equal([]);
    for (const { seconds, language } of walked.tracks) expect(seconds, language).to.be.closeTo(25, 0.1);
  });

  it('cues have at most two lines of 42 characters, last at least a second and do not overlap', () => {
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

  it('cues start within 300 ms of the speech', () => {
    const cues = walked.tracks.find(({ language }) => language === 'en')?.cues ?? [];
    const off = SPOKEN.map(([second]) => Math.min(...cues.map(({ start }) => Math.abs(start - second))));
    expect(off.filter((seconds) => seconds <= 0.3).length, off.join(' ')).to.be.at.least(0.9 * SPOKEN.length);
  });

  it('English captions have the spoken words, Spanish captions their translation', () => {
    const textIn = (language: string): string =>
      (walked.tracks.find((track) => track.language === language)?.cues ?? [])
        .map(({ text }) => text)
        .join(' ')
        .toLowerCase();
    expect(textIn('en')).to.include('goalkeeper').and.include('winning').and.include('championship match');
    expect(textIn('es')).to.include('campeonato').and.not.include('championship');
  });

  it('captions of a video without speech are skipped, and the video is live', async function () {
    this.timeout(300_000);
    const silent = await publish(await smallSample());
    expect(silent.status, JSON.stringify(silent.failure)).to.equal('ready');
    // Languages without a path from English have none whatever the speech.
    expect(await reasons(silent.id)).to.have.members(['skipped no_speech', 'skipped no_path']);
  });

  it('captions in a language without a speech engine are skipped, and the video is live', async function () {
    this.timeout(300_000);
    const foreign = await publish(await spokenClip(), { language_code: 'xx' });
    expect(foreign.status).to.equal('ready');
    expect(await reasons(foreign.id)).to.deep.equal(['skipped language_unsupported']);
  });
});
