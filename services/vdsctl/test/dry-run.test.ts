/** Dry runs: they print what would be done, fail as the verb itself would, and change nothing. */
import { expect } from 'chai';
import {
  ctl,
  allRows,
  FAILED,
  json,
  newVideoId,
  NO_KEY,
  publisher,
  READY,
  completeStage,
  useStack,
  video,
  type IssuedJson,
} from './harness.ts';

describe('a dry run of vdsctl', function () {
  this.timeout(60_000);
  useStack();

  /** The text after `would`. */
  const would = async (line: string, ...more: string[]): Promise<string> => {
    const { exit, out, err } = await ctl(line, [...more, '--reason', 'x', '--dry-run']);
    expect(exit, err).to.equal(0);
    expect(out).to.match(/^would .+\n$/);
    return out.slice('would '.length, -1);
  };

  it('a dry run prints the effect of every verb and changes nothing', async () => {
    const id = await publisher();
    const { key } = await json<IssuedJson>(`key issue ${id} --reason x`);
    const [failed, ready, held] = [
      await video('failed', FAILED),
      await video('ready', READY),
      await video('processing'),
    ];
    await json(`video hold ${held} --reason x`);
    await completeStage(ready, 'metadata');
    const before = await allRows();
    expect(await would('publisher create Other --organization', 'Other Ltd')).to.equal(
      "create the publisher 'Other' of 'Other Ltd'",
    );
    expect(await would(`publisher rename ${id} --name`, 'The League')).to.equal(
      `rename publisher ${id} from 'League' of 'Sports' to 'The League' of 'Sports'`,
    );
    expect(await would(`publisher budget ${id} --media-minutes 600 --stored-bytes 2TB`)).to.equal(
      `change the budgets of publisher ${id} from no budgets to 600 minutes of video a day, 2000000000000 bytes stored`,
    );
    expect(await would(`key issue ${id} --scopes videos:read --minute-limit 7`)).to.equal(
      `issue a key to ${id}: videos:read, 7 per minute, 500 per day`,
    );
    expect(await would(`key rotate ${key.id}`)).to.equal(`replace key ${key.id} and revoke it at once`);
    expect(await would(`key revoke ${key.id}`)).to.equal(`revoke key ${key.id} at once`);
    expect(await would(`key limits ${key.id} --minute-limit 1`)).to.equal(
      `change the limits of key ${key.id} from 60 per minute, 500 per day to 1 per minute, 500 per day`,
    );
    expect(await would('signing-key rotate')).to.match(/^publish the next signing key, which signs from \d{4}-/);
    expect(await would(`video retry ${failed}`)).to.equal(`start attempt 2 of video ${failed}`);
    expect(await would(`video hold ${ready}`)).to.equal(`hold video ${ready}: ready → archived, held`);
    expect(await would(`video hold ${held}`)).to.equal(`change nothing: video ${held} is processing, held`);
    expect(await would(`video release ${held}`)).to.equal(`release video ${held}: processing, held → processing`);
    expect(await would(`video remove vid_${ready}`)).to.equal(`remove video ${ready}: ready → deleted`);
    expect(await would(`video rerun ${ready} --stage metadata`)).to.equal(
      `request revision 1 of metadata of video ${ready}`,
    );
    expect(await allRows()).to.equal(before);
  });

  it('a dry run that fails prints the message and exit code of the verb itself', async () => {
    const id = await publisher();
    const { key } = await json<IssuedJson>(`key issue ${id} --reason x`);
    await json(`key revoke ${key.id} --reason x`);
    const [ready, deleted] = [await video('ready', READY), await video('deleted')];
    await completeStage(ready, 'captions');
    const before = await allRows();
    const lines = [
      ['publisher create \u0007 --organization Other', 2],
      [`publisher rename pub_none --name x`, 3],
      [`publisher rename ${id} --name ${'x'.repeat(201)}`, 2],
      [`publisher budget pub_none --media-minutes 1`, 3],
      [`publisher budget ${id} --fetched-bytes 1.5GB`, 2],
      ['key issue pub_none', 3],
      [`key issue ${id} --scopes videos:all`, 2],
      [`key issue ${id} --minute-limit 10001`, 2],
      [`key rotate ${key.id}`, 1],
      [`key rotate ${NO_KEY}`, 3],
      [`key revoke ${NO_KEY}`, 3],
      [`key limits ${key.id} --daily-limit 5`, 1],
      [`key limits ${NO_KEY} --daily-limit 5`, 3],
      [`video retry ${ready}`, 1],
      [`video hold ${deleted}`, 1],
      [`video release ${deleted}`, 1],
      [`video retry ${newVideoId()}`, 3],
      [`video hold ${newVideoId()}`, 3],
      [`video rerun ${ready} --stage metadata`, 1],
      ...['fetch', 'inspect', 'encode', 'nothing'].map(
        (stage) => [`video rerun ${ready} --stage ${stage}`, 1] as const,
      ),
      [`video rerun ${deleted} --stage captions`, 1],
    ] as const;
    for (const [line, exit] of lines) {
      const dry = await ctl(`${line} --reason x --dry-run`);
      expect(dry, line).to.include({ exit, out: '' });
      expect(await ctl(`${line} --reason x`), line).to.deep.equal(dry);
    }
    expect(await allRows()).to.equal(before);
  });

  it('a dry run of a second revocation prints that nothing would change', async () => {
    const { key } = await json<IssuedJson>(`key issue ${await publisher()} --reason x`);
    await json(`key revoke ${key.id} --reason x`);
    expect(await would(`key revoke ${key.id}`)).to.match(/^change nothing: key \w{24} is revoked \d{4}-/);
  });

  it('a dry run with --json prints JSON', async () => {
    const id = await video('ready', READY);
    expect(await json(`video hold ${id} --reason x --dry-run`)).to.deep.equal({
      dry_run: true,
      would: `hold video ${id}: ready → archived, held`,
      was: 'ready',
      becomes: 'archived, held',
    });
  });
});
