/** Sound that is encoded in chunks, of parts of the source, is sample by sample the sound encoded as a whole. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { writeAudioPlaylist } from '../src/domain/hls/ladder-document.ts';
import { verifySound } from '../src/domain/hls/verify-output.ts';
import type { EncodePorts } from '../src/domain/jobs/encode-ports.ts';
import { encodeSound } from '../src/domain/jobs/encode-sound.ts';
import type { EncodedSound } from '../src/domain/plan/job-results.ts';
import { packetArguments, probeArguments, sourceName } from '../src/domain/plan/encode-arguments.ts';
import { planEncode, withWholeSound, type EncodePlan } from '../src/domain/plan/encode-plan.ts';
import { scanPackets } from '../src/domain/source/frame-scan.ts';
import { readProbe, type ProbedVideo } from '../src/domain/source/probe.ts';
import type { Demuxer } from '../src/domain/source/sniff.ts';
import { readIndex } from '../src/domain/source/source-index.ts';
import { LISTED_BYTES, listOf } from '../src/domain/source/stored-packets.ts';
import { driveWalk } from '../src/outbound/scratch-files.ts';
import { asInput, ffmpeg, fastH264, makeFolder, picture, removeFolder } from './clips.ts';
import { usualOf, type Row } from './long-runs.ts';
import { keepOnly } from './stored-source.ts';

const execute = promisify(execFile);
const tool = 'ffmpeg';
const roomy = { maxBuffer: 2 ** 28 };
const SECONDS = 40;
/** Tones with a beat, and a little noise: long windows of the encoder, and short ones. */
function beats(channels: number, rate: number): string[] {
  const one = (tone: number): string =>
    `0.3*sin(2*PI*${tone}*t)*exp(-5*mod(t,0.5))+0.2*sin(2*PI*(${tone}+20*floor(mod(t,8)))*t)+0.02*random(0)`;
  const tones = Array.from({ length: channels }, (_channel, index) => one(220 + 55 * index));
  return ['-f', 'lavfi', '-i', `aevalsrc='${tones.join('|')}':s=${rate}:d=${SECONDS}`];
}
const stereo = beats(2, 48_000);
// A decoder makes up the noise that a coder leaves out, by what it has decoded before.
const aac = ['-c:a', 'aac', '-aac_pns', '0'];

type Recipe = Row & {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
};
const pictures = ['-map', '0:v', '-map', '1:a', ...fastH264, '-g', '50'];
const recipes: readonly Recipe[] = [
  { name: 'mp4 with the index last', file: 'last.mp4', args: [...stereo, ...pictures, ...aac] },
  {
    name: '44.1 kHz, mp4 with the index first',
    file: 'first.mp4',
    args: [...beats(2, 44_100), ...pictures, ...aac, '-movflags', '+faststart'],
    usual: true,
  },
  {
    name: 'six channels of AC-3 in mp4',
    file: 'ac3.mp4',
    args: [...beats(6, 48_000), ...pictures, '-c:a', 'ac3'],
    usual: true,
  },
  { name: 'sound that starts late', file: 'late.mp4', args: ['-itsoffset', '1.3', ...stereo, ...pictures, ...aac] },
  {
    name: 'sound with gaps',
    file: 'gaps.mp4',
    args: [...stereo, ...pictures, '-af', "aselect='not(between(t,9,11))*not(between(t,20.5,21))'", ...aac],
    usual: true,
  },
  { name: 'speech at 8 kHz', file: 'speech.mov', args: [...beats(1, 8_000), ...pictures, ...aac] },
  {
    name: 'clipped sound of a recorder',
    file: 'loud.mov',
    args: [...stereo, ...pictures, '-af', 'volume=20dB', '-c:a', 'pcm_s16le'],
  },
];

/** A source in a folder, its plan, and the ports of a worker who reads parts of it. */
type Source = { readonly plan: EncodePlan; readonly list: Buffer; readonly path: string; readonly folder: string };

async function planOf(folder: string, { file, args }: Recipe): Promise<Source> {
  const path = join(folder, file);
  await ffmpeg(...picture('160x90', 25, SECONDS), ...args, path);
  await copyFile(path, join(folder, sourceName));
  const demuxer: Demuxer = file.endsWith('.mkv') ? 'matroska' : 'mov';
  const run = async (args: readonly string[]): Promise<string> =>
    (await execute('ffprobe', args, { cwd: folder, ...roomy })).stdout;
  const probe = readProbe(await run(probeArguments(demuxer)), demuxer) as ProbedVideo;
  const sink = scanPackets({ video: probe.video.index, audio: probe.audio?.index });
  (await run(packetArguments(demuxer, probe.video))).split('\n').forEach(sink.line);
  const scan = sink.finish();
  const bytes = (await stat(path)).size;
  const index = await driveWalk(path, readIndex(demuxer, bytes));
  const plan = planEncode(probe, scan, { bytes, trailing: false, index }, { wholeBelowSeconds: 5, pieceSeconds: 6 });
  return { plan, list: Buffer.concat([listOf(scan.stored), listOf(scan.sound!.packets)]), path, folder };
}

async function ended(program: ReturnType<typeof spawn>): Promise<void> {
  const [[code], said] = await Promise.all([once(program, 'close'), buffer(program.stderr!)]);
  expect(code, said.toString()).to.equal(0);
}

function portsOf({ list, path, folder }: Source, name: string, wholes: string[]): EncodePorts {
  const unused = () => Promise.reject(new Error('is not used'));
  const source = join(folder, sourceName);
  return {
    folder: name,
    fetch: () => copyFile(path, source),
    fetchBytes: (ranges) => keepOnly(path, source, ranges),
    packets: async ({ from }) => list.subarray(from * LISTED_BYTES),
    readWhole: () => void wholes.push(name),
    copyRejected: () => undefined,
    ffmpeg: unused,
    ffmpegs: async (first, second, pipes) => {
      const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const;
      const one = spawn(tool, first, { cwd: folder, stdio: [...stdio] });
      const other = spawn(tool, second, { cwd: folder, stdio: [...stdio] });
      other.stdin!.on('error', () => one.kill());
      one.stdout!.pipe(other.stdin!);
      let bytes = 0;
      one.stdout!.on('data', (chunk: Buffer) => (bytes += chunk.length));
      const ends = [ended(one), ended(other)];
      const [printed, made] = [one.stdio[3] as Readable, other.stdio[3] as Readable];
      await Promise.all([...ends, pipes.first[0] ? pipes.first[0](printed) : printed.resume(), pipes.second[0]!(made)]);
      return bytes;
    },
    put: async (file, body) => {
      const at = join(folder, name, file);
      await mkdir(dirname(at), { recursive: true });
      await writeFile(at, body);
    },
    move: unused,
    read: unused,
    progress: () => undefined,
  };
}

/** Encodes the sound as a plan says, and decodes its playlist; `wholes` collects what was read as a whole. */
async function hear(source: Source, plan: EncodePlan, name: string, wholes: string[]) {
  const sound: EncodedSound[] = [];
  for (const { index } of plan.sound)
    sound.push(await encodeSound(portsOf(source, `${name}-${index}`, wholes), plan, index));
  verifySound(plan, sound);
  const { path, body } = writeAudioPlaylist(plan, name, sound);
  const playlist = join(source.folder, path);
  await mkdir(dirname(playlist), { recursive: true });
  await writeFile(playlist, body);
  const args = ['-v', 'error', '-nostdin', ...asInput(playlist), '-f', 'f32le', 'pipe:1'];
  const { stdout } = await execute('ffmpeg', args, { encoding: 'buffer', ...roomy });
  return new Float32Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
}

/** The frames of AAC in which two decoded tracks differ by more than -90 dBFS, and by how much at most. */
function differences(one: Float32Array, other: Float32Array) {
  const frames = new Set<number>();
  let most = 0;
  one.forEach((sample, at) => {
    const difference = Math.abs(sample - (other[at] ?? 0));
    most = Math.max(most, difference);
    if (difference > 10 ** (-90 / 20)) frames.add(Math.floor(at / 2_048));
  });
  return { frames: [...frames], most: 20 * Math.log10(most) };
}

describe('sound in chunks', function () {
  this.timeout(120_000);
  let folder: string;
  before(async () => {
    folder = await makeFolder();
  });
  after(() => removeFolder(folder));

  for (const recipe of usualOf(recipes))
    it(`sound in chunks of ${recipe.name} is that encoded whole, sample by sample`, async () => {
      const source = await planOf(folder, recipe);
      const { plan } = source;
      expect(
        plan.sound.map(({ from }) => Math.round(from / 48_000)),
        'chunks',
      ).to.deep.equal([0, 6, 12, 18, 24, 30, 36]);
      const wholes: string[] = [];
      const joined = await hear(source, plan, 'chunks', wholes);
      expect(wholes, 'read as a whole').to.deep.equal([]);
      const whole = await hear(source, withWholeSound(plan), 'whole', []);
      expect(joined.length).to.equal(whole.length);
      const { frames, most } = differences(joined, whole);
      expect(frames, `differ by up to ${most} dBFS`).to.deep.equal([]);
    });
});
