/** Staff corrects captions with vdsctl; viewers, searches and translations get it within seconds, and the audit has it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { until } from '@vds/testkit/until';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { spokenClip } from '../chaos/short-clips.ts';
import { appsOf, bare, type Apps } from '../harness/apps-client.ts';
import type { HostTarget } from '../harness/host/host.ts';
import { theHost } from '../harness/shared-target.ts';
import { walkTracks } from '../hls/tracks.ts';

type Entry = Readonly<Record<'actor' | 'action' | 'was' | 'became' | 'reason' | 'at' | 'publisher_id', string>>;

describe('corrections of captions', () => {
  let target: HostTarget;
  let apps: Apps;
  let id: string;
  let hlsUrl: string;

  before(async function () {
    this.timeout(300_000);
    target = await theHost(this);
    apps = appsOf(target.site);
    const partner = await target.newPartner('Corrected');
    id = await partner.submit(await target.serve(await spokenClip()), { title: 'A test', language_code: 'en' });
    const { status, failure } = await partner.settled(id);
    expect(status, JSON.stringify(failure)).to.equal('ready');
    const { playback } = await partner.tracksSettled(id);
    const token = await target.mint(playback?.playback_id ?? '', 600_000);
    hlsUrl = `${playback?.hls_url}?token=${token}`;
    await until(() => apps.finds('striker', id), { capMs: 60_000, what: 'the spoken words in search' });
  });
  after(() => apps?.close());

  async function staff(...line: string[]): Promise<string> {
    const written = { out: '', err: '' };
    const exit = await vdsctl(line, {
      environment: parseEnv(readFileSync(join(target.stack.dir, 'vdsctl.env'), 'utf8')) as Record<string, string>,
      out: (text) => void (written.out += text),
      err: (text) => void (written.err += text),
    });
    expect(exit, written.err).to.equal(0);
    return written.out;
  }
  /** What a viewer who opens the video now reads in a language. */
  async function shown(language: string): Promise<string> {
    const { tracks } = await walkTracks(hlsUrl);
    return (tracks.find((track) => track.language === language)?.cues ?? []).map(({ text }) => text).join('\n');
  }
  /** What a search shows of the video's captions: it is found by meaning, too. */
  async function foundIn(word: string): Promise<string> {
    const { hits } = await apps.search(word, { limit: 50 });
    const snippets = hits.filter(({ item }) => item?.videoId === bare(id)).flatMap((hit) => hit.snippets);
    return snippets.map(({ text }) => text).join('\n');
  }
  async function secondsUntil(what: string, isSo: () => Promise<boolean>, since: number): Promise<string> {
    await until(isSo, { capMs: 30_000, everyMs: 50, what });
    return `${what} after ${((performance.now() - since) / 1_000).toFixed(1)} s`;
  }
  /** Waits until viewers, search and translations have `name`, which no engine translates. */
  async function reaches(name: string): Promise<void> {
    const since = performance.now();
    const reached = await Promise.all([
      secondsUntil('player', async () => (await shown('en')).includes(name), since),
      secondsUntil('search', async () => (await foundIn(name)).includes(name), since),
      secondsUntil('Spanish', async () => (await shown('es')).includes(name), since),
      secondsUntil('Italian', async () => (await shown('it')).includes(name), since),
    ]);
    console.log(`      ${reached.join(', ')}`);
  }
  async function audited(action: string): Promise<Entry> {
    const found = async () =>
      (JSON.parse(await staff('audit', '--video', id, '--json')) as { entries: Entry[] }).entries.filter(
        (entry) => entry.action === action,
      );
    await until(async () => (await found()).length > 0, { capMs: 30_000, what: `${action} in the audit` });
    const entries = await found();
    expect(entries, JSON.stringify(entries)).to.have.lengthOf(1);
    return entries[0] ?? expect.fail();
  }

  it('a fixed cue reaches the player, search and every translation, and the audit tells who changed which cue', async function () {
    this.timeout(120_000);
    expect(await shown('en')).to.include('striker');
    const by = ['--actor', 'ann', '--reason', 'a wrong name'];
    const begun = Date.now();
    await staff('captions', 'fix', id, 'en', '--cue', '1', '--text', 'Deniz Undav scores the winning goal.', ...by);
    await reaches('Undav');
    expect(await shown('en')).not.to.include('striker');
    const isGone = async () => !(await foundIn('striker')).includes('striker');
    await until(isGone, { capMs: 30_000, what: 'the old word leaves search' });
    const entry = await audited('captions fix cue 1 of en');
    expect(entry).to.include({ actor: 'ann', reason: 'a wrong name' });
    expect(Date.parse(entry.at)).to.be.within(begun - 2_000, Date.now());
    const revisions = [entry.was, entry.became].map((state) => /^ready, captions revision (\d+)$/.exec(state)?.[1]);
    expect(Number(revisions[1])).to.equal(Number(revisions[0]) + 1);
  });

  it('a replaced track does too, and stays through a rerun', async function () {
    this.timeout(120_000);
    const file = join(target.scratch('corrected'), '..', 'corrected.srt');
    writeFileSync(
      file,
      (await staff('captions', 'export', id, 'en', '--format', 'srt')).replace(/Deniz Undav/, 'Zinedine'),
    );
    await staff('captions', 'replace', id, 'en', '--file', file, '--actor', 'bob', '--reason', 'another name');
    await reaches('Zinedine');
    expect(await audited('captions replace en')).to.include({ actor: 'bob', reason: 'another name' });
    await staff('captions', 'rerun', id, '--language', 'es', '--actor', 'bob', '--reason', 'engines');
    expect(await shown('en')).to.include('Zinedine');
  });
});
