/**
 * A stack whose every text is hostile: its speech and translation engines answer with hostile texts, and its videos
 * have them as titles, summaries and tags. One video beside them is ordinary: what must not be found, and what the
 * playlists of the others must equal.
 */
import { statSync } from 'node:fs';
import { expect } from 'chai';
import { startEngines } from '@vds/testkit/engines/engines';
import type { SpokenWord } from '@vds/testkit/engines/transcripts';
import { cached, ffmpeg } from '@vds/testkit/media/render';
import { until } from '@vds/testkit/until';
import { appsOf, type Apps } from '../harness/apps-client.ts';
import { openHost, type HostTarget } from '../harness/host/host.ts';
import type { Partner, VideoRecord } from '../harness/partner-client.ts';
import { cutTo } from '../fixtures/texts.ts';
import { shared } from '../harness/shared.ts';
import { hostileTexts } from '@vds/testkit/hostile-texts';
import { fits } from './text-fields.ts';

export const SEED = Number(process.env['VDS_HOSTILE_SEED'] ?? 1);
export const texts = hostileTexts(SEED);

/** A word of the ordinary video that no hostile text has, nor a similar one. */
export const ORDINARY = 'qwzxkvorf';

export type TextsStack = {
  readonly target: HostTarget;
  readonly partner: Partner;
  readonly apps: Apps;
  readonly ordinary: VideoRecord;
  /** Of the same clip as the ordinary one, with hostile texts. */
  readonly hostile: readonly VideoRecord[];
  /** What is spoken in it, and its translations, are hostile. */
  readonly spoken: VideoRecord;
  /** What each process has logged since the stack was opened, by its name. */
  readonly logSizes: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
};

const PICTURE = ['-f', 'lavfi', '-i', 'color=c=teal:s=320x180:r=10'];
const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=440'];
const ENCODING = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac'];
const SPOKEN_SECONDS = 200;
const LETTERS_A_SECOND = 40;
const HOSTILE_VIDEOS = 5;
const TAGS = 25;
/** Longer texts take too long to say, and an engine's translation may not be much longer than its sentence. */
const MAX_SAID = 60;

/** The stack with its videos, for all suites of a run. */
export const textsStack: () => Promise<TextsStack> = shared(openTextsStack, ({ close }) => close());

async function openTextsStack(): Promise<TextsStack> {
  await using opened = new AsyncDisposableStack();
  const engines = await startEngines({ shape: 'nested', words: wordsOf(), translate: translatorOf() });
  opened.defer(engines.close);
  const shortTimeouts = { TIME_SCALE: 'dependencyLimit=1s,retryDelays=200ms,surveyEvery=200ms' };
  const target = await openHost({
    suffix: 'texts',
    // These tests are about texts, not speed: generous timeouts suit a busy machine.
    env: {
      captions: { ...engines.environment, ...shortTimeouts },
      gateway: { TIME_SCALE: 'peerTimeout=25s' },
      // What is found shall be found by the words of a text, not by what is near it in meaning.
      indexer: { EMBEDDINGS_FOLDER: '/nowhere' },
    },
  });
  opened.defer(target.close);
  const logSizes = new Map(target.stack.processes.map(({ name, logFile }) => [name, statSync(logFile).size] as const));
  const apps = appsOf(target.stack, ['Search', 'Feed', 'Recommend']);
  opened.defer(apps.close);
  const partner = await target.newPartner('Texts');
  const videos = await publishAll(target, partner);
  const published = HOSTILE_VIDEOS + 2;
  const areFound = async (): Promise<boolean> => (await apps.feed({ limit: 50 })).items.length === published;
  await until(areFound, { what: 'every video in the feed', capMs: 60_000, everyMs: 500 });
  // From here on nothing is fetched: hundreds of records give texts back, and none of them needs a video.
  await target.site.end('ingest');
  const open = opened.move();
  return { target, partner, apps, logSizes, ...videos, close: () => open.disposeAsync() };
}

async function publishAll(target: HostTarget, partner: Partner) {
  const silent = await target.serve(await clipOf([...PICTURE, ...ENCODING, '-t', '2']));
  const tone = await target.serve(await clipOf([...PICTURE, ...TONE, ...ENCODING, '-t', String(SPOKEN_SECONDS)]));
  const publish = async (source: string, more: Record<string, unknown>): Promise<VideoRecord> => {
    const record = await partner.settled(await partner.submit(source, more));
    expect(record.status, JSON.stringify(record.failure)).to.equal('ready');
    return record;
  };
  const descriptions = descriptionsOf();
  const [ordinary, spoken, ...hostile] = await Promise.all([
    publish(silent, { title: `An ordinary ${ORDINARY}` }),
    publish(tone, { ...descriptions[0] }).then(({ id }) => partner.tracksSettled(id)),
    ...descriptions.map((description) => publish(silent, description)),
  ]);
  return { ordinary, spoken, hostile };
}

function clipOf(args: readonly string[]): Promise<string> {
  return cached('hostile-texts', 'mp4', args, (path) => ffmpeg([...args, path]));
}

/** A title of each of the worst families, and every text in some summary or tag. */
function descriptionsOf() {
  const worst = ['WebVTT blocks', 'HLS tags', 'pages', 'terminals', 'log lines'];
  const tags = texts.map(({ text }) => text).filter((text) => fits('tags', text));
  const share = Math.ceil(tags.length / HOSTILE_VIDEOS);
  return worst.map((family, index) => {
    const titles = texts.filter((one) => one.family === family).map(({ text }) => text);
    const own = tags.slice(index * share, (index + 1) * share);
    return {
      title: titles.find((text) => text.length > 40 && fits('title', text)) ?? family,
      summary: cutTo(own.join(' | '), 2_000),
      tags: own.slice(0, TAGS),
    };
  });
}

/** Each text as one "word" of the speech engine, said as fast as people speak: faster words are not believed. */
function wordsOf(): SpokenWord[] {
  const words: SpokenWord[] = [];
  let start = 0.5;
  for (const { text } of texts.filter((one) => one.text.trim() !== '' && one.text.length <= MAX_SAID)) {
    const end = start + 0.15 + text.length / LETTERS_A_SECOND;
    words.push({ text: words.length % 4 === 3 ? `${text}.` : text, start, end });
    start = end + 0.05;
  }
  return words;
}

/** Each sentence becomes the next text, in every language. */
function translatorOf(): (sentence: string) => string {
  const usable = texts.filter(({ text }) => /\p{L}/u.test(text) && text.length <= MAX_SAID);
  let next = 0;
  return () => usable[next++ % usable.length]?.text ?? '';
}
