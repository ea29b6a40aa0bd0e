import { expect } from 'chai';
import { KNOWN, openStageDoors } from './stage-doors.ts';
import { vdsctl } from './vdsctl.ts';

describe('vdsctl captions, languages, metadata, index and reindex', function () {
  this.timeout(20_000);
  let doors: Awaited<ReturnType<typeof openStageDoors>>;
  const UNKNOWN = '01jd3m8q0c7e5b9x2k4n6p8zzz';

  before(async () => {
    doors = await openStageDoors();
  });
  after(async () => await doors.close());
  beforeEach(() => void doors.asked.splice(0));

  const ctl = async (line: string, more: readonly string[] = [], environment = {}) => {
    const written = { out: '', err: '' };
    const exit = await vdsctl([...line.split(' '), ...more], {
      environment: { ...doors.environment, ...environment },
      out: (text) => void (written.out += `${text}\n`),
      err: (text) => void (written.err += `${text}\n`),
    });
    return { exit, ...written };
  };
  const json = async (line: string, ...more: string[]): Promise<unknown> => {
    const { exit, out, err } = await ctl(`${line} --json`, more);
    expect(exit, err).to.equal(0);
    return JSON.parse(out);
  };

  it('shows every track with its status, its reason and its path', async () => {
    const { exit, out } = await ctl(`captions show vid_${KNOWN}`);
    expect(exit).to.equal(0);
    expect(out)
      .to.match(/^fr +subtitles +ready +– +en → ca → fr +French \(machine\)$/m)
      .and.match(/^de +subtitles +skipped +no_path +– +German$/m);
    expect(await json(`captions show ${KNOWN}`)).to.have.nested.property('state.transcript_revision', 1);
  });

  it('retries the tracks that are named, with who and why', async () => {
    await json(`captions retry ${KNOWN} --language de --language it --reason`, 'a new engine');
    const request = { videoId: KNOWN, languages: ['de', 'it'], actor: 'sam', reason: 'a new engine' };
    expect(doors.asked).to.deep.equal([{ method: 'RetryTracks', request }]);
  });

  it('says in a dry run which tracks would be made anew, and asks for none', async () => {
    expect((await ctl(`captions retry ${KNOWN} --dry-run --reason x`)).out).to.equal(
      `would make de, it of ${KNOWN} anew\n`,
    );
    expect((await ctl(`captions retry ${KNOWN} --dry-run --reason x --language en`)).out).to.include('make en of');
    expect(await ctl(`captions retry ${KNOWN} --dry-run --reason x --language xx`)).to.include({ exit: 2 });
    expect(doors.asked).to.deep.equal([]);
  });

  it('tells the ways between languages, and looks again only when asked to', async () => {
    const { out } = await ctl('languages');
    expect(out)
      .to.match(/^en +fr +en → ca → fr$/m)
      .and.match(/^en +de +no path$/m);
    expect(await json('languages --refresh')).to.deep.include({ speech_languages: ['en'] });
    expect(doors.asked.map(({ request }) => request)).to.deep.equal([{ refresh: false }, { refresh: true }]);
  });

  it('shows scenes, text on screen, topics with where they come from, and labels', async () => {
    const { out } = await ctl(`metadata show ${KNOWN}`);
    expect(out)
      .to.match(/^0:00\.0–1:01\.5 +0:30\.0$/m)
      .and.match(/^SLOW MOTION +0:09\.0–0:14\.0 +93 %$/m)
      .and.match(/^goalkeeper +50 % +transcript 0:04\.2$/m)
      .and.match(/^audio:speech_share +sound +100 % +0\.63$/m);
  });

  it('shows the document of a video as it is, and reads it anew', async () => {
    expect(await json(`index refresh vid_${KNOWN}`)).to.deep.equal({
      video_id: KNOWN,
      found: true,
      live: true,
      version: 4,
      document: { captions: { 'pt-BR': 'gol' } },
    });
    expect((await ctl(`index refresh ${KNOWN} --dry-run`)).out).to.include('has version 3');
    expect(doors.asked).to.have.length(1);
  });

  it('tells how much is in the index', async () => {
    expect((await ctl('index status')).out).to.match(/^megabytes +2\.5$/m);
  });

  it('follows a reindex to its end', async () => {
    const running = { state: 'running', toIndex: 'vds-videos-2', seen: 12 };
    doors.tell([
      { ...running, written: 5 },
      { state: 'done', toIndex: 'vds-videos-2', written: 12, seen: 12 },
    ]);
    const { exit, out, err } = await ctl('reindex --follow --reason', ['a new mapping']);
    expect(exit, err).to.equal(0);
    expect(err).to.equal('vds-videos-2: 5 written of 12 seen\n');
    expect(out).to.match(/^state +done$/m);
    expect(doors.asked).to.deep.equal([{ method: 'StartReindex', request: { actor: 'sam', reason: 'a new mapping' } }]);
  });

  it('ends with 1 where the reindex failed', async () => {
    doors.tell([{ state: 'failed', error: 'the disk is full' }]);
    const { exit, err } = await ctl('reindex --follow --reason x');
    expect(exit).to.equal(1);
    expect(err).to.include('the disk is full');
  });

  it('starts no reindex in a dry run', async () => {
    expect((await ctl('reindex --dry-run --reason x')).out).to.include('beside vds-videos-1 (12 live videos)');
    expect(doors.asked).to.deep.equal([]);
  });

  it('ends with 3 for what is not there', async () => {
    for (const line of [
      `captions show ${UNKNOWN}`,
      `captions retry ${UNKNOWN} --reason x`,
      `metadata show ${UNKNOWN}`,
      `index show ${UNKNOWN}`,
    ])
      expect(await ctl(line), line).to.include({ exit: 3, out: '' });
  });

  it('ends with 2 for a call that is wrong, or an address that nobody gave', async () => {
    for (const line of ['captions', 'captions retry', `captions retry ${KNOWN}`, 'reindex', 'index fly', 'metadata'])
      expect(await ctl(line), line).to.include({ exit: 2, out: '' });
    const lost = await ctl('index status', [], { VDSCTL_INDEXER: undefined });
    expect(lost).to.include({ exit: 2 });
    expect(lost.err).to.include('VDSCTL_INDEXER is not set');
  });
});
