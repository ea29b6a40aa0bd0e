/** Made games through the real analysis of their files, and the processor time of what key moments add to it. */
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryBudget } from '@vds/chassis/sandbox/memory-budget';
import { chooseSandbox } from '@vds/chassis/sandbox/choose-sandbox';
import { createLogger } from '@vds/chassis/telemetry/log';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { mediaPlaylist } from '@vds/proto/documents/media-playlist';
import { print } from '@vds/testkit/servers/progress';
import type { Analysis } from '@vds/metadata/domain/analysis';
import { analyzeSpan, type AnalyzePorts } from '@vds/metadata/domain/jobs/analyze-span';
import { printsWithin } from '@vds/metadata/domain/picture/prints';
import { repeatsOf } from '@vds/metadata/domain/picture/slow-motion';
import { spanAt, spanCount } from '@vds/metadata/domain/span';
import { analyzeFrames } from '@vds/metadata/outbound/analyze-frames';
import { measureSound } from '@vds/metadata/outbound/measure-sound';
import { recognizeText } from '@vds/metadata/outbound/recognize-text';
import { findTools, type Tools } from '@vds/metadata/outbound/tools';
import { TICKS_A_SECOND } from '../captions/processor-time.ts';
import { film, rungs } from './film.ts';
import { randomOf, type Game } from './made-games.ts';
import { sentencesOf, type Measured } from './simulated.ts';
import { momentsOf } from './moments.ts';

const READINGS_PER_MINUTE = 8;
const TIMEOUT_MS = 900_000;
const FRAMES_PER_SECOND = 25;
/** Where transcode would have stored the renditions. */
const PREFIX = 'videos/00000000000000000000000000/1/';
const bits = { bandwidth: 1_000_000, averageBandwidth: 800_000 };

export async function analyzeFilmed(game: Game): Promise<Measured> {
  return await withScratch(tmpdir(), 'bench-moments', async (folder) => {
    const spoken = await film(game, sentencesOf(game, randomOf(game.seconds)), folder);
    const { tools, scratch } = { tools: await openTools(), scratch: join(folder, 'scratch') };
    await mkdir(scratch);
    const before = await processorSeconds();
    const { analyses, added } = await analyze(game, { folder, scratch, tools });
    const whole = (await processorSeconds()) - before;
    const transcript = { language: game.language, sentences: spoken.map(({ loud: _loud, ...sentence }) => sentence) };
    const measured = { durationMs: game.seconds * 1_000, analyses, transcript };
    const deciding = ownSeconds(() => momentsOf(measured));
    const aMinute = (seconds: number): string => ((60 * seconds) / game.seconds).toFixed(3);
    print(`  ${game.id}: ${aMinute(added + deciding)} s of processor a minute for key moments, beside ${aMinute(whole)} s of the whole analysis (${game.seconds} s of video)`); // prettier-ignore
    return measured;
  });
}

async function openTools(): Promise<Tools> {
  const log = createLogger('bench', 'error');
  const sandbox = await chooseSandbox();
  return findTools(
    { sandbox, memoryBytes: 4 * 2 ** 30, memory: createMemoryBudget(), log },
    process.env['FFMPEG_PATH'],
  );
}

async function analyze(
  game: Game,
  { folder, scratch, tools }: { readonly folder: string; readonly scratch: string; readonly tools: Tools },
): Promise<{ readonly analyses: Analysis[]; readonly added: number }> {
  const media = { joinToFile: (keys: readonly string[], path: string) => joinFiles(folder, keys, path) };
  const deps = { scratch, tools, media, signal: AbortSignal.timeout(TIMEOUT_MS), timeoutMs: TIMEOUT_MS };
  const playlistOf = async ({ playlist }: { readonly playlist: string }) =>
    mediaPlaylist.read(await readFile(join(folder, playlist)), `${PREFIX}${playlist}`);
  let added = 0;
  const ports: AnalyzePorts = {
    readingsPerMinute: READINGS_PER_MINUTE,
    analyzeFrames: async (rung, span) => {
      const found = await analyzeFrames(deps, await playlistOf(rung), span);
      // What key moments add to the analysis, done once more.
      added += ownSeconds(() => {
        printsWithin(span, found.samples);
        repeatsOf(madeFrames(((span.endMs - span.startMs) / 1_000) * FRAMES_PER_SECOND));
      });
      return found;
    },
    recognizeText: async (rung, intervals, samples, span) =>
      (await recognizeText(deps, { rung, playlist: await playlistOf(rung) }, intervals, samples, span)).texts,
    measureSound: async (audio, span) => measureSound(deps, await playlistOf(audio), span),
  };
  const ladder = {
    ...{ version: 1 as const, videoId: 'made', attempt: 1, durationMs: game.seconds * 1_000, frames: game.seconds * FRAMES_PER_SECOND },
    rungs: rungs.map((rung) => ({ ...rung, ...bits, frameRate: FRAMES_PER_SECOND, codecs: 'avc1.64001f', playlist: `${rung.name}/index.m3u8` })),
    audio: { ...bits, channels: 1, sampleRate: 48_000, language: null, codecs: 'mp4a.40.2', playlist: 'sound/index.m3u8' },
    thumbnail: { path: '', width: 320, height: 180 },
    storyboard: { track: '', intervalSeconds: 2, tile: { width: 160, height: 90 } },
  }; // prettier-ignore
  const analyses: Analysis[] = [];
  for (let index = 0; index < spanCount(ladder.durationMs); index++)
    analyses.push(await analyzeSpan(ports, ladder, spanAt(ladder.durationMs, index)));
  return { analyses, added };
}

function madeFrames(count: number) {
  return Array.from({ length: count }, (_frame, index) => ({ atMs: 40 * index, motion: index % 3, score: 0 }));
}

async function joinFiles(folder: string, keys: readonly string[], path: string): Promise<number> {
  await rm(path, { force: true });
  await writeFile(path, '');
  for (const key of keys) await appendFile(path, await readFile(join(folder, key.slice(PREFIX.length))));
  return keys.length;
}

/** User and system time of this process for some work. */
function ownSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

/** User and system time of this process and of its children that have ended (proc(5): fields 14 to 17 of stat). */
async function processorSeconds(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'latin1');
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  return times.reduce((sum, ticks) => sum + ticks, 0) / TICKS_A_SECOND;
}
