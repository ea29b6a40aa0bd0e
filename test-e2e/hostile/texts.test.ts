/**
 * Hostile texts in everything that a partner, a viewer or an engine writes: each is given back as it was sent or
 * refused by its field's name, and none becomes a line, a tag, a query or a command of something else.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import { AppError, messageOf } from '@vds/chassis/errors';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { auth } from '@vds/proto';
import { noTls } from '@vds/testkit/harness/rpc-callers';
import { vdsctl } from '@vds/vdsctl/inbound/vdsctl';
import { bare } from '../harness/apps-client.ts';
import type { VideoRecord } from '../harness/partner-client.ts';
import { walkTracks } from '../hls/tracks.ts';
import { walkHls } from '../hls/walk.ts';
import { named, type HostileText } from '@vds/testkit/hostile-texts';
import { readLogs } from './log-faults.ts';
import { captionFaults, playlistsOf, streamTexts } from './stream-texts.ts';
import { fits, textFields, valueOf, type TextField } from './text-fields.ts';
import { ORDINARY, SEED, texts, textsStack, type TextsStack } from './texts-stack.ts';

const MINUTE = 60_000;
const AT_A_TIME = 4;

type Posted = {
  readonly id?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly param?: string };
};

/** What is wrong with each text, some at a time; an error of the check is wrong too. */
async function faultsOf(check: (one: HostileText, index: number) => Promise<readonly string[]>): Promise<string[]> {
  const faults: string[] = [];
  const left = texts.entries();
  const lane = async (): Promise<void> => {
    for (const [index, one] of left) {
      const found = await check(one, index).then(
        (wrong) => wrong,
        (error: unknown) => [messageOf(error)],
      );
      faults.push(...found.map((fault) => `${named(one)}: ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  return faults;
}

describe('hostile texts', function () {
  this.timeout(5 * MINUTE);
  let stack: TextsStack;
  let pids: readonly string[];
  const pidsOf = () => stack.target.stack.processes.map(({ name, pid }) => `${name} ${pid()}`);

  before(async function () {
    this.timeout(10 * MINUTE);
    const from = performance.now();
    stack = await textsStack();
    pids = pidsOf();
    console.log(
      `      ${texts.length} texts (seed ${SEED}); the stack and 7 videos in ${Math.round((performance.now() - from) / 1_000)} s`,
    );
  });
  afterEach(() => {
    if (stack) expect(pidsOf()).to.deep.equal(pids);
  });

  /** An address without a file. */
  const absent = (): string => stack.target.origin.url('/absent.mp4');
  const post = (fields: object) =>
    stack.partner.call<Posted>('POST', '/v1/videos', { source_url: absent(), title: 'x', ...fields });
  /** What is wrong with the answer to fields of which the named one is not allowed. */
  const refusal = async (fields: object, field: string): Promise<string[]> => {
    const { status, body } = await post(fields);
    const { code, param = '', message = '' } = body.error ?? {};
    if (status === 400 && code === 'invalid_input' && param.startsWith(field) && message.startsWith(param)) return [];
    return [`${field} got ${status} ${JSON.stringify(body)}`];
  };

  describe('in the partner’s interface', () => {
    it('a text is given back as it was sent from every field that takes it, and refused by name from every other', async () => {
      let accepted = 0;
      const faults = await faultsOf(async ({ text }) => {
        const taking = textFields.filter((field) => fits(field, text));
        const wrong = await Promise.all(
          textFields
            .filter((field) => !taking.includes(field))
            .map((field) => refusal({ [field]: valueOf(field, text) }, field)),
        );
        const sent = Object.fromEntries(taking.map((field) => [field, valueOf(field, text)]));
        const { status, body } = await post(sent);
        if (status !== 202 || body.id === undefined) return [...wrong.flat(), `got ${status} ${JSON.stringify(body)}`];
        accepted += taking.length;
        const record: VideoRecord = await stack.partner.get(body.id);
        return [...wrong.flat(), ...differences(taking, sent, record)];
      });
      expectNone(faults);
      console.log(`      ${accepted} texts accepted, ${texts.length * textFields.length - accepted} refused`);
    });
  });

  describe('in streams and captions', () => {
    const addressOf = async ({ playback }: VideoRecord): Promise<string> =>
      `${playback?.hls_url}?token=${await stack.target.mint(playback?.playback_id ?? '')}`;

    it('the playlists of a video with hostile texts equal those of the same clip with an ordinary title', async () => {
      const ordinary = playlistsOf(await streamTexts(await addressOf(stack.ordinary)));
      expect(Object.keys(ordinary)).to.include('master.m3u8').and.to.have.length.at.least(2);
      for (const video of stack.hostile) {
        const address = await addressOf(video);
        expect(playlistsOf(await streamTexts(address)), video.title).to.deep.equal(ordinary);
        const { breaches } = await walkHls(address, stack.target.scratch(video.id));
        expect(breaches, video.title).to.deep.equal([]);
      }
    });

    it('what an engine hears or translates is text within a cue: no block, no tag and no cue of its own', async () => {
      expect(new Set(stack.spoken.captions?.map(({ status }) => status))).to.deep.equal(new Set(['ready']));
      const address = await addressOf(stack.spoken);
      const documents = [...(await streamTexts(address))].filter(([name]) => name.endsWith('.vtt'));
      expect(documents.flatMap(([name, text]) => captionFaults(name, text))).to.deep.equal([]);
      const { tracks, breaches } = await walkTracks(address);
      expect(breaches).to.deep.equal([]);
      expect(tracks).to.have.length(19);
      const seen = tracks.flatMap(({ cues }) => cues.map(({ text }) => text)).join('\n');
      for (const piece of ['-->', '<script>', '</c></v>', '#EXTM3U', '&amp;amp;', 'NOTE a comment'])
        expect(seen, 'what viewers read').to.include(piece);
      console.log(`      ${documents.length} caption files, ${tracks.flatMap(({ cues }) => cues).length} cues`);
    });
  });

  describe('in the apps’ queries', () => {
    const ids = () => new Set([...stack.hostile, stack.spoken].map(({ id }) => bare(id)));

    it('a search finds only videos with hostile texts and only by words, never by the syntax of the text', async () => {
      let [found, refused] = [0, 0];
      const faults = await faultsOf(async ({ text }) => {
        const reply = await answerOf(stack.apps.search(text, { limit: 50 }));
        if (reply === undefined) refused += 1;
        const hits = reply?.hits ?? [];
        found += hits.length;
        const hasWord = /[\p{L}\p{M}\p{N}_\p{Extended_Pictographic}]/u.test(text.normalize('NFKC'));
        const wrong = hits.filter(({ item }) => !hasWord || !ids().has(item?.videoId ?? ''));
        return wrong.map(({ item }) => `found ${JSON.stringify(item?.title)}`);
      });
      expectNone(faults);
      console.log(`      ${texts.length} searches: ${found} hits, ${refused} refused`);
    });

    it('a video is found by its own title, and shown with the texts as they were sent', async () => {
      for (const { id, title, summary, tags } of stack.hostile) {
        const { hits } = await stack.apps.search(title, { limit: 50 });
        const item = hits.find((hit) => hit.item?.videoId === bare(id))?.item;
        expect([item?.title, item?.summary, item?.tags]).to.deep.equal([title, summary, tags]);
      }
      expect(await stack.apps.finds(ORDINARY, stack.ordinary.id)).to.equal(true);
    });

    it('a text is no sport, publisher, language, cursor or video of a search, a feed or a recommendation', async () => {
      const { apps } = stack;
      const faults = await faultsOf(async ({ text }) => {
        const calls = {
          sport: apps.search('x', { sport: text }),
          category: apps.feed({ category: text }),
          publisher: apps.search(ORDINARY, { publisherId: text }).then(({ hits }) => hits),
          'publisher of a feed': apps.feed({ publisherId: text }).then(({ items }) => items),
          language: apps.search(`no${ORDINARY}`, { language: text }).then(({ hits }) => hits),
          cursor: text === '' ? Promise.resolve([]) : apps.search(ORDINARY, { cursor: text }),
          'cursor of a feed': text === '' ? Promise.resolve([]) : apps.feed({ cursor: text }),
          recommendation: apps.recommend(text),
        };
        const answers = await Promise.all(
          Object.entries(calls).map(async ([what, call]) => [what, await answerOf<unknown>(call)] as const),
        );
        return answers.flatMap(([what, answer]) =>
          answer === undefined || (Array.isArray(answer) && answer.length === 0)
            ? []
            : [`${what} got ${JSON.stringify(answer).slice(0, 200)}`],
        );
      });
      expectNone(faults);
    });
  });

  describe('at the operator', () => {
    const run = async (...argv: readonly string[]): Promise<string> => {
      const output: string[] = [];
      const io = {
        environment: {},
        out: (text: string) => output.push(text),
        err: (text: string) => output.push(text),
      };
      const exit = await vdsctl([...argv, '--env', join(stack.target.stack.dir, 'vdsctl.env')], io);
      expect(exit, output.join('\n')).to.equal(0);
      return output.join('\n');
    };
    /** What a terminal obeys; the lines of a table are its only controls. */
    const obeyed = /[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

    it('the name of an organization is given back as it was given or refused, never with a fault', async () => {
      const admin = rpcClient(auth.AuthAdmin, {
        target: stack.target.site.rpc('auth', 'adminRpc'),
        config: { rpcToken: stack.target.site.tokens.vdsctl, ...noTls },
      });
      const faults = await faultsOf(async ({ text }) => {
        const given = await answerOf(admin.CreatePublisher({ name: text, organization: text }));
        // A client of gRPC has no bytes for half of a surrogate pair, and sends something else.
        if (given === undefined || !text.isWellFormed()) return [];
        const isSame = given.name === text.trim() && given.organization === given.name;
        return isSame ? [] : [`became ${JSON.stringify([given.name, given.organization])}`];
      });
      await admin.close();
      expectNone(faults);
    });

    it('what vdsctl prints has nothing that a terminal obeys', async () => {
      const shows = [...stack.hostile, stack.spoken].flatMap(({ id }) => [
        ['video', 'show', id],
        ['video', 'history', id],
        ['captions', 'show', id],
      ]);
      const lists = [
        ['video', 'list', '--limit', '2000'],
        ['publisher', 'list'],
        ['organization', 'list'],
      ];
      for (const argv of [...lists, ...shows]) {
        const json = await run(...argv, '--json');
        for (const text of [await run(...argv), json])
          expect(obeyed.exec(text)?.[0], `${argv.join(' ')} prints`).to.equal(undefined);
        expect(() => JSON.parse(json) as unknown).to.not.throw();
      }
      const listed = await run('video', 'list', '--limit', '2000');
      expect(listed).to.include('\\u{1b}[2J').and.to.include('\\u{202e}gnp.exe');
    });

    it('every line of every log is one JSON object, without a raw control character', () => {
      const { lines, faults } = readLogs(stack.target.stack.processes, stack.logSizes);
      expectNone(faults);
      expect(lines).to.be.at.least(100);
      console.log(`      ${lines} lines of ${stack.target.stack.processes.length} processes`);
    });
  });
});

/** Where the record differs from what was sent. */
function differences(
  taking: readonly TextField[],
  sent: Readonly<Record<string, unknown>>,
  record: VideoRecord,
): string[] {
  return taking
    .filter((field) => JSON.stringify(record[field]) !== JSON.stringify(sent[field]))
    .map((field) => `${field} came back as ${JSON.stringify(record[field])}`);
}

/** A few of the faults: hundreds would hide each other. */
function expectNone(faults: readonly string[]): void {
  const few = faults.slice(0, 12).map((fault) => fault.slice(0, 400));
  expect(few, `${faults.length} faults (seed ${SEED})`).to.deep.equal([]);
}

/** What a call answers, or undefined where it refuses its argument. @throws for every other error */
async function answerOf<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_ARGUMENT') return undefined;
    throw error;
  }
}
