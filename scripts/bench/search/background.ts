/** Videos that nobody asks for: what the judged ones lie among, and what fills the parts that nobody judged. */
import type { Made } from './judged-set.ts';

/** A small seeded generator (mulberry32), so that every run has the same videos. */
export const seeded = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  return {
    next,
    pick,
    some: <T>(items: readonly T[], count: number): T[] => Array.from({ length: count }, () => pick(items)),
  };
};
export type Seeded = ReturnType<typeof seeded>;

const clubs = 'Ashford Bellwood Corvale Dunmere Eastgate Fairholt Granton Hexley Ivesham Jarrow'.split(' ');
const kinds = ['highlights', 'full match', 'training', 'press conference', 'behind the scenes', 'season preview'];
const sports = 'soccer basketball tennis golf cricket rugby swimming boxing skiing fencing'.split(' ');
const topics = ['team', 'season', 'crowd', 'coach', 'stadium', 'weather', 'tactics', 'youth', 'travel', 'history'];
const summaries = [
  'The whole evening from the stands.',
  'What the coach told the players, and how the crowd answered.',
  'A look at the team before the season begins.',
  'Rain came early, the public stayed.',
  'The story of a small club and its many friends.',
];

/** The same remark in several languages; none has a word that is asked for. */
const remarks: readonly Readonly<Record<string, string>>[] = [
  { en: 'The crowd is very loud tonight.', es: 'El público está muy ruidoso esta noche.', fr: 'Le public est très bruyant ce soir.', de: 'Das Publikum ist heute sehr laut.', ja: '今夜の観客はとても賑やかです。' },
  { en: 'The coach changes the team.', es: 'El entrenador cambia el equipo.', fr: "L'entraîneur change l'équipe.", de: 'Der Trainer ändert die Mannschaft.', ja: '監督がチームを変えます。' },
  { en: 'They have trained all week.', es: 'Han entrenado toda la semana.', fr: "Ils se sont entraînés toute la semaine.", de: 'Sie haben die ganze Woche trainiert.', ja: '彼らは一週間練習しました。' },
  { en: 'The weather is getting better.', es: 'El tiempo mejora.', fr: 'Le temps devient meilleur.', de: 'Das Wetter wird besser.', ja: '天気が良くなっています。' },
  { en: 'It is a beautiful stadium.', es: 'Es un estadio precioso.', fr: "C'est un beau stade.", de: 'Es ist ein schönes Stadion.', ja: '美しいスタジアムです。' },
  { en: 'Nobody expected that today.', es: 'Nadie lo esperaba hoy.', fr: "Personne ne s'y attendait aujourd'hui.", de: 'Das hat heute niemand erwartet.', ja: '今日は誰も予想していませんでした。' },
  { en: 'The season has only begun.', es: 'La temporada acaba de empezar.', fr: 'La saison ne fait que commencer.', de: 'Die Saison hat gerade begonnen.', ja: 'シーズンは始まったばかりです。' },
  { en: 'We will talk to the players later.', es: 'Hablaremos luego con los jugadores.', fr: 'Nous parlerons aux joueurs plus tard.', de: 'Wir sprechen später mit den Spielern.', ja: '後で選手と話します。' },
]; // prettier-ignore
const languages = ['en', 'es', 'fr', 'de', 'ja'];
const boards = ['LIVE', 'HALF TIME', 'WELCOME', 'NEXT: NEWS', '1ST PERIOD', 'SUBSTITUTION'];

/** Sentences before and after what was made to be found. */
const around = (random: Seeded, spoken: NonNullable<Made['spoken']>): NonNullable<Made['spoken']> => {
  const lines = random.some(remarks, 4 + Math.floor(random.next() * 12));
  const all = [...new Set([...languages, ...Object.keys(spoken)])];
  return Object.fromEntries(
    all.map((language) => {
      const filler = lines.flatMap((line) => line[language] ?? []);
      const middle = Math.floor(filler.length / 2);
      return [language, [...filler.slice(0, middle), ...(spoken[language] ?? []), ...filler.slice(middle)]];
    }),
  );
};

/** A whole video around what was made; everything where nothing was. */
export const fill = (random: Seeded, made: Made = {}): Required<Made> => ({
  title: made.title ?? `${random.pick(clubs)} v ${random.pick(clubs)}: ${random.pick(kinds)}`,
  summary: made.summary ?? random.pick(summaries),
  tags: [...(made.tags ?? []), ...random.some(clubs, 2)],
  topics: [...(made.topics ?? []), ...random.some(topics, 2)],
  sport: made.sport ?? random.pick(sports),
  language: made.language ?? 'en',
  spoken: around(random, made.spoken ?? {}),
  screen: [...(made.screen ?? []), ...random.some(boards, 2)],
});
