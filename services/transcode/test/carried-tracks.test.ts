/**
 * Nothing that a file carries is lost: every track of sound and of text, every chapter and the best picture arrive in sync,
 * or a warning names them. `npm test` tries some of the files, `npm run test:long` all.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textsDocument } from '@vds/proto/documents/texts';
import { probe, shownAt, type Downloaded } from './clips.ts';
import { carriedFiles, type Carried, type Chapter } from './carried/files.ts';
import { hear } from './carried/hear.ts';
import { isLong } from './long-runs.ts';
import { chosenOf, encodeFile, testRecipes } from './corpus/test-recipes.ts';
import type { Harness } from './harness.ts';

/** What players may be off, in milliseconds. */
const MAX_LAG_MS = 20;
const HEARD_HZ = 8;

/** Of all files, for the table. */
const totals = { files: 0, sounds: 0, texts: 0, chapters: 0, originals: 0, warned: 0, worstSoundMs: 0, worstTextMs: 0 };

describe('everything that a file carries', function () {
  this.timeout(180_000);
  testRecipes(chosenOf(carriedFiles), { titleOf: ({ name }) => `nothing is lost of ${name}`, faultsOf });
  after(() => {
    if (isLong) process.stdout.write(`      ${JSON.stringify(totals)}\n`);
  });
});

async function faultsOf(harness: Harness, path: string, recipe: Carried): Promise<string[]> {
  const { rejectedWith, output, warnings } = await encodeFile(harness, path);
  if (!output) return [`is rejected with ${rejectedWith}`];
  totals.files += 1;
  return [
    ...(await soundFaults(output, recipe, warnings)),
    ...(await textFaults(output, recipe, warnings)),
    ...chapterFaults(output, recipe),
    ...(await originalFaults(path, output, recipe)),
  ];
}

/** Each tone is of one pitch, by which it is found again whatever the order. */
async function soundFaults({ ladder, folder }: Downloaded, { sounds, seconds }: Carried, warnings: readonly string[]) {
  const all = [...(ladder.audio ? [ladder.audio] : []), ...(ladder.alternates ?? [])];
  const heard = await Promise.all(
    all.map(async (track) => ({ ...track, ...(await hear(join(folder, track.playlist))) })),
  );
  const faults: string[] = [];
  for (const { hertz, from, language, role, title, isUnusable } of sounds) {
    const found = heard.find((track) => Math.abs(track.hertz - hertz) < HEARD_HZ);
    if (!found && isUnusable && warnings.includes('audio_tracks_left_out')) totals.warned += 1;
    else if (!found) faults.push(`sound of ${hertz} Hz is lost`);
    else {
      totals.sounds += 1;
      const lag = (found.from - from) * 1_000;
      totals.worstSoundMs = Math.max(totals.worstSoundMs, Math.abs(lag));
      if (Math.abs(lag) > MAX_LAG_MS) faults.push(`sound of ${hertz} Hz is ${lag.toFixed(0)} ms late`);
      if (Math.abs(found.seconds - seconds) > 0.1) faults.push(`sound of ${hertz} Hz lasts ${found.seconds} s`);
      if (found.language !== language) faults.push(`sound of ${hertz} Hz is ${found.language}, not ${language}`);
      if (found.role !== role) faults.push(`sound of ${hertz} Hz is ${found.role}, not ${role}`);
      if (found.title !== title) faults.push(`sound of ${hertz} Hz is called ${found.title}, not ${title}`);
    }
  }
  const wanted = sounds.filter(({ isUnusable }) => !isUnusable).length;
  if (heard.length > wanted) faults.push(`${heard.length} tracks of sound, not ${wanted}`);
  if (wanted === sounds.length && warnings.includes('audio_tracks_left_out')) faults.push('warns of sound left out');
  return faults;
}

async function textFaults({ ladder, folder }: Downloaded, recipe: Carried, warnings: readonly string[]) {
  const { texts, hasClosedCaptions } = recipe;
  const usable = texts.filter(({ isUnusable }) => !isUnusable);
  const arrived = ladder.texts ? textsDocument.read(await readFile(join(folder, ladder.texts))).tracks : [];
  const faults: string[] = [];
  for (const { language, starts, lines, codec } of usable) {
    const cues = arrived.find((track) => track.language === language)?.cues;
    if (!cues) {
      faults.push(`${codec} in ${language} is lost`);
      continue;
    }
    totals.texts += 1;
    if (cues.some((cue) => cue.lines.join('|') !== lines.join('|')))
      faults.push(`${language} says ${cues[0]?.lines.join('|')}`);
    if (cues.length !== starts.length) faults.push(`${cues.length} cues in ${language}, not ${starts.length}`);
    for (const [index, from] of starts.entries()) {
      const lag = (cues[index]?.startMs ?? Infinity) - from * 1_000;
      totals.worstTextMs = Math.max(totals.worstTextMs, Math.abs(lag));
      if (Math.abs(lag) > MAX_LAG_MS) faults.push(`cue ${index} in ${language} is ${lag.toFixed(0)} ms late`);
    }
  }
  const television = arrived.filter(({ cues }) => cues.some((cue) => cue.lines.join('').includes('CAPTION 608')));
  if (television.length !== Number(hasClosedCaptions)) faults.push(`${television.length} tracks of CEA-608`);
  totals.texts += television.length;
  const useless = texts.length - usable.length;
  totals.warned += useless;
  if (warnings.includes('text_tracks_left_out') !== useless > 0)
    faults.push(`${useless} texts left out without a word`);
  const wanted = usable.length + Number(hasClosedCaptions);
  if (arrived.length !== wanted) faults.push(`${arrived.length} texts, not ${wanted}`);
  return faults;
}

function chapterFaults({ ladder }: Downloaded, { chapters }: Carried): string[] {
  const got = ladder.chapters ?? [];
  totals.chapters += got.length;
  const isRight = ({ startMs, title }: Chapter, index: number): boolean =>
    got[index]?.title === title && Math.abs(got[index].startMs - startMs) <= MAX_LAG_MS;
  return got.length === chapters.length && chapters.every(isRight) ? [] : [`chapters are ${JSON.stringify(got)}`];
}

async function originalFaults(source: string, { ladder, folder }: Downloaded, { original: wanted, seconds }: Carried) {
  const { original } = ladder;
  if (!original) return wanted ? ['has no original'] : [];
  if (!wanted) return ['has an original'];
  totals.originals += 1;
  const playlist = join(folder, original.playlist);
  const [made, sent] = await Promise.all([shownAt(playlist), shownAt(source)]);
  const zero = sent[0] ?? 0;
  const shape = await probe(
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=width,height',
    '-of',
    'csv=p=0:s=x',
    playlist,
  );
  const late = made.some((time, index) => Math.abs(time - ((sent[index] ?? 0) - zero)) > 0.002);
  return [
    ...(original.range === wanted.range ? [] : [`the original is ${original.range}, not ${wanted.range}`]),
    ...(shape.trim().split('\n')[0] === wanted.size ? [] : [`the original is ${shape.trim()}`]),
    ...(made.length === sent.length && !late ? [] : [`the original shows ${made.length} of ${sent.length} pictures`]),
    ...(Math.abs(ladder.durationMs / 1_000 - seconds) < 0.1 ? [] : [`lasts ${ladder.durationMs} ms`]),
  ];
}
