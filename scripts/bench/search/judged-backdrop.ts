/** What surrounds the videos of the set that the weights were chosen on; but for small words and a `half`, nothing of it is asked for. */
import type { Backdrop } from './background.ts';

export const judgedBackdrop: Backdrop = {
  clubs: 'Ashford Bellwood Corvale Dunmere Eastgate Fairholt Granton Hexley Ivesham Jarrow'.split(' '),
  kinds: ['highlights', 'full match', 'training', 'press conference', 'behind the scenes', 'season preview'],
  sports: 'soccer basketball tennis golf cricket rugby swimming boxing skiing fencing'.split(' '),
  topics: ['team', 'season', 'crowd', 'coach', 'stadium', 'weather', 'tactics', 'youth', 'travel', 'history'],
  summaries: [
  'The whole evening from the stands.',
  'What the coach told the players, and how the crowd answered.',
  'A look at the team before the season begins.',
  'Rain came early, the public stayed.',
  'The story of a small club and its many friends.',
],
  remarks: [
  { en: 'The crowd is very loud tonight.', es: 'El público está muy ruidoso esta noche.', fr: 'Le public est très bruyant ce soir.', de: 'Das Publikum ist heute sehr laut.', ja: '今夜の観客はとても賑やかです。' },
  { en: 'The coach changes the team.', es: 'El entrenador cambia el equipo.', fr: "L'entraîneur change l'équipe.", de: 'Der Trainer ändert die Mannschaft.', ja: '監督がチームを変えます。' },
  { en: 'They have trained all week.', es: 'Han entrenado toda la semana.', fr: "Ils se sont entraînés toute la semaine.", de: 'Sie haben die ganze Woche trainiert.', ja: '彼らは一週間練習しました。' },
  { en: 'The weather is getting better.', es: 'El tiempo mejora.', fr: 'Le temps devient meilleur.', de: 'Das Wetter wird besser.', ja: '天気が良くなっています。' },
  { en: 'It is a beautiful stadium.', es: 'Es un estadio precioso.', fr: "C'est un beau stade.", de: 'Es ist ein schönes Stadion.', ja: '美しいスタジアムです。' },
  { en: 'Nobody expected that today.', es: 'Nadie lo esperaba hoy.', fr: "Personne ne s'y attendait aujourd'hui.", de: 'Das hat heute niemand erwartet.', ja: '今日は誰も予想していませんでした。' },
  { en: 'The season has only begun.', es: 'La temporada acaba de empezar.', fr: 'La saison ne fait que commencer.', de: 'Die Saison hat gerade begonnen.', ja: 'シーズンは始まったばかりです。' },
  { en: 'We will talk to the players later.', es: 'Hablaremos luego con los jugadores.', fr: 'Nous parlerons aux joueurs plus tard.', de: 'Wir sprechen später mit den Spielern.', ja: '後で選手と話します。' },
],
  languages: ['en', 'es', 'fr', 'de', 'ja'],
  boards: ['LIVE', 'HALF TIME', 'WELCOME', 'NEXT: NEWS', '1ST PERIOD', 'SUBSTITUTION'],
}; // prettier-ignore
