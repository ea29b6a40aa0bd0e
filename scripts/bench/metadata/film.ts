/** The files of a made game: moving pictures with a scoreboard, a crowd, and commentary that is spoken. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ffmpeg, ffmpegPath } from '@vds/testkit/media/render';
import { audioOutput, hlsOutput } from '@vds/testkit/media/renditions';
import { speak } from '@vds/testkit/media/speak';
import { randomOf, type Game } from './made-games.ts';
import { crowdRise, isAdvert, shotPlan, type Planned, type Spoken } from './simulated.ts';

const RATE = 25;
const [WIDTH, HEIGHT] = [320, 180];
const PIXELS = WIDTH * HEIGHT;
const SOUND_RATE = 16_000;
const WAV_HEADER_BYTES = 44;
const PLAYERS = 14;
const PLAYER_PIXELS = 10;
const CROWD_DB = -40;
const VOICE_DB = -21;

export const rungs = [
  { name: '540p', width: 960, height: 540 },
  { name: '240p', width: 426, height: 240 },
] as const;

/** Renders the game into `folder`: `540p`, `240p` and `sound`, each with a playlist. */
export async function film(game: Game, spoken: readonly Spoken[], folder: string): Promise<Spoken[]> {
  for (const name of [...rungs.map((rung) => rung.name), 'sound']) await mkdir(join(folder, name), { recursive: true });
  const wav = join(folder, 'sound.wav');
  const { samples, timed } = await soundOf(game, spoken);
  await writeFile(join(folder, 'sound.raw'), Buffer.from(samples.buffer));
  await ffmpeg(['-f', 's16le', '-ar', `${SOUND_RATE}`, '-ac', '1', '-i', join(folder, 'sound.raw'), wav]);
  await ffmpeg(['-i', wav, ...audioOutput(join(folder, 'sound'))]);
  await encodePictures(game, folder);
  return timed;
}

async function encodePictures(game: Game, folder: string): Promise<void> {
  const split = `[0:v]scale=960:540,${boards(game)},split=2[a][b];[b]scale=426:240[c]`;
  const encode = (pad: string, name: string): string[] => [
    ...[
      '-map',
      pad,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '24',
      '-pix_fmt',
      'yuv420p',
      '-g',
      `${2 * RATE}`,
    ],
    ...['-keyint_min', `${2 * RATE}`, '-sc_threshold', '0', ...hlsOutput(join(folder, name))],
  ];
  const input = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${WIDTH}x${HEIGHT}`, '-r', `${RATE}`, '-i', 'pipe:0'];
  const output = ['-filter_complex', split, ...encode('[a]', '540p'), ...encode('[c]', '240p')];
  const child = spawn('nice', ['-n', '5', ffmpegPath(), '-hide_banner', '-v', 'error', '-y', ...input, ...output], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const closed = once(child, 'close');
  const plan = shotPlan(game, randomOf(game.seconds));
  for (let frame = 0; frame < game.seconds * RATE; frame++)
    if (!child.stdin.write(pictureAt(plan, frame / RATE))) await once(child.stdin, 'drain');
  child.stdin.end();
  const [code] = (await closed) as [number];
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
}

/** What is drawn: the score, the clock, and a number that rises without meaning. */
function boards({ happenings, seconds }: Game): string {
  const random = randomOf(seconds);
  const draw = (text: string, from: number, to: number, x: number, y: number): string =>
    `drawtext=font='Sans\\:bold':fontsize=30:fontcolor=white:box=1:boxcolor=0x101030:boxborderw=8:x=${x}:y=${y}:text='${text}':enable='between(t,${from.toFixed(2)},${(to - 0.01).toFixed(2)})'`;
  let [home, away, from] = [0, 0, 0];
  const drawn: string[] = [];
  const show = (to: number): void => {
    drawn.push(draw(`RED ${home} - ${away} BLU`, from, to, 40, 30));
    from = to;
  };
  for (const { at, scoreDelay } of happenings) {
    if (scoreDelay === undefined) continue;
    show(at + scoreDelay);
    if (random.chance(0.5)) home++;
    else away++;
  }
  show(seconds);
  for (const [index, { at }] of happenings.filter(({ kind }) => kind === 'other number').entries())
    for (const step of [0, 1])
      drawn.push(draw(`Corners ${3 * index + step}`, at + 8 * step, at + 8 * step + 8, 700, 460));
  const clock = `%{eif\\:floor(t/60)\\:d\\:2}\\:%{eif\\:mod(t\\,60)\\:d\\:2}`;
  return [...drawn, draw(clock, 0, seconds, 320, 30)].join(',');
}

/** What a camera sees at a time of the game; a replay sees what the camera of that time saw, half as fast. */
function pictureAt(plan: readonly Planned[], second: number): Buffer {
  const shot = plan.findLast(({ from }) => from <= second) ?? { from: 0 };
  if (shot.replayOf === undefined) return draw(second, cameraAt(plan, second));
  const slow = shot.replayOf + (second - shot.from) / 2;
  return draw(shot.repeats === true ? Math.floor(slow * RATE) / RATE : slow, cameraAt(plan, slow));
}

function cameraAt(plan: readonly Planned[], second: number): number {
  return plan.findLastIndex(({ from, replayOf }) => replayOf === undefined && from <= second);
}

function draw(second: number, camera: number): Buffer {
  const random = randomOf(1_000 + camera);
  const picture = Buffer.allocUnsafe((PIXELS * 3) / 2);
  const [bright, acrossHz, downHz, pan] = [
    random.within(80, 130),
    random.within(0.01, 0.05),
    random.within(0.02, 0.06),
    random.within(-0.6, 0.6),
  ];
  const [phase, tilt] = [random.within(0, 6), random.within(0, 6)];
  for (let y = 0; y < HEIGHT; y++) {
    const row = bright + 30 * Math.sin(y * downHz + tilt);
    for (let x = 0; x < WIDTH; x++) picture[y * WIDTH + x] = row + 25 * Math.sin(x * acrossHz + phase + pan * second);
  }
  picture.fill(random.within(100, 150), PIXELS, (PIXELS * 5) / 4).fill(random.within(100, 150), (PIXELS * 5) / 4);
  for (let player = 0; player < PLAYERS; player++) {
    const [x0, y0, speed, shade] = [
      random.within(20, 290),
      random.within(30, 150),
      random.within(0.3, 1.5),
      random.pick([40, 220]),
    ];
    const left = Math.max(0, Math.min(WIDTH - PLAYER_PIXELS, Math.round(x0 + 40 * Math.sin(speed * second + player))));
    const top = Math.max(
      0,
      Math.min(HEIGHT - 2 * PLAYER_PIXELS, Math.round(y0 + 20 * Math.cos(speed * second * 0.8 + player))),
    );
    for (let y = top; y < top + 2 * PLAYER_PIXELS; y++)
      picture.fill(shade, y * WIDTH + left, y * WIDTH + left + PLAYER_PIXELS);
  }
  return picture;
}

/** The crowd, the voices and the advertisements' music; sentences get the times at which they are spoken. */
async function soundOf(game: Game, spoken: readonly Spoken[]): Promise<{ samples: Int16Array; timed: Spoken[] }> {
  const sound = new Float64Array(game.seconds * SOUND_RATE);
  const random = randomOf(game.seconds);
  let [brown, blue] = [0, 0];
  for (let at = 0; at < sound.length; at++) {
    // Noise between two low-pass filters, as that of many voices.
    const white = random.next() - 0.5;
    brown += 0.35 * (white - brown);
    blue += 0.04 * (brown - blue);
    sound[at] = (brown - blue) * gain(CROWD_DB + 18 + crowdRise(game.happenings, at / SOUND_RATE));
    if (isAdvert(game.happenings, at / SOUND_RATE))
      for (const hertz of [262, 330, 392])
        sound[at] = (sound[at] ?? 0) + 0.08 * Math.sin((2 * Math.PI * hertz * at) / SOUND_RATE);
  }
  const timed: Spoken[] = [];
  for (const sentence of spoken) {
    const path = await speak('en', sentence.text, 'rms');
    if (path === null) throw new Error('ffmpeg has no English voice');
    const bytes = (await readFile(path)).subarray(WAV_HEADER_BYTES);
    const voice = Float64Array.from(
      { length: Math.floor(bytes.length / 2) },
      (_value, at) => bytes.readInt16LE(2 * at) / 32_768,
    );
    const power = voice.reduce((sum, value) => sum + value * value, 0) / Math.max(1, voice.length);
    const volume = gain(VOICE_DB + sentence.loud) / Math.sqrt(power + 1e-9);
    const from = Math.round((sentence.startMs / 1_000) * SOUND_RATE);
    voice.forEach((value, at) => (sound[from + at] = (sound[from + at] ?? 0) + value * volume));
    timed.push({ ...sentence, endMs: sentence.startMs + Math.round((1_000 * voice.length) / SOUND_RATE) });
  }
  const samples = Int16Array.from(sound.subarray(0, game.seconds * SOUND_RATE), (value) =>
    Math.round(32_767 * Math.max(-1, Math.min(1, value))),
  );
  return { samples, timed };
}

function gain(decibels: number): number {
  return 10 ** (decibels / 20);
}
