/**
 * Two short clips beside the demo's match: a basketball final, commented in Spanish, and a swimming race. Pictures are
 * ffmpeg filters, speech is synthesised sentence by sentence.
 */

/** A sentence and the second at which it starts. */
export type Sentence = readonly [second: number, text: string];

export type ClipRecipe = {
  /** Prefix of the file's name. */
  readonly name: string;
  readonly seconds: number;
  /** ISO 639-1. */
  readonly language: 'en' | 'es';
  readonly spoken: readonly Sentence[];
  /** Filters whose output is `[picture]`. */
  readonly picture: string;
};

const WIDTH = 854;
const HEIGHT = 480;
const SIZE = `${WIDTH}x${HEIGHT}`;
const RATE = 30;
const SECONDS = 12;
/** Second at which the second scene starts. */
const CUT = 8;
const FONT = "font='Sans\\:bold'";

/** Spoken in Spanish by Pico or espeak-ng. */
export const basketballClip: ClipRecipe = {
  name: 'basketball-clip',
  seconds: SECONDS,
  language: 'es',
  spoken: [
    [0.4, 'Bienvenidos a la gran final del campeonato.'],
    [4.2, 'La capitana tira desde lejos y el público celebra la victoria.'],
    [8.9, 'Un partido fantástico en el estadio.'],
  ],
  picture: basketballPicture(),
};

/** The same pictures in English, for a machine without a Spanish voice. */
export const basketballClipInEnglish: ClipRecipe = {
  ...basketballClip,
  language: 'en',
  spoken: [
    [0.4, 'welcome to the last game of the basketball season'],
    [4.2, 'the captain shoots from far away and the audience celebrates the victory'],
    [8.9, 'what a fantastic game in the arena'],
  ],
};

export const swimmingClip: ClipRecipe = {
  name: 'swimming-clip',
  seconds: SECONDS,
  language: 'en',
  spoken: [
    [0.4, 'the swimmers dive into the water for the last race of the evening'],
    [5.2, 'the swimmer in yellow touches the wall first and breaks the world record'],
  ],
  picture: swimmingPicture(),
};

function basketballPicture(): string {
  const planks = Array.from({ length: 7 }, (_, index) => box(index * 122, 60, 61, 420, '0xb87333')).join(',');
  const court = [
    box(0, 0, WIDTH, 60, '0x3b2417'),
    box(0, 376, WIDTH, 4, 'white@0.8'),
    box(600, 200, 4, 180, 'white@0.8'),
    box(730, 70, 16, 310, '0x444444'),
    box(690, 90, 56, 100, 'white@0.9'),
    box(640, 184, 60, 8, '0xd7263d'),
  ].join(',');
  return [
    `color=c=0xc68642:s=${SIZE}:r=${RATE}:d=${CUT},format=yuv420p,${planks},${court}[court]`,
    disc('ball', 46, [235, 110, 30]),
    disc('player', 60, [30, 60, 160]),
    `[court][player]overlay=x='90+40*t+12*sin(t*4)':y='320-14*abs(sin(t*4))':format=yuv420[court1]`,
    // Dribbled until second 5, then a throw to the basket.
    `[court1][ball]overlay=x='if(lt(t,5),150+40*t,350+106*(t-5))':y='if(lt(t,5),400-150*abs(sin(t*4)),380-250*(t-5)+62*(t-5)*(t-5))':format=yuv420[near]`,
    `gradients=s=${SIZE}:r=${RATE}:c0=0x5f0f40:c1=0x9a031e:c2=0xfb8b24:n=3:seed=8:speed=0.03:type=radial,` +
      `format=yuv420p,trim=0:${SECONDS - CUT},setpts=PTS-STARTPTS[card]`,
    `[near][card]concat=n=2:v=1:a=0,setsar=1,${[
      text(26, 'white', 24, 16, 'MADRID 88 - 87 SEVILLA', `lt(t,${CUT})`),
      text(26, '0xfb8b24', 560, 16, '4Q 00\\:%{eif\\:12-t\\:d\\:2}', `lt(t,${CUT})`),
      text(72, 'white', '(w-tw)/2', 150, 'TRIPLE', `gte(t,${CUT})`),
      text(40, 'white', '(w-tw)/2', 260, 'MADRID 91 - 87 SEVILLA', `gte(t,${CUT})`),
    ].join(',')}[picture]`,
  ].join(';');
}

function swimmingPicture(): string {
  const lanes = [0, 1, 2, 3, 4].map((lane) => box(0, 78 + lane * 92, WIDTH, 6, 'white@0.7')).join(',');
  const colours = [
    [240, 240, 240],
    [230, 57, 70],
    [255, 209, 102],
    [20, 20, 30],
  ] as const;
  const speeds = [78, 84, 96, 72];
  return [
    `color=c=0x1b98c9:s=${SIZE}:r=${RATE}:d=${CUT},format=yuv420p,noise=alls=10:allf=t,${lanes},${box(826, 78, 10, 374, '0x222222')}[at0]`,
    ...colours.map((colour, lane) => disc(`cap${lane}`, 34, colour)),
    ...speeds.map(
      (speed, lane) =>
        `[at${lane}][cap${lane}]overlay=x='min(20+${speed}*t,790)+4*sin(t*7+${lane})':y='${112 + lane * 92}+5*sin(t*5+${lane})':format=yuv420[at${lane + 1}]`,
    ),
    `gradients=s=${SIZE}:r=${RATE}:c0=0x03045e:c1=0x0077b6:c2=0x0096c7:n=3:seed=4:speed=0.03,` +
      `format=yuv420p,trim=0:${SECONDS - CUT},setpts=PTS-STARTPTS[card]`,
    `[at${speeds.length}][card]concat=n=2:v=1:a=0,setsar=1,${[
      `${box(0, 0, WIDTH, 64, 'black@0.6')}:enable='lt(t,${CUT})'`,
      text(28, 'white', 24, 18, 'FREESTYLE 100 METRES', `lt(t,${CUT})`),
      text(28, '0x90e0ef', 640, 18, '00\\:4%{eif\\:t\\:d}', `lt(t,${CUT})`),
      text(64, 'white', '(w-tw)/2', 160, 'NEW RECORD', `gte(t,${CUT})`),
      text(44, 'white', '(w-tw)/2', 260, 'LANE 3', `gte(t,${CUT})`),
    ].join(',')}[picture]`,
  ].join(';');
}

function box(x: number, y: number, width: number, height: number, colour: string): string {
  return `drawbox=x=${x}:y=${y}:w=${width}:h=${height}:c=${colour}:t=fill`;
}

/** A disc with the output `[<name>]`. */
function disc(name: string, size: number, [red, green, blue]: readonly [number, number, number]): string {
  const middle = size / 2;
  const inside = `a='255*lt(hypot(X-${middle},Y-${middle}),${middle - 2})'`;
  return `color=c=black:s=${size}x${size}:r=${RATE}:d=${CUT},format=rgba,geq=r=${red}:g=${green}:b=${blue}:${inside}[${name}]`;
}

function text(size: number, colour: string, x: string | number, y: number, words: string, when: string): string {
  return `drawtext=${FONT}:fontsize=${size}:fontcolor=${colour}:x=${x}:y=${y}:text='${words}':enable='${when}':borderw=2:bordercolor=black@0.5`;
}
