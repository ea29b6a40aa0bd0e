/** Small files that carry many tracks, and what each of them holds: the table that the suite judges the service by. */
import { readFile, writeFile } from 'node:fs/promises';
import { ffmpeg, picture } from '../clips.ts';
import { captionUnit } from '../corpus/generators/closed-captions.ts';
import { addUnits } from '../corpus/generators/nal-units.ts';
import type { FileRecipe, RecipeContext } from '../corpus/recipes/recipe.ts';

export type Sound = {
  readonly hertz: number;
  /** Second at which the tone begins. */
  readonly from: number;
  readonly language: string | null;
  readonly role: string;
  readonly title?: string;
  readonly codec: readonly string[];
  /** No player can use it: a warning is right. */
  readonly isUnusable?: true;
};
export type Text = {
  readonly language: string | null;
  readonly codec: string;
  readonly starts: readonly number[];
  readonly lines: readonly string[];
  readonly disposition?: string;
  readonly isUnusable?: true;
};
export type Chapter = { readonly startMs: number; readonly title: string };
export type Carried = FileRecipe & {
  readonly seconds: number;
  readonly sounds: readonly Sound[];
  readonly texts: readonly Text[];
  readonly chapters: readonly Chapter[];
  /** CEA-608 inside the pictures. */
  readonly hasClosedCaptions: boolean;
  /** Size and range of the original beside the ladder; undefined: there is none. */
  readonly original: { readonly size: string; readonly range: string } | undefined;
};

type Coder = { readonly arguments: readonly string[]; readonly range?: string };
const coders: Readonly<Record<string, Coder>> = {
  'H.264': { arguments: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '2'] },
  HEVC: { arguments: x265('bframes=2'), range: 'SDR' },
  HDR10: { arguments: x265(inHdr('smpte2084'), 'yuv420p10le'), range: 'PQ' },
  HLG: { arguments: x265(inHdr('arib-std-b67'), 'yuv420p10le'), range: 'HLG' },
  AV1: { arguments: ['-c:v', 'libaom-av1', '-cpu-used', '8', '-g', '25', '-pix_fmt', 'yuv420p'], range: 'SDR' },
  VP9: { arguments: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '300k'] },
  VP8: { arguments: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '300k'] },
};

const soundCodecs: Readonly<Record<string, readonly string[]>> = {
  aac: ['aac'],
  ac3: ['ac3'],
  eac3: ['eac3'],
  mp3: ['libmp3lame'],
  mp2: ['mp2'],
  alac: ['alac'],
  flac: ['flac', '-strict', '-2'],
  opus: ['libopus'],
  vorbis: ['libvorbis'],
  pcm: ['pcm_s16le'],
  dts: ['dca', '-strict', '-2'],
  adpcm: ['adpcm_ms'],
};
const languages = 'eng ita jpn spa fra deu por pol nld swe tur rus'.split(' ');
/** Those that QuickTime files have numbers for (QuickTime File Format, Language code values). */
const inQuickTime = 'eng ita jpn spa fra ger por dan dut sve nor heb'.split(' ');
/** Language, what it is for, and ffmpeg's disposition for that, in the order in which files hold them. */
const sounds: readonly (readonly [language: string | null, role: string, disposition: string, title?: string])[] = [
  ['eng', 'main', 'default'],
  ['ita', 'main', '0'],
  ['eng', 'commentary', 'comment', 'Away radio'],
  ['eng', 'description', 'visual_impaired'],
  ['eng', 'clean', 'hearing_impaired'],
  ['spa', 'main', '0', 'Español'],
  ['jpn', 'main', '0'],
  [null, 'main', '0'],
  ['fra', 'main', '0'],
  ['deu', 'main', '0'],
];
const MAX_SOUNDS = 8;

type Asked = {
  /** A codec for all, or one for each. */
  readonly sound?: string;
  readonly sounds?: number;
  readonly text?: string;
  readonly texts?: number;
  readonly chapters?: number;
  /** Text tracks that no viewer needs. */
  readonly useless?: readonly ('forced' | 'empty' | 'bitmap')[];
  readonly closedCaptions?: true;
  readonly size?: string;
  readonly rate?: number;
  readonly seconds?: number;
  /** Seconds at which the file's clock begins. */
  readonly begins?: number;
  readonly usual?: true;
};

function x265(more: string, format = 'yuv420p'): readonly string[] {
  return [
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `log-level=error:keyint=25:${more}`],
    ...['-pix_fmt', format, '-tag:v', 'hvc1'],
  ];
}

function inHdr(transfer: string): string {
  return `colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`;
}

/** A row of the table. */
function carried(file: string, coder: string, asked: Asked): Carried {
  const { seconds = 3, size = '160x90', closedCaptions = false, usual } = asked;
  const { range } = coders[coder] ?? {};
  const [made, texts, chapters] = [soundsOf(file, asked), textsOf(file, asked), chaptersOf(asked)];
  const textCodecs = [...new Set(texts.map(({ codec }) => codec))].join(' ');
  const parts = [
    ...(asked.size ? [`${size}`] : []),
    `${made.length} sounds ${asked.sound ?? 'aac'}`,
    `${texts.length} texts ${textCodecs}`.trim(),
    ...[asked.useless ?? []].flat(),
    ...(closedCaptions ? ['CEA-608'] : []),
    ...(chapters.length > 0 ? [`${chapters.length} chapters`] : []),
    ...(asked.begins === undefined ? [] : [`from ${asked.begins} s`]),
  ];
  const recipe = {
    ...{ name: `${coder} in ${file} (${parts.join(', ')})`, file, seconds, sounds: made, texts, chapters },
    ...{ hasClosedCaptions: closedCaptions, ...(usual && { usual }) },
    original: range !== undefined && !closedCaptions ? { size, range } : undefined,
  };
  return { ...recipe, make: (context) => make(context, recipe, coder, asked) };
}

function soundsOf(file: string, { sound = 'aac', sounds: count = 1, seconds = 3 }: Asked): Sound[] {
  const codecs = sound.split(' ');
  return sounds.slice(0, count).map(([language, role, , title], place) => {
    const codec = codecs[place % codecs.length] ?? '';
    return {
      // Only these files say what a track is for.
      ...{
        language,
        role: file === 'mp4' || file === 'mkv' ? role : 'main',
        hertz: 300 + 150 * place,
        from: 0.25 + ((0.25 * place) % (seconds - 1)),
      },
      ...{ codec: soundCodecs[codec] ?? [codec], ...(title !== undefined && { title }) },
      ...((codec === 'adpcm' || place >= MAX_SOUNDS) && { isUnusable: true }),
    };
  });
}

function textsOf(file: string, { text = '', texts = text === '' ? 0 : 1, useless = [], seconds = 3 }: Asked): Text[] {
  const codecs = text.split(' ');
  const usable = (file === 'mov' ? inQuickTime : languages).slice(0, texts).map((language, place): Text => {
    const from = 0.2 + place / 10;
    const codec = codecs[place % codecs.length] ?? '';
    const starts = codec === 'c608' ? [1] : [from, from + 1.2].filter((at) => at + 0.4 <= seconds);
    const lines = codec === 'c608' ? ['HELLO'] : [`Spoken in ${language} & <b>done</b>.`, 'Second line.'];
    return { language, codec, starts, lines: lines.map((line) => line.replaceAll(/<[^>]+>/g, '')) };
  });
  const others = useless.map((kind): Text => {
    const codec = kind === 'bitmap' ? 'copy' : (codecs[0] ?? '');
    const starts = kind === 'empty' ? [60] : [1];
    return { language: 'swe', codec, starts, lines: ['Sign'], disposition: kind, isUnusable: true };
  });
  return [...usable, ...others];
}

function chaptersOf({ chapters = 0, seconds = 3 }: Asked): Chapter[] {
  const titles = ['First half', 'Pause & “tea”', 'Zweite Hälfte', '後半', ''];
  const startOf = (place: number): number => Math.round((place * seconds * 1_000) / chapters);
  return Array.from({ length: chapters }, (_chapter, place) => ({
    startMs: startOf(place),
    title: titles[place % titles.length] ?? '',
  }));
}

type Made = Pick<Carried, 'seconds' | 'sounds' | 'texts' | 'chapters'>;

async function make({ path, at }: RecipeContext, made: Made, coder: string, asked: Asked): Promise<void> {
  const { size = '160x90', rate = 25, begins } = asked;
  const film = at(asked.closedCaptions ? 'film.h264' : 'film.mkv');
  const coded = coders[coder]?.arguments ?? [];
  if (asked.closedCaptions) {
    await ffmpeg(...picture(size, rate, made.seconds), ...coded, '-bf', '0', '-x264-params', 'aud=1', film);
    await writeFile(film, addUnits(await readFile(film), 'h264', captionUnit));
  } else await ffmpeg(...picture(size, rate, made.seconds), ...coded, film);
  const tones = made.sounds.flatMap(({ hertz, from }) => [
    ...['-f', 'lavfi', '-i'],
    `aevalsrc='if(gte(t,${from}),0.4*sin(2*PI*${hertz}*t),0)':s=48000:d=${made.seconds}`,
  ]);
  const subtitles: string[] = [];
  for (const [place, text] of made.texts.entries()) subtitles.push('-i', await writeText(at, place, text));
  const inputs = ['-r', `${rate}`, '-i', film, ...tones, ...subtitles];
  const streams = 1 + made.sounds.length + made.texts.length;
  if (made.chapters.length > 0) {
    await writeFile(at('chapters.txt'), chapterFile(made));
    inputs.push('-i', at('chapters.txt'));
  }
  await ffmpeg(
    ...(asked.closedCaptions ? inputs : inputs.slice(2)),
    ...Array.from({ length: streams }, (_stream, index) => ['-map', `${index}`]).flat(),
    ...[
      '-c:v',
      'copy',
      '-map_metadata',
      made.chapters.length > 0 ? `${streams}` : '-1',
      '-map_chapters',
      made.chapters.length > 0 ? `${streams}` : '-1',
    ],
    ...soundArguments(made.sounds),
    ...textArguments(made.texts),
    ...(/HEVC|HDR10|HLG/.test(coder) && /mp4|mov/.test(path) ? ['-tag:v', 'hvc1'] : []),
    ...['-t', String(made.seconds), ...(begins === undefined ? [] : ['-output_ts_offset', `${begins}`]), path],
  );
}

function soundArguments(made: readonly Sound[]): string[] {
  return made.flatMap(({ language, title, codec: [name = '', ...more] }, place) => [
    ...[`-c:a:${place}`, name, ...more],
    ...(language === null ? [] : [`-metadata:s:a:${place}`, `language=${language}`]),
    ...(title === undefined
      ? []
      : [`-metadata:s:a:${place}`, `title=${title}`, `-metadata:s:a:${place}`, `handler_name=${title}`]),
    ...[`-disposition:a:${place}`, sounds[place]?.[2] ?? '0'],
  ]);
}

function textArguments(made: readonly Text[]): string[] {
  return made.flatMap(({ language, codec, disposition }, place) => [
    ...[`-c:s:${place}`, codec === 'c608' ? 'copy' : codec],
    ...(language === null ? [] : [`-metadata:s:s:${place}`, `language=${language}`]),
    ...[`-disposition:s:${place}`, disposition === 'forced' ? 'forced' : '0'],
  ]);
}

/** @returns its path */
async function writeText(at: RecipeContext['at'], place: number, { codec, starts, lines, disposition }: Text) {
  const [kind, body] =
    disposition === 'bitmap'
      ? (['sup', bitmapSubtitles(starts[0] ?? 0)] as const)
      : codec === 'c608'
        ? (['scc', lineTwentyOne] as const)
        : (['srt', srt(starts, lines)] as const);
  await writeFile(at(`${place}.${kind}`), body);
  return at(`${place}.${kind}`);
}

function srt(starts: readonly number[], lines: readonly string[]): string {
  const clock = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(11, 23).replace('.', ',');
  return starts
    .map((from, index) => `${index + 1}\n${clock(from)} --> ${clock(from + 0.4)}\n${lines.join('\n')}\n`)
    .join('\n');
}

/** "HELLO" from the first second on, for a second, as codes of CEA-608 two bytes a picture. */
const lineTwentyOne = `Scenarist_SCC V1.0

00:00:01:00\t9420 9420 94ae 94ae 9470 9470 c845 4c4c 4f80 942c 942c 942f 942f

00:00:02:00\t942c 942c
`;

/** A presentation without an object, and its end, as Blu-ray stores subtitles (PGS). */
function bitmapSubtitles(from: number): Buffer {
  const segment = (type: number, data: readonly number[]): Buffer => {
    const header = Buffer.alloc(13);
    header.write('PG');
    header.writeUInt32BE(from * 90_000, 2);
    header[10] = type;
    header.writeUInt16BE(data.length, 11);
    return Buffer.concat([header, Buffer.from(data)]);
  };
  return Buffer.concat([segment(0x16, [0, 160, 0, 90, 0x10, 0, 0, 0x80, 0, 0, 0]), segment(0x80, [])]);
}

function chapterFile({ chapters, seconds }: Made): string {
  const all = chapters.map(({ startMs, title }, place) => {
    const end = chapters[place + 1]?.startMs ?? seconds * 1_000;
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${startMs}\nEND=${end}\ntitle=${title}\n`;
  });
  return `;FFMETADATA1\n${all.join('')}`;
}

const usual = true;
const many = { sounds: 8, texts: 12, chapters: 3 };

/** Sizes are tiny but for those of 2160p. */
export const carriedFiles: readonly Carried[] = [
  carried('mp4', 'H.264', { ...many, text: 'mov_text', usual }),
  carried('mkv', 'HDR10', { ...many, sound: 'opus', text: 'ass', useless: ['forced', 'empty'], usual }),
  carried('webm', 'AV1', { sound: 'opus vorbis', sounds: 4, text: 'webvtt', texts: 6, chapters: 2, usual }),
  carried('mkv', 'H.264', { sound: 'aac ac3 mp2', sounds: 6, closedCaptions: true }),
  carried('mov', 'HLG', { sound: 'pcm alac', sounds: 5, text: 'mov_text', texts: 3, chapters: 5, usual }),
  carried('mp4', 'HEVC', {
    sound: 'ac3 eac3',
    sounds: 3,
    text: 'mov_text',
    size: '3840x2160',
    rate: 10,
    seconds: 2,
  }),
  carried('mov', 'H.264', { sounds: 2, text: 'c608', usual }),
  carried('mkv', 'VP9', { sound: 'aac adpcm', sounds: 4, text: 'srt', texts: 2, useless: ['bitmap'], usual }),
  // Every codec of sound, in every container that takes it.
  ...['aac', 'ac3', 'eac3', 'mp3', 'alac', 'flac', 'opus'].map((sound) =>
    carried('mp4', 'H.264', { sound, sounds: 5 }),
  ),
  ...['aac', 'ac3', 'eac3', 'alac', 'pcm', 'mp3'].map((sound) => carried('mov', 'H.264', { sound, sounds: 5 })),
  ...['aac', 'ac3', 'eac3', 'mp3', 'mp2', 'flac', 'opus', 'vorbis', 'pcm', 'dts'].map((sound) =>
    carried('mkv', 'H.264', { sound, sounds: 8 }),
  ),
  ...['opus', 'vorbis'].map((sound) => carried('webm', 'VP8', { sound, sounds: 8 })),
  carried('mkv', 'H.264', { sound: 'aac ac3 flac opus vorbis mp3 pcm eac3', sounds: 10 }),
  // Every kind of text.
  ...['srt', 'ass', 'webvtt'].map((text) => carried('mkv', 'H.264', { text, texts: 12, useless: ['forced', 'empty'] })),
  carried('mkv', 'H.264', { text: 'srt ass webvtt', texts: 9, useless: ['bitmap', 'forced'], sounds: 3 }),
  ...['mp4', 'mov'].map((file) => carried(file, 'H.264', { text: 'mov_text', texts: 12 })),
  carried('webm', 'VP9', { sound: 'opus', text: 'webvtt', texts: 12 }),
  carried('mov', 'H.264', { text: 'mov_text c608', texts: 2, chapters: 2 }),
  ...['mp4', 'mov', 'mkv'].map((file) => carried(file, 'H.264', { sounds: 2, closedCaptions: true })),
  ...['mp4', 'mkv'].map((file) =>
    carried(file, 'H.264', { closedCaptions: true, text: file === 'mp4' ? 'mov_text' : 'srt', texts: 3, sounds: 8 }),
  ),
  // Every kind of pictures, with more than one of all else.
  ...['HEVC', 'HDR10', 'HLG', 'AV1'].flatMap((coder) => [
    carried('mp4', coder, { ...many, text: 'mov_text' }),
    carried('mkv', coder, { ...many, sound: 'flac', text: 'srt', texts: 6 }),
  ]),
  ...['HEVC', 'HDR10'].map((coder) => carried('mov', coder, { sounds: 4, text: 'mov_text', chapters: 4 })),
  ...['HEVC', 'HLG'].map((coder) => carried('mkv', coder, { sounds: 4, sound: 'ac3', chapters: 2 })),
  carried('webm', 'AV1', { sound: 'vorbis', sounds: 8, text: 'webvtt', texts: 2 }),
  carried('mp4', 'VP9', { sounds: 3, text: 'mov_text', texts: 2, chapters: 2 }),
  // 2160p.
  ...['H.264', 'HDR10', 'HLG'].map((coder) =>
    carried('mp4', coder, { sounds: 2, text: 'mov_text', size: '3840x2160', rate: 10, seconds: 2 }),
  ),
  carried('mkv', 'HEVC', { sounds: 8, sound: 'opus', text: 'ass', size: '3840x2160', rate: 10, seconds: 2 }),
  // Clocks that begin later.
  carried('mkv', 'H.264', { sounds: 3, text: 'srt', texts: 2, begins: 10 }),
  carried('mkv', 'H.264', { sounds: 3, closedCaptions: true, begins: 100 }),
  carried('mp4', 'HEVC', { sounds: 3, text: 'mov_text', texts: 2, begins: 5 }),
];
