import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { KNOWN_VIDEO, startStageServers } from './stage-servers.ts';
import { vdsctl } from '../src/inbound/vdsctl.ts';

describe('vdsctl captions, languages, metadata, index and reindex', function () {
  this.timeout(20_000);
  let servers: Awaited<ReturnType<typeof startStageServers>>;
  const UNKNOWN_VIDEO = '01jd3m8q0c7e5b9x2k4n6p8zzz';

  before(async () => {
    servers = await startStageServers();
  });
  after(async () => await servers.close());
  beforeEach(() => void servers.requests.splice(0));

  const ctl = async (line: string, more: readonly string[] = [], environment = {}) => {
    const written = { out: '', err: '' };
    const exit = await vdsctl([...line.split(' '), ...more], {
      environment: { ...servers.environment, ...environment },
      out: (text) => void (written.out += `${text}\n`),
      err: (text) => void (written.err += `${text}\n`),
      now: () => new Date('2030-01-01T00:00:12.000Z'),
    });
    return { exit, ...written };
  };
  const json = async (line: string, ...more: string[]): Promise<unknown> => {
    const { exit, out, err } = await ctl(`${line} --json`, more);
    expect(exit, err).to.equal(0);
    return JSON.parse(out);
  };

  it('captions show prints every track with its status, reason and translation path', async () => {
    const { exit, out } = await ctl(`captions show vid_${KNOWN_VIDEO}`);
    expect(exit).to.equal(0);
    expect(out)
      .to.match(/^fr +subtitles +ready +– +en → ca → fr +French \(machine\)$/m)
      .and.match(/^de +subtitles +skipped +no_path +– +German$/m);
    expect(await json(`captions show ${KNOWN_VIDEO}`)).to.have.nested.property('state.transcript_revision', 1);
  });

  it('captions rerun requests the named tracks, with actor and reason', async () => {
    await json(`captions rerun ${KNOWN_VIDEO} --language de --language it --reason`, 'a new engine');
    const request = {
      videoId: KNOWN_VIDEO,
      languages: ['de', 'it'],
      overwriteCorrected: false,
      actor: 'sam',
      reason: 'a new engine',
    };
    expect(servers.requests).to.deep.equal([{ method: 'RerunTracks', request }]);
  });

  it('a dry run of captions rerun names the tracks and requests none', async () => {
    expect((await ctl(`captions rerun ${KNOWN_VIDEO} --dry-run --reason x`)).out).to.equal(
      `would generate de, it of ${KNOWN_VIDEO} again\n`,
    );
    expect((await ctl(`captions rerun ${KNOWN_VIDEO} --dry-run --reason x --language en`)).out).to.include(
      'generate en of',
    );
    expect(await ctl(`captions rerun ${KNOWN_VIDEO} --dry-run --reason x --language xx`)).to.include({ exit: 2 });
    expect(servers.requests).to.deep.equal([]);
  });

  it('captions show and export print the cues of a track, as text and as files that replace takes', async () => {
    expect((await ctl(`captions show ${KNOWN_VIDEO} --language fr`)).out)
      .to.match(/^cues +2$/m)
      .and.match(/^2 +01:02:03\.004 +01:02:04\.000 +The end\.$/m);
    expect((await ctl(`captions export ${KNOWN_VIDEO} fr`)).out).to.equal(
      'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nGoal by\nA &amp; B &lt;3&gt;\n\n2\n01:02:03.004 --> 01:02:04.000\nThe end.\n',
    );
    expect((await ctl(`captions export ${KNOWN_VIDEO} fr --format srt`)).out).to.equal(
      '1\n00:00:01,000 --> 00:00:02,500\nGoal by\nA & B <3>\n\n2\n01:02:03,004 --> 01:02:04,000\nThe end.\n',
    );
    expect(await ctl(`captions export ${KNOWN_VIDEO} xx`)).to.include({ exit: 3 });
  });

  it('captions replace sends a file, and fix one cue by its time or number; a dry run only checks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vds-captions-'));
    const file = join(folder, 'fr.srt');
    writeFileSync(file, '1\n00:00:01,000 --> 00:00:02,000\nBonjour\n');
    try {
      const by = { actor: 'sam', reason: 'names' };
      const usual = { videoId: KNOWN_VIDEO, language: 'fr', ...by };
      const why = ['--reason', 'names'];
      expect(await ctl(`captions replace ${KNOWN_VIDEO} fr --file ${file}`, why)).to.include({ exit: 0 });
      expect(
        (await ctl(`captions fix ${KNOWN_VIDEO} fr --at 00:01:02.500 --dry-run --text`, ['Oui !', ...why])).out,
      ).to.include('would fix the cue shown at 00:01:02.500 of fr');
      expect(await ctl(`captions fix ${KNOWN_VIDEO} fr --cue 3 --text`, ['Oui !', ...why])).to.include({ exit: 0 });
      expect(servers.requests.map(({ request }) => request)).to.deep.equal([
        { ...usual, file: '1\n00:00:01,000 --> 00:00:02,000\nBonjour\n', fix: null, validateOnly: false },
        { ...usual, file: '', fix: { number: 0, atMs: 62_500, text: 'Oui !' }, validateOnly: true },
        { ...usual, file: '', fix: { number: 3, atMs: 0, text: 'Oui !' }, validateOnly: false },
      ]);
      for (const wrong of ['', '--at 1 --cue 1', '--at soon'])
        expect(await ctl(`captions fix ${KNOWN_VIDEO} fr --text x --reason x ${wrong}`.trim())).to.include({ exit: 2 });
      expect(await ctl(`captions replace ${KNOWN_VIDEO} fr --file ${folder}/none --reason x`)).to.include({ exit: 2 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('languages counts the translations of each spoken language, and queries the engines again only with --refresh', async () => {
    const { out } = await ctl('languages');
    expect(out)
      .to.match(/^en +1 of 2 +0 +de$/m)
      .and.match(/^ko +2 of 2 +2 +–$/m)
      .and.include('vdsctl languages <spoken language>');
    expect(await json('languages --refresh')).to.deep.include({ speech_languages: ['en', 'ko'] });
    expect(servers.requests.map(({ request }) => request)).to.deep.equal([{ refresh: false }, { refresh: true }]);
  });

  it('languages prints the paths from one spoken language, and which of them begin with the speech engine', async () => {
    expect((await ctl('languages en')).out)
      .to.match(/^fr +en → ca → fr$/m)
      .and.match(/^de +no path$/m)
      .and.not.include('speech');
    expect((await ctl('languages ko')).out)
      .to.match(/^fr +ko → en \(by speech\) → ca → fr$/m)
      .and.include('By speech: the first step is from what is spoken to English');
    expect((await ctl('languages xx')).out).to.include('do not support xx');
    expect(((await json('languages ko')) as { routes: unknown[] }).routes).to.have.length(2);
  });

  it('metadata show prints chapters, key moments, scenes, on-screen text, topics with their evidence, labels and vectors', async () => {
    const { out } = await ctl(`metadata show ${KNOWN_VIDEO}`);
    expect(out)
      .to.match(/^0:00\.0–1:01\.5 +0:30\.0$/m)
      .and.match(/^SLOW MOTION +0:09\.0–0:14\.0 +93 %$/m)
      .and.match(/^goalkeeper +50 % +transcript 0:04\.2$/m)
      .and.match(/^audio:speech_share +sound +100 % +0\.63$/m)
      .and.match(/^First half +0:00\.0–1:01\.5 +file$/m)
      .and.match(/^Goal +0:04\.0–0:18\.0 +81 % +crowd, replay$/m)
      .and.match(/2 by small\/q4$/m);
    const shown = (await json(`metadata show ${KNOWN_VIDEO}`)) as { passages: unknown };
    expect(shown.passages).to.deep.equal([{ vector: 'Af8=' }, { at_ms: 4_200, vector: 'AgM=' }]);
  });

  it('index refresh prints the document unchanged, and its dry run names the version in the index', async () => {
    expect(await json(`index refresh vid_${KNOWN_VIDEO}`)).to.deep.equal({
      video_id: KNOWN_VIDEO,
      found: true,
      live: true,
      version: 4,
      document: { captions: { 'pt-BR': 'gol' } },
    });
    expect((await ctl(`index refresh ${KNOWN_VIDEO} --dry-run`)).out).to.include('holds version 3');
    expect(servers.requests).to.have.length(1);
  });

  it('index status prints the size of the index', async () => {
    expect((await ctl('index status')).out).to.match(/^megabytes +2\.5$/m);
  });

  it('reindex --follow prints the progress and waits for the end', async () => {
    const running = { state: 'running', toIndex: 'vds-videos-2', seen: 12 };
    servers.setReindexStatuses([
      { ...running, written: 5 },
      { state: 'done', toIndex: 'vds-videos-2', written: 12, seen: 12 },
    ]);
    const { exit, out, err } = await ctl('reindex --follow --reason', ['a new mapping']);
    expect(exit, err).to.equal(0);
    expect(err).to.equal('vds-videos-2: 5 written of 12 seen\n');
    expect(out).to.match(/^state +done$/m);
    expect(servers.requests).to.deep.equal([
      { method: 'StartReindex', request: { actor: 'sam', reason: 'a new mapping', force: false } },
    ]);
  });

  it('reindex --follow exits with 1 if the reindex fails', async () => {
    servers.setReindexStatuses([{ state: 'failed', error: 'the disk is full' }]);
    const { exit, err } = await ctl('reindex --follow --reason x');
    expect(exit).to.equal(1);
    expect(err).to.include('the disk is full');
  });

  it('a dry run of reindex starts none', async () => {
    expect((await ctl('reindex --dry-run --reason x')).out).to.include('beside vds-videos-1 (12 live videos)');
    expect(servers.requests).to.deep.equal([]);
  });

  it('jobs list prints the jobs of every service with stages, how often they crashed and what they wait for', async () => {
    const { exit, out, err } = await ctl('jobs list');
    expect(exit, err).to.equal(0);
    for (const service of ['ingest', 'transcode', 'captions', 'metadata'])
      expect(out)
        .to.match(
          new RegExp(
            `${service} +encode/piece-1 +ready +1\n +next try in 31 s · crashes: 2, quarantined · killed$`,
            'm',
          ),
        )
        .and.match(
          new RegExp(
            `${service} +encode/piece-2 +ready +1\n +next try in 31 s · waits for a missing object since 10 s$`,
            'm',
          ),
        );
    expect(servers.requests).to.have.length(4);
    const { jobs } = (await json('jobs list --service transcode')) as { jobs: unknown[] };
    expect(jobs).to.have.length(2);
    expect(jobs[1]).to.deep.include({ crashes: 0, blocked_by: 'missing', blocked_since: '2030-01-01T00:00:02.000Z' });
  });

  it('every verb with the id of an unknown video exits with 3', async () => {
    for (const line of [
      `captions show ${UNKNOWN_VIDEO}`,
      `captions rerun ${UNKNOWN_VIDEO} --reason x`,
      `metadata show ${UNKNOWN_VIDEO}`,
      `index show ${UNKNOWN_VIDEO}`,
    ])
      expect(await ctl(line), line).to.include({ exit: 3, out: '' });
  });

  it('wrong usage or a missing address exits with 2', async () => {
    for (const line of [
      'captions',
      'captions rerun',
      `captions rerun ${KNOWN_VIDEO}`,
      'reindex',
      'index fly',
      'metadata',
    ])
      expect(await ctl(line), line).to.include({ exit: 2, out: '' });
    const unset = await ctl('index status', [], { VDSCTL_INDEXER: undefined });
    expect(unset).to.include({ exit: 2 });
    expect(unset.err).to.include('VDSCTL_INDEXER is not set');
  });
});
