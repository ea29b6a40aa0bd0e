/** Labels of the sound: the shares of speech and music, crowd peaks, silence. */
import type { Interval, Label, Sentence } from '../model.ts';
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import type { Span } from '../span.ts';
import { classify, type SoundClass } from '@vds/chassis/sound/classes';

const SECOND = 1_000;

const MIN_LEVEL = -35;
const ABOVE = 6;

/** Silent intervals of at least two seconds. */
export function silentIntervals(seconds: readonly AnalyzedSecond[], durationMs: number): readonly Interval[] {
  const classes = classify(seconds);
  return silentSpans(classes)
    .map(({ startMs, endMs }) => ({ kind: 'silent' as const, startMs, endMs: Math.min(endMs, durationMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

function silentSpans(classes: readonly SoundClass[]): Span[] {
  return runsOf(classes.length, (index) => classes[index] === 'silent', 2, 0);
}

/** Runs of seconds that match, with up to `gap` others in between. */
function runsOf(length: number, matches: (index: number) => boolean, least: number, gap: number): Span[] {
  const runs: { from: number; to: number }[] = [];
  for (let index = 0; index < length; index++) {
    if (!matches(index)) continue;
    const last = runs.at(-1);
    if (last && index - last.to <= gap) last.to = index + 1;
    else runs.push({ from: index, to: index + 1 });
  }
  return runs
    .filter(({ from, to }) => to - from >= least)
    .map(({ from, to }) => ({ startMs: from * SECOND, endMs: to * SECOND }));
}

/** @param sentences of the transcript; none: speech is recognized only by its sound */
export function soundLabels(seconds: readonly AnalyzedSecond[], sentences: readonly Sentence[]): readonly Label[] {
  if (seconds.length === 0) return [];
  const classes = classify(seconds);
  const covered = spokenSeconds(sentences, seconds.length);
  return [
    ...speech(classes, covered),
    ...music(classes, covered),
    ...crowdPeaks(seconds, classes),
    ...silence(classes),
  ];
}

/** The part of each second that sentences of the transcript cover. */
function spokenSeconds(sentences: readonly Sentence[], length: number): Float64Array {
  const covered = new Float64Array(length);
  for (const { startMs, endMs } of sentences)
    for (let index = Math.floor(startMs / SECOND); index * SECOND < endMs && index < length; index++) {
      const part = Math.min(endMs, (index + 1) * SECOND) - Math.max(startMs, index * SECOND);
      covered[index] = Math.min(1, (covered[index] ?? 0) + part / SECOND);
    }
  return covered;
}

function speech(classes: readonly SoundClass[], covered: Float64Array): Label[] {
  const isCovered = covered.some((part) => part >= 0.5);
  const spoken = classes.reduce((sum, one, index) => sum + (one === 'speech' ? 1 : (covered[index] ?? 0)), 0);
  const value = share(spoken, classes.length);
  if (value < 0.02) return [];
  return [
    {
      name: 'audio:speech',
      source: isCovered ? 'transcript' : 'sound',
      confidence: isCovered ? 0.9 : 0.6,
      spans: [],
      value,
    },
  ];
}

function music(classes: readonly SoundClass[], covered: Float64Array): Label[] {
  const played = classes.filter((one, index) => one === 'music' && (covered[index] ?? 0) < 0.5).length;
  const value = share(played, classes.length);
  return value < 0.05 || played < 3
    ? []
    : [{ name: 'audio:music', source: 'sound', confidence: 0.6, spans: [], value }];
}

/** Lasting noise that is loud compared with the rest of the video. */
function crowdPeaks(seconds: readonly AnalyzedSecond[], classes: readonly SoundClass[]): Label[] {
  const least = Math.max(MIN_LEVEL, backgroundOf(seconds) + ABOVE);
  const level = (index: number): number => seconds[index]?.[0] ?? -100;
  const spans = runsOf(seconds.length, (index) => classes[index] === 'noise' && level(index) >= least, 2, 1);
  if (spans.length === 0) return [];
  const loudest = Math.max(...seconds.map((_second, index) => (classes[index] === 'noise' ? level(index) : -100)));
  const confidence = Number(Math.min(0.85, 0.5 + (loudest - least) / 40).toFixed(2));
  return [{ name: 'audio:crowd_peak', source: 'sound', confidence, spans }];
}

function silence(classes: readonly SoundClass[]): Label[] {
  const spans = silentSpans(classes);
  if (spans.length === 0) return [];
  const value = share(classes.filter((one) => one === 'silent').length, classes.length);
  return [{ name: 'audio:silent', source: 'sound', confidence: 0.95, spans, value }];
}

/** The level that a fifth of the seconds stay below. */
function backgroundOf(seconds: readonly AnalyzedSecond[]): number {
  return Math.max(-60, seconds.map(([level]) => level).sort((a, b) => a - b)[Math.floor(seconds.length / 5)] ?? -60);
}

function share(count: number, of: number): number {
  return Number((count / Math.max(1, of)).toFixed(3));
}
