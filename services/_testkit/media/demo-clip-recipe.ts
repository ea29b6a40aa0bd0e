/**
 * The demo clip's pictures and sound as ffmpeg filters: four scenes of a match with a score line, and a commentator.
 */

export const CLIP_SECONDS = 25;
const SIZE = '1280x720';
const RATE = 30;
/** Seconds at which the scenes start: the pitch, the slow motion, the crowd, the final card. */
const SLOW_MOTION = 9;
const CROWD = 14;
const CARD = 19;
const FONT = "font='Sans\\:bold'";

/** The commentator's sentences, each synthesised separately, and the second at which it starts. */
export const SPOKEN: readonly (readonly [second: number, text: string])[] = [
  [0.5, 'welcome back to the championship final'],
  [4.2, 'the goalkeeper makes a brilliant save in the final minute of the championship match'],
  [9.8, 'now look at this wonderful pass to the left side'],
  [14.4, 'the striker scores the winning goal and the crowd goes wild'],
  [19.6, 'the final score is three to two and the home team wins the championship'],
];

/** The same in German, as the partner would send them inside the file; each stands until the next but for a moment. */
const TRANSLATED: readonly string[] = [
  'Willkommen zurück beim Finale.',
  'Der Torwart hält großartig, in der letzten Minute des Finales.',
  'Schauen Sie sich diesen wunderbaren Pass nach links an.',
  'Die Stürmerin trifft zum Sieg, und die Menge tobt.',
  'Endstand drei zu zwei, und die Gastgeberinnen gewinnen die Meisterschaft.',
];

/** SubRip of the translated sentences. */
export function demoCaptions(): string {
  const at = (second: number): string => new Date(second * 1_000).toISOString().slice(11, 23).replace('.', ',');
  const cues = TRANSLATED.map((line, index) => {
    const [start = 0] = SPOKEN[index] ?? [];
    const [next = CLIP_SECONDS] = SPOKEN[index + 1] ?? [];
    return `${index + 1}\n${at(start)} --> ${at(next - 0.2)}\n${line}\n`;
  });
  return cues.join('\n');
}

/** A second commentator, for a track of sound of his own: ffmpeg's input. */
export const RADIO =
  "flite=text='and here on the radio we hear the last minute of a wonderful final, what a save, what a pass, and what a goal':voice=rms," +
  `aresample=48000,apad,atrim=0:${CLIP_SECONDS},pan=stereo|c0=c0|c1=c0`;

const STRIPES = [0, 320, 640, 960].map((x) => `drawbox=x=${x}:y=0:w=160:h=720:c=0x2a8344:t=fill`).join(',');
const LINES = [
  'drawbox=x=60:y=70:w=1160:h=580:c=white@0.75:t=4',
  'drawbox=x=638:y=70:w=4:h=580:c=white@0.75:t=fill',
  'drawbox=x=60:y=210:w=170:h=300:c=white@0.75:t=4',
  'drawbox=x=1050:y=210:w=170:h=300:c=white@0.75:t=4',
  'drawbox=x=40:y=300:w=20:h=120:c=white@0.9:t=fill',
  'drawbox=x=1220:y=300:w=20:h=120:c=white@0.9:t=fill',
].join(',');

/**
 * The positions of the eight players (the first four of one team, then four of the other) and the ball at `t` seconds.
 */
const PATHS: readonly (readonly [x: string, y: string])[] = [
  ['420+140*sin(t*0.9)', '180+60*cos(t*1.1)'],
  ['620+160*sin(t*0.7+1)', '330+90*cos(t*0.8)'],
  ['760+170*sin(t*0.8+2)', '470+60*sin(t*1.2)'],
  ['880+90*sin(t*1.3)', '330+70*cos(t*1.1+1)'],
  ['500+160*cos(t*0.8)', '250+70*sin(t)'],
  ['700+150*cos(t*0.6+2)', '420+90*sin(t*0.7)'],
  ['940+80*cos(t*0.9+1)', '240+60*sin(t*1.3)'],
  ['1170+8*sin(t*3)', '340+70*sin(t*1.7)'],
  ['160+1040*(0.5-0.5*cos(t*0.75))', '340+150*sin(t*1.9)+30*sin(t*5)'],
];

/** The filter graph with outputs `[picture]` (720p, 30 frames a second) and `[sound]` (48 kHz stereo), both of CLIP_SECONDS. */
export function demoClipGraph(): string {
  return [
    ...match(),
    ...crowdAndCard(),
    `[wide][near][crowd][card]concat=n=4:v=1:a=0,setsar=1,${captions()}[picture]`,
    ...speech(),
  ].join(';');
}

function match(): string[] {
  return [
    `color=c=0x2f8f4a:s=${SIZE}:r=${RATE}:d=${CROWD},format=yuv420p,${STRIPES},${LINES}[at0]`,
    disc(40, [222, 55, 55], ',split=4[o0][o1][o2][o3]'),
    disc(40, [60, 120, 240], ',split=4[o4][o5][o6][o7]'),
    disc(24, [255, 255, 250], '[o8]'),
    ...PATHS.map(([x, y], index) => `[at${index}][o${index}]overlay=x='${x}':y='${y}':format=yuv420[at${index + 1}]`),
    `[at${PATHS.length}]split[wide0][near0]`,
    `[wide0]trim=0:${SLOW_MOTION},setpts=PTS-STARTPTS[wide]`,
    `[near0]trim=${SLOW_MOTION}:${CROWD},setpts=PTS-STARTPTS,crop=640:360:600:180,scale=${SIZE}:flags=bicubic[near]`,
  ];
}

function disc(size: number, [red, green, blue]: readonly [number, number, number], outputs: string): string {
  const middle = size / 2;
  const inside = `a='255*lt(hypot(X-${middle},Y-${middle}),${middle - 2})'`;
  return `color=c=black:s=${size}x${size}:r=${RATE}:d=${CROWD},format=rgba,geq=r=${red}:g=${green}:b=${blue}:${inside}${outputs}`;
}

function crowdAndCard(): string[] {
  return [
    `life=s=320x180:r=10:mold=12:life_color=0xffd166:death_color=0x14213d:mold_color=0x5b2a86:ratio=0.35:seed=11,` +
      `scale=640:360:flags=neighbor,gblur=sigma=2.5,fps=${RATE},scale=${SIZE},format=yuv420p,trim=0:${CARD - CROWD},setpts=PTS-STARTPTS[crowd]`,
    `gradients=s=640x360:r=${RATE}:c0=0x0b132b:c1=0x1c2541:c2=0x3a506b:c3=0x5bc0be:n=4:seed=5:speed=0.03:type=spiral,` +
      `scale=${SIZE},format=yuv420p,trim=0:${CLIP_SECONDS - CARD},setpts=PTS-STARTPTS[card]`,
  ];
}

function captions(): string {
  return [
    'drawbox=x=40:y=30:w=490:h=56:c=black@0.72:t=fill',
    'drawbox=x=40:y=30:w=8:h=56:c=0x5bc0be:t=fill',
    text(30, 'white', 66, 43, 'HARBOUR 2 - 2 VALLEY', `lt(t,${CROWD})`),
    text(30, 'white', 66, 43, 'HARBOUR 3 - 2 VALLEY', `gte(t,${CROWD})`),
    text(30, '0x5bc0be', 434, 43, '89\\:%{eif\\:30+t\\:d}', 'gte(t,0)'),
    text(
      44,
      'white',
      '(w-tw)/2',
      590,
      'SLOW MOTION',
      `between(t,${SLOW_MOTION},${CROWD})`,
      ':borderw=3:bordercolor=black@0.6',
    ),
    text(96, 'white', '(w-tw)/2', 300, 'GOAL!', `between(t,${CROWD},${CARD})`, ':borderw=6:bordercolor=black@0.7'),
    text(40, '0xe0fbfc', '(w-tw)/2', 250, 'CHAMPIONSHIP FINAL', `gte(t,${CARD})`),
    text(84, 'white', '(w-tw)/2', 310, 'FINAL SCORE 3 - 2', `gte(t,${CARD})`),
  ].join(',');
}

function text(
  size: number,
  colour: string,
  x: string | number,
  y: number,
  words: string,
  when: string,
  more = '',
): string {
  return `drawtext=${FONT}:fontsize=${size}:fontcolor=${colour}:x=${x}:y=${y}:text='${words}':enable='${when}'${more}`;
}

function speech(): string[] {
  return [
    ...SPOKEN.map(
      ([second, words], index) =>
        `flite=text='${words}':voice=slt,aresample=48000,adelay=${Math.round(second * 1000)}[say${index}]`,
    ),
    `${SPOKEN.map((_, index) => `[say${index}]`).join('')}amix=inputs=${SPOKEN.length}:normalize=0:duration=longest,` +
      `apad,atrim=0:${CLIP_SECONDS},pan=stereo|c0=c0|c1=c0,asetnsamples=1024:p=0[sound]`,
  ];
}
