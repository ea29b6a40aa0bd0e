/** Few pictures, many, and pictures at strange times. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg } from '../../clips.ts';
import { av1, h264, h264Ahead, hevc, renderClip, smallClip, vp9, type Clip } from '../generators/clip.ts';
import { setEdits } from '../generators/edit-lists.ts';
import { boxOf, readBoxes, trackOf, writeBoxes } from '../generators/mp4-boxes.ts';
import { playable, type RecipeContext, type Expectation, type Recipe } from './recipe.ts';

const muted = { sound: null } as const;

const five = { frames: 1, seconds: 5 } as const;
const stands = 'one picture that stands five seconds is a video of five seconds';

export const sparseRecipes: readonly Recipe[] = [
  recipe(`${stands}: mp4`, 'mp4', paced('1/5', 5, h264()), five, true),
  recipe(`${stands}: mkv`, 'mkv', paced('1/5', 5, h264()), five),
  recipe(`${stands}: webm`, 'webm', paced('1/5', 5, vp9), five),
  recipe(`${stands}: H.265 in mov`, 'mov', paced('1/5', 5, [...hevc(), '-tag:v', 'hvc1']), five),
  recipe('two pictures in three seconds are shown for as long: mp4', 'mp4', paced('2/3', 3, h264()), slow(2, 3)),
  recipe('one picture of a tenth of a second is a video', 'mp4', paced('10', 0.1, h264()), slow(1, 0.1), true),
  recipe('a tenth of a second is a video: mkv', 'mkv', paced('30', 0.1, h264()), slow(3, 0.1)),
  recipe('a slide show keeps its pace: one picture a second in mp4', 'mp4', paced('1', 4, h264Ahead()), slow(4, 4)),
  recipe('a slide show keeps its pace: one picture in two seconds in webm', 'webm', paced('1/2', 6, vp9), slow(3, 6)),
  recipe(
    'a gap of three seconds stays a gap: mp4',
    'mp4',
    chosen('lt(t,0.5)+gte(t,3.5)', h264Ahead()),
    { frames: 25 },
    true,
  ),
  recipe('a gap of three seconds stays a gap: mkv', 'mkv', chosen('lt(t,0.5)+gte(t,3.5)', h264()), { frames: 25 }),
  ...['mp4', 'mkv'].map((file): Recipe => ({
    name: `a screen on which little moves is shown as long as its sound is heard, in segments like any other: ${file}`,
    file,
    ...(file === 'mp4' ? { usual: true } : {}),
    make: stillScreen,
    expect: { frames: 4, seconds: 20, repeats: [6, 12, 18] },
  })),
  playable('one picture is shown while three seconds of sound are heard: mp4', 'mp4', onePictureWithSound(3), {
    expect: { frames: 1, seconds: 3 },
  }),
  playable('one picture is shown while three seconds of sound are heard: mkv', 'mkv', onePictureWithSound(3), {
    expect: { frames: 1, seconds: 3 },
  }),
  playable(
    'one picture of a fifth of a second stands for as long as sound follows: mp4',
    'mp4',
    onePictureWithSound(0.2),
    { expect: { frames: 1, seconds: 3 } },
  ),
  recipe(
    'a rate that is even but for a hole is declared as it is: mov',
    'mov',
    // Fewer a second, as with few bits the last one before a hole looks like the one before it.
    chosen('not(between(t,5,8.999))', h264(), { seconds: 14, rate: '10' }),
    { frames: 100, repeats: [6] },
    true,
  ),
  playable(
    'a rate that is even but for the gap between two fragments is declared as it is: fragmented mp4',
    'mp4',
    ({ path, random }) =>
      renderClip(path, smallClip(random, 6, { rate: '25' }), h264('keyint=25', 'bframes=0'), {
        file: ['-movflags', 'frag_keyframe+empty_moov'],
      }),
    { expect: { frames: 150 } },
  ),
  playable(
    'pictures that are held are declared at the rate at which they are repeated: mkv',
    'mkv',
    ({ path, random }) => renderClip(path, smallClip(random, 20, { rate: '1/10' }), h264()),
    { usual: true, expect: { frames: 2, seconds: 20, repeats: [6, 12, 18] } },
  ),
  ...['24000/1001', '30000/1001', '48', '60000/1001'].map((rate) =>
    recipe(`a usual rate is kept: ${rate} pictures a second`, 'mp4', paced(rate, 2, h264Ahead())),
  ),
  recipe('an unusual rate is kept: 7 pictures a second', 'mkv', paced('7', 3, h264Ahead()), { frames: 21 }),
  recipe(
    'a hundred and twenty pictures a second become sixty: mp4',
    'mp4',
    paced('120', 1, h264()),
    { thinned: true, warning: 'frame_rate_reduced' },
    true,
  ),
  recipe('a hundred pictures a second become sixty: webm', 'webm', paced('100', 1, vp9), { thinned: true }),
  recipe(
    'two hundred and forty pictures a second by a clock that runs a little fast become sixty: mp4',
    'mp4',
    ({ path, random }) =>
      renderClip(path, smallClip(random, 0.5, { rate: '240' }), h264(), {
        mute: true,
        filters: ['settb=1/90000', "setpts='N*375-floor(N/6)'"],
        file: ['-fps_mode', 'passthrough', '-enc_time_base', '1:90000', '-video_track_timescale', '90000'],
      }),
    { thinned: true },
    true,
  ),
  recipe(
    'a variable rate is kept: mp4',
    'mp4',
    chosen('not(mod(n,3))+gt(mod(n,7),4)', h264Ahead()),
    { warning: 'variable_frame_rate' },
    true,
  ),
  recipe('a variable rate is kept: AV1 in mkv', 'mkv', chosen('not(mod(n,3))+gt(mod(n,7),4)', av1)),
  recipe('strange lengths of pictures are kept: mp4', 'mp4', unevenTable, { frames: 50 }),
  recipe(
    'a clock of ninety thousand ticks is kept: mp4',
    'mp4',
    paced('24', 2, h264Ahead(), ['-video_track_timescale', '90000']),
  ),
  recipe(
    'a clock of a thousand ticks is kept: mp4',
    'mp4',
    paced('30', 2, h264Ahead(), ['-video_track_timescale', '1000']),
  ),
  recipe(
    'a clock of one tick a picture is kept: mov',
    'mov',
    paced('25', 2, h264(), ['-video_track_timescale', '25']),
    {
      frames: 50,
    },
  ),
  playable('times that begin at ten hours become zero: mkv', 'mkv', (context) => shifted(context, '36000'), {
    usual: true,
  }),
  playable('times that begin at ten hours become zero: fragmented mp4', 'mp4', async (context) => {
    const { path, at, random } = context;
    await renderClip(at('whole.mkv'), smallClip(random, 2), h264Ahead());
    const whole = [
      '-movflags',
      'frag_keyframe+empty_moov+default_base_moof+frag_discont',
      '-avoid_negative_ts',
      'disabled',
    ];
    await ffmpeg('-copyts', '-itsoffset', '36000', '-i', at('whole.mkv'), '-c', 'copy', ...whole, path);
  }),
  playable('times that begin at a few seconds become zero: mkv', 'mkv', (context) =>
    shifted(context, `${context.random.whole(11, 49) / 10}`),
  ),
];

function slow(count: number, seconds: number): Expectation {
  return { frames: count, seconds };
}

/** A mute clip of a given rate. */
function paced(rate: string, seconds: number, coder: readonly string[], file: readonly string[] = []): Recipe['make'] {
  return ({ path, random }) => renderClip(path, smallClip(random, seconds, { rate }), coder, { mute: true, file });
}

/** Pictures of a clip at 25 a second, chosen by an ffmpeg expression. */
function chosen(expression: string, coder: readonly string[], clip: Partial<Clip> = {}): Recipe['make'] {
  return ({ path, random }) =>
    renderClip(path, smallClip(random, 4, { rate: '25', ...clip }), coder, {
      mute: true,
      filters: [`select='${expression}'`],
      file: ['-fps_mode', 'vfr'],
    });
}

/** Four pictures and sound of twenty seconds; the last picture is stored with an ordinary length. */
function stillScreen({ path, random }: RecipeContext): Promise<void> {
  return renderClip(path, smallClip(random, 20, { rate: '25' }), h264(), {
    filters: ["select='eq(n,0)+eq(n,175)+eq(n,200)+eq(n,475)'"],
    file: ['-fps_mode', 'vfr', '-enc_time_base', '1:90000'],
  });
}

/** One picture, and sound of three seconds. */
function onePictureWithSound(stands: number): Recipe['make'] {
  return ({ path, random }) =>
    renderClip(path, smallClip(random, stands, { rate: `1/${stands}` }), h264(), { tone: 3 });
}

/** Shifts the start of the clock. */
async function shifted({ path, at, random }: RecipeContext, seconds: string): Promise<void> {
  await renderClip(at('whole.mkv'), smallClip(random, 2), h264Ahead());
  const keep = ['-copyts', '-avoid_negative_ts', 'disabled'];
  await ffmpeg('-itsoffset', seconds, '-i', at('whole.mkv'), '-c', 'copy', ...keep, path);
}

/** Durations that no camera writes: one picture in three lasts three times as long. */
async function unevenTable({ path, at, random }: RecipeContext): Promise<void> {
  const whole = at('whole.mp4');
  await renderClip(whole, smallClip(random, 2, { rate: '25' }), h264('bframes=0'), { mute: true });
  const boxes = readBoxes(await readFile(whole));
  const table = boxOf([trackOf(boxes, 'vide')], 'stts');
  const [first, second] = [random.whole(3, 30), random.whole(31, 49)];
  const runs = [
    [first, 512],
    [second - first, 1_536],
    [50 - second, 77],
  ];
  table.body = Buffer.alloc(8 + runs.length * 8);
  table.body.writeUInt32BE(runs.length, 4);
  runs.flat().forEach((value, index) => table.body.writeUInt32BE(value, 8 + index * 4));
  const ticks = runs.reduce((sum, [count = 0, length = 0]) => sum + count * length, 0);
  setEdits(boxes, 'vide', [{ seconds: ticks / 12_800, from: 0 }]);
  await writeFile(path, writeBoxes(boxes));
}

function recipe(name: string, file: string, make: Recipe['make'], expect: Expectation = {}, usual?: true): Recipe {
  return {
    name,
    file,
    make,
    expect: { ...muted, ...expect },
    ...(usual ? { usual } : {}),
  };
}
