/** How every verb ends: 0 done, 1 refused, failed or out of reach, 2 the call is wrong, 3 there is no such thing. */
import { expect } from 'chai';
import { KNOWN, openStageDoors } from './stage-doors.ts';
import { ctl, FAILED, json, newVideoId, publisher, settle, useHouse, video, type IssuedJson } from './staff.ts';

const READY = ", playback_id = 'p' || id, duration_ms = 25000, ladder_key = 'l', thumbnail_key = 't', ended_at = now()";
const NO_KEY = 'n'.repeat(24);
const AWAY = '127.0.0.1:1';

type Ends = {
  /** Done as it stands. */
  readonly done: string;
  /** Refused by the service; left out where it refuses nothing. */
  readonly refused?: string;
  readonly wrong: string;
  /** Left out where nothing is named that could be absent. */
  readonly absent?: string;
};

const why = '--reason x';

/** The verbs of auth. Lines are tried in this order, and so may build on each other. */
async function authVerbs(): Promise<Readonly<Record<string, Ends>>> {
  const id = await publisher();
  const issue = async () => (await json<IssuedJson>(`key issue ${id} --reason x`)).key.id;
  const [key, rotated, revoked] = [await issue(), await issue(), await issue()];
  await json(`key revoke ${revoked} --reason x`);
  return {
    'publisher create': { done: `publisher create A --organization B ${why}`, wrong: `publisher create A ${why}` },
    'publisher rename': {
      done: `publisher rename ${id} --name C ${why}`,
      wrong: `publisher rename ${id} ${why}`,
      absent: `publisher rename pub_none --name C ${why}`,
    },
    'publisher list': { done: 'publisher list', wrong: 'publisher list extra' },
    'publisher show': { done: `publisher show ${id}`, wrong: 'publisher show', absent: 'publisher show pub_none' },
    'key issue': {
      done: `key issue ${id} ${why}`,
      wrong: `key issue ${id} --scopes videos:all ${why}`,
      absent: `key issue pub_none ${why}`,
    },
    'key rotate': {
      done: `key rotate ${rotated} ${why}`,
      refused: `key rotate ${rotated} ${why}`,
      wrong: `key rotate ${key}`,
      absent: `key rotate ${NO_KEY} ${why}`,
    },
    'key limits': {
      done: `key limits ${key} --daily-limit 9 ${why}`,
      refused: `key limits ${revoked} --daily-limit 9 ${why}`,
      wrong: `key limits ${key} ${why}`,
      absent: `key limits ${NO_KEY} --daily-limit 9 ${why}`,
    },
    'key revoke': {
      done: `key revoke ${key} ${why}`,
      wrong: `key revoke ${key}`,
      absent: `key revoke ${NO_KEY} ${why}`,
    },
    'key list': { done: `key list ${id}`, wrong: 'key list', absent: 'key list pub_none' },
    'key show': { done: `key show ${key}`, wrong: 'key show', absent: `key show ${NO_KEY}` },
    'signing-key rotate': { done: `signing-key rotate --dry-run ${why}`, wrong: 'signing-key rotate' },
    audit: { done: `audit --publisher ${id}`, wrong: 'audit --since never' },
  };
}

/** The verbs of catalog, in the same way. */
async function catalogVerbs(): Promise<Readonly<Record<string, Ends>>> {
  const empty = newVideoId();
  const [failed, ready, deleted] = [await video('failed', FAILED), await video('ready', READY), await video('deleted')];
  await settle(ready, 'metadata');
  const change = (verb: string): Ends => ({
    done: `video ${verb} ${ready} ${why}`,
    ...(verb !== 'remove' && { refused: `video ${verb} ${deleted} ${why}` }),
    wrong: `video ${verb} ${ready}`,
    absent: `video ${verb} ${empty} ${why}`,
  });
  return {
    'video show': { done: `video show ${ready}`, wrong: 'video show', absent: `video show ${empty}` },
    'video history': { done: `video history ${ready}`, wrong: 'video history', absent: `video history ${empty}` },
    'video list': { done: 'video list --publisher pub_1', wrong: 'video list' },
    'token mint': {
      done: `token mint ${ready}`,
      refused: `token mint ${failed}`,
      wrong: 'token mint',
      absent: `token mint ${empty}`,
    },
    'video repeat': {
      done: `video repeat ${ready} --stage metadata ${why}`,
      refused: `video repeat ${ready} --stage encode ${why}`,
      wrong: `video repeat ${ready} ${why}`,
      absent: `video repeat ${empty} --stage metadata ${why}`,
    },
    'video retry': { ...change('retry'), done: `video retry ${failed} ${why}` },
    'video hold': change('hold'),
    'video release': change('release'),
    'video remove': change('remove'),
  };
}

async function verbs(): Promise<readonly Ends[]> {
  return Object.values({ ...(await authVerbs()), ...(await catalogVerbs()) });
}

/** Fails unless the text is one JSON document whose names, where they are ours, have no capitals. */
function oneDocument(text: string, line: string): unknown {
  const document = JSON.parse(text) as unknown;
  const names = [...text.matchAll(/^ *"([A-Za-z_]+)":/gm)].map((match) => match[1]);
  for (const name of names) expect(name, line).to.match(/^[a-z_]+$/);
  return document;
}

describe('the exit codes of vdsctl', function () {
  this.timeout(60_000);
  useHouse();

  /** As the verb ends, in text or in JSON, and what it writes then. */
  const ends = async (line: string, exit: number, as: string): Promise<void> => {
    const ended = await ctl(as === 'JSON' ? `${line} --json` : line);
    expect(ended.exit, `${line}: ${ended.err}`).to.equal(exit);
    expect(exit === 0 ? ended.err : ended.out, line).to.equal('');
    expect(`${ended.out}${ended.err}`, line).to.not.match(/^ +at .*:\d+:\d+/m);
    if (as !== 'JSON') return;
    const document = oneDocument(exit === 0 ? ended.out : ended.err, line);
    if (exit !== 0)
      expect(document, line)
        .to.have.nested.property('error.code')
        .that.matches(/^[A-Z_]+$/);
  };

  for (const as of ['text', 'JSON'])
    it(`are the documented ones for every verb, in ${as}`, async () => {
      for (const { done, refused, wrong, absent } of await verbs()) {
        await ends(done, 0, as);
        if (refused !== undefined) await ends(refused, 1, as);
        await ends(wrong, 2, as);
        if (absent !== undefined) await ends(absent, 3, as);
      }
    });

  it('are 1 where a service is away, with its address and what to do', async () => {
    const away = { VDSCTL_AUTH: AWAY, VDSCTL_CATALOG: AWAY };
    for (const { done } of await verbs()) {
      const { exit, out, err } = await ctl(done, [], away);
      expect({ exit, out }, done).to.deep.equal({ exit: 1, out: '' });
      expect(err, done).to.match(
        /^vdsctl: (auth|catalog) cannot be reached at dns:\/\/\/127\.0\.0\.1:1\. See that it runs/,
      );
    }
    const refused = await ctl('publisher list', [], { VDSCTL_TOKEN: 'wrong' });
    expect(refused.exit).to.equal(1);
    expect(refused.err).to.contain('refuses the token').and.contain('VDSCTL_TOKEN').and.not.contain('wrong');
  });

  it('are 2 for a verb that there is not, with those that there are', async () => {
    expect((await ctl('video hodl x')).err)
      .to.contain('Did you mean hold?')
      .and.contain("'vdsctl video' knows ");
    expect((await ctl('publishers')).err)
      .to.contain('Did you mean publisher?')
      .and.contain("'vdsctl' knows publisher, key");
    const { exit, err } = await ctl('key --json');
    expect(exit).to.equal(2);
    expect(JSON.parse(err)).to.have.nested.property('error.message').that.includes('issue, rotate, revoke');
  });

  it('are 2 for a change without a reason or a name, in whatever form', async () => {
    const id = await video('ready');
    for (const line of [`video hold ${id} --reason`, `video hold ${id} --actor`])
      for (const blank of ['', '  ', 'a\u001b[2Jb']) {
        const rest = line.endsWith('reason') ? [blank] : [blank, '--reason', 'x'];
        expect(await ctl(line, rest), line).to.include({ exit: 2, out: '' });
      }
    expect(await ctl(`video hold ${id} --reason x`, [], { USER: '' })).to.include({ exit: 2, out: '' });
  });

  it('are these for the doors of the stages too', async () => {
    const doors = await openStageDoors();
    try {
      for (const line of ['captions show', 'metadata show', 'index show'])
        for (const [id, exit] of [
          [KNOWN, 0],
          ['x', 3],
          ['', 2],
        ] as const) {
          const given = `${line} ${id} --json`.replace('  ', ' ');
          const ended = await ctl(given, [], doors.environment);
          expect(ended.exit, given).to.equal(exit);
          oneDocument(exit === 0 ? ended.out : ended.err, given);
        }
      const away = await ctl('languages', [], { VDSCTL_CAPTIONS: AWAY });
      expect(away.err).to.contain('captions cannot be reached at').and.contain('VDSCTL_CAPTIONS');
    } finally {
      await doors.close();
    }
  });
});
