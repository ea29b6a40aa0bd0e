/** The exit code of every verb: 0 done, 1 rejected, failed or unreachable, 2 wrong usage, 3 not found. */
import { expect } from 'chai';
import { KNOWN_VIDEO, startStageServers } from './stage-servers.ts';
import {
  ctl,
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

const UNREACHABLE = '127.0.0.1:1';

/** A command line for each exit code of a verb. */
type Examples = {
  readonly done: string;
  /** Rejected by the service; absent for verbs that cannot be rejected. */
  readonly rejected?: string;
  readonly wrong: string;
  /** Names something that does not exist; absent for verbs without such an argument. */
  readonly notFound?: string;
};

const why = '--reason x';

/** The verbs of auth, in this order: later command lines may depend on earlier ones. */
async function authVerbs(): Promise<Readonly<Record<string, Examples>>> {
  const id = await publisher();
  const issue = async () => (await json<IssuedJson>(`key issue ${id} --reason x`)).key.id;
  const [key, rotated, revoked] = [await issue(), await issue(), await issue()];
  await json(`key revoke ${revoked} --reason x`);
  return {
    'publisher create': { done: `publisher create A --organization B ${why}`, wrong: `publisher create A ${why}` },
    'publisher rename': {
      done: `publisher rename ${id} --name C ${why}`,
      wrong: `publisher rename ${id} ${why}`,
      notFound: `publisher rename pub_none --name C ${why}`,
    },
    'publisher suspend': {
      done: `publisher suspend ${id} ${why}`,
      wrong: `publisher suspend ${id}`,
      notFound: `publisher suspend pub_none ${why}`,
    },
    'publisher resume': {
      done: `publisher resume ${id} ${why}`,
      wrong: `publisher resume ${id}`,
      notFound: `publisher resume pub_none ${why}`,
    },
    'staff add': { done: `staff add p${id.slice(4).toLowerCase()} ${why}`, wrong: `staff add NO ${why}` },
    'staff list': { done: 'staff list', wrong: 'staff list extra' },
    'staff revoke': {
      done: `staff revoke p${id.slice(4).toLowerCase()} ${why}`,
      wrong: 'staff revoke',
      notFound: `staff revoke nobody ${why}`,
    },
    'publisher list': { done: 'publisher list', wrong: 'publisher list extra' },
    'publisher show': { done: `publisher show ${id}`, wrong: 'publisher show', notFound: 'publisher show pub_none' },
    'key issue': {
      done: `key issue ${id} ${why}`,
      wrong: `key issue ${id} --scopes videos:all ${why}`,
      notFound: `key issue pub_none ${why}`,
    },
    'key rotate': {
      done: `key rotate ${rotated} ${why}`,
      rejected: `key rotate ${rotated} ${why}`,
      wrong: `key rotate ${key}`,
      notFound: `key rotate ${NO_KEY} ${why}`,
    },
    'key limits': {
      done: `key limits ${key} --daily-limit 9 ${why}`,
      rejected: `key limits ${revoked} --daily-limit 9 ${why}`,
      wrong: `key limits ${key} ${why}`,
      notFound: `key limits ${NO_KEY} --daily-limit 9 ${why}`,
    },
    'key revoke': {
      done: `key revoke ${key} ${why}`,
      wrong: `key revoke ${key}`,
      notFound: `key revoke ${NO_KEY} ${why}`,
    },
    'key list': { done: `key list ${id}`, wrong: 'key list', notFound: 'key list pub_none' },
    'key show': { done: `key show ${key}`, wrong: 'key show', notFound: `key show ${NO_KEY}` },
    'signing-key rotate': { done: `signing-key rotate --dry-run ${why}`, wrong: 'signing-key rotate' },
    audit: { done: `audit --publisher ${id}`, wrong: 'audit --since never', notFound: 'audit --publisher pub_none' },
  };
}

/** The verbs of catalog, likewise. */
async function catalogVerbs(): Promise<Readonly<Record<string, Examples>>> {
  const empty = newVideoId();
  const [failed, ready, deleted] = [await video('failed', FAILED), await video('ready', READY), await video('deleted')];
  await completeStage(ready, 'metadata');
  const change = (verb: string): Examples => ({
    done: `video ${verb} ${ready} ${why}`,
    ...(verb !== 'remove' && { rejected: `video ${verb} ${deleted} ${why}` }),
    wrong: `video ${verb} ${ready}`,
    notFound: `video ${verb} ${empty} ${why}`,
  });
  return {
    'video show': { done: `video show ${ready}`, wrong: 'video show', notFound: `video show ${empty}` },
    'video history': { done: `video history ${ready}`, wrong: 'video history', notFound: `video history ${empty}` },
    'video list': {
      done: 'video list --sport tennis --since 1h',
      wrong: 'video list --since x',
      notFound: 'video list --publisher pub_none',
    },
    'video preview': {
      done: `video preview ${ready} ${why}`,
      rejected: `video preview ${failed} ${why}`,
      wrong: 'video preview',
      notFound: `video preview ${empty} ${why}`,
    },
    'token mint': {
      done: `token mint ${ready}`,
      rejected: `token mint ${failed}`,
      wrong: 'token mint',
      notFound: `token mint ${empty}`,
    },
    'video rerun': {
      done: `video rerun ${ready} --stage metadata ${why}`,
      rejected: `video rerun ${ready} --stage encode ${why}`,
      wrong: `video rerun ${ready} ${why}`,
      notFound: `video rerun ${empty} --stage metadata ${why}`,
    },
    'video retry': { ...change('retry'), done: `video retry ${failed} ${why}` },
    'video hold': change('hold'),
    'video release': change('release'),
    'video remove': change('remove'),
  };
}

async function verbs(): Promise<readonly Examples[]> {
  return Object.values({ ...(await authVerbs()), ...(await catalogVerbs()) });
}

/** Fails unless the text is one JSON document with snake_case names. */
function oneDocument(text: string, line: string): unknown {
  const document = JSON.parse(text) as unknown;
  const names = [...text.matchAll(/^ *"([A-Za-z_]+)":/gm)].map((match) => match[1]);
  for (const name of names) expect(name, line).to.match(/^[a-z_]+$/);
  return document;
}

describe('the exit codes of vdsctl', function () {
  this.timeout(60_000);
  useStack();

  /** Runs the line and checks its exit code and its output, as text or as JSON. */
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
    it(`every verb of vdsctl exits with its documented codes, in ${as}`, async () => {
      for (const { done, rejected, wrong, notFound } of await verbs()) {
        await ends(done, 0, as);
        if (rejected !== undefined) await ends(rejected, 1, as);
        await ends(wrong, 2, as);
        if (notFound !== undefined) await ends(notFound, 3, as);
      }
    });

  it('vdsctl exits with 1 while a service is unreachable, and prints its address and the remedy', async () => {
    const unreachable = { VDSCTL_AUTH: UNREACHABLE, VDSCTL_CATALOG: UNREACHABLE };
    for (const { done } of await verbs()) {
      const { exit, out, err } = await ctl(done, [], unreachable);
      expect({ exit, out }, done).to.deep.equal({ exit: 1, out: '' });
      expect(err, done).to.match(
        /^vdsctl: (auth|catalog) cannot be reached at dns:\/\/\/127\.0\.0\.1:1\. Check that it runs/,
      );
    }
    const refused = await ctl('publisher list', [], { VDSCTL_TOKEN: 'wrong' });
    expect(refused.exit).to.equal(1);
    expect(refused.err).to.contain('rejects the token').and.contain('VDSCTL_TOKEN').and.not.contain('wrong');
  });

  it('vdsctl exits with 2 for an unknown verb and prints the list of verbs', async () => {
    expect((await ctl('video hodl x')).err)
      .to.contain('Did you mean hold?')
      .and.contain("'vdsctl video' has the verbs ");
    expect((await ctl('publishers')).err)
      .to.contain('Did you mean publisher?')
      .and.contain("'vdsctl' has the verbs organization, publisher, key");
    const { exit, err } = await ctl('key --json');
    expect(exit).to.equal(2);
    expect(JSON.parse(err)).to.have.nested.property('error.message').that.includes('issue, rotate, revoke');
  });

  it('a change whose reason or actor is missing, blank or contains control characters exits with 2', async () => {
    const id = await video('ready');
    for (const line of [`video hold ${id} --reason`, `video hold ${id} --actor`])
      for (const blank of ['', '  ', 'a\u001b[2Jb']) {
        const rest = line.endsWith('reason') ? [blank] : [blank, '--reason', 'x'];
        expect(await ctl(line, rest), line).to.include({ exit: 2, out: '' });
      }
    expect(await ctl(`video hold ${id} --reason x`, [], { USER: '' })).to.include({ exit: 2, out: '' });
  });

  it('the verbs of captions, metadata and indexer exit with the documented codes', async () => {
    const servers = await startStageServers();
    try {
      for (const line of ['captions show', 'metadata show', 'index show'])
        for (const [id, exit] of [
          [KNOWN_VIDEO, 0],
          ['x', 3],
          ['', 2],
        ] as const) {
          const commandLine = `${line} ${id} --json`.replace('  ', ' ');
          const ended = await ctl(commandLine, [], servers.environment);
          expect(ended.exit, commandLine).to.equal(exit);
          oneDocument(exit === 0 ? ended.out : ended.err, commandLine);
        }
      const failed = await ctl('languages', [], { VDSCTL_CAPTIONS: UNREACHABLE });
      expect(failed.err).to.contain('captions cannot be reached at').and.contain('VDSCTL_CAPTIONS');
    } finally {
      await servers.close();
    }
  });
});
