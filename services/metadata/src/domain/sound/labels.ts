/** Labels of the sound: the shares of speech and music, crowd peaks, silence. */
import type { Interval, Label, Sentence } from '../model.ts';
import type { AnalyzedSecond } from '../analysis.ts';
import type { Span } from '../span.ts';
import { classify, type SoundClass } from './classes.ts';

const second = 1_000;

const leastLevel = -35;
const above = 6;

/** Silent intervals of at least two seconds. */
export function silentIntervals(seconds: readonly AnalyzedSecond[], durationMs: number): readonly Interval[] {
  const classes = classify(seconds);
  return runsOf(seconds.length, (place) => classes[place] === 'silent', 2, 0)
    .map(({ startMs, endMs }) => ({ kind: 'silent' as const, startMs, endMs: Math.min(endMs, durationMs) }))
    .filter(({ startMs, endMs }) => endMs > startMs);
}

/** Runs of seconds that a test holds for, with up to `gap` others in between. */
function runsOf(length: number, holds: (place: number) => boolean, least: number, gap: number): Span[] {
  const runs: { from: number; to: number }[] = [];
  for (let place = 0; place < length; place++) {
    if (!holds(place)) continue;
    const last = runs.at(-1);
    if (last && place - last.to <= gap) last.to = place + 1;
    else runs.push({ from: place, to: place + 1 });
  }
  return runs
    .filter(({ from, to }) => to - from >= least)
    .map(({ from, to }) => ({ startMs: from * second, endMs: to * second }));
}

/** @param sentences of the transcript; none: speech is recognized only by its sound */
export function soundLabels(seconds: readonly AnalyzedSecond[], sentences: readonly Sentence[]): readonly Label[] {
  if (seconds.length === 0) return [];
  const classes = classify(seconds);
  const covered = spokenSeconds(sentences, seconds.length);
  const silent = runsOf(seconds.length, (place) => classes[place] === 'silent', 2, 0);
  const quiet = classes.filter((one) => one === 'silent').length;
  return [
    ...speech(classes, covered),
    ...music(classes, covered),
    ...crowdPeaks(seconds, classes),
    ...(silent.length === 0
      ? []
      : [
          {
            name: 'audio:silent',
            source: 'sound' as const,
            confidence: 0.95,
            spans: silent,
            value: share(quiet, classes.length),
          },
        ]),
  ];
}

/** The part of each second that sentences of the transcript cover. */
function spokenSeconds(sentences: readonly Sentence[], length: number): Float64Array {
  const covered = new Float64Array(length);
  for (const { startMs, endMs } of sentences)
    for (let place = Math.floor(startMs / second); place * second < endMs && place < length; place++) {
      const part = Math.min(endMs, (place + 1) * second) - Math.max(startMs, place * second);
      covered[place] = Math.min(1, (covered[place] ?? 0) + part / second);
    }
  return covered;
}

function speech(classes: readonly SoundClass[], covered: Float64Array): Label[] {
  const told = covered.some((part) => part >= 0.5);
  const spoken = classes.reduce((sum, one, place) => sum + (one === 'speech' ? 1 : (covered[place] ?? 0)), 0);
  const value = share(spoken, classes.length);
  if (value < 0.02) return [];
  return [
    { name: 'audio:speech', source: told ? 'transcript' : 'sound', confidence: told ? 0.9 : 0.6, spans: [], value },
  ];
}

function music(classes: readonly SoundClass[], covered: Float64Array): Label[] {
  const played = classes.filter((one, place) => one === 'music' && (covered[place] ?? 0) < 0.5).length;
  const value = share(played, classes.length);
  return value < 0.05 || played < 3
    ? []
    : [{ name: 'audio:music', source: 'sound', confidence: 0.6, spans: [], value }];
}

/** Lasting noise that is loud compared with the rest of the video. */
function crowdPeaks(seconds: readonly AnalyzedSecond[], classes: readonly SoundClass[]): Label[] {
  const least = Math.max(leastLevel, backgroundOf(seconds) + above);
  const level = (place: number): number => seconds[place]?.[0] ?? -100;
  const spans = runsOf(seconds.length, (place) => classes[place] === 'noise' && level(place) >= least, 2, 1);
  if (spans.length === 0) return [];
  const loudest = Math.max(...seconds.map((_second, place) => (classes[place] === 'noise' ? level(place) : -100)));
  const confidence = Number(Math.min(0.85, 0.5 + (loudest - least) / 40).toFixed(2));
  return [{ name: 'audio:crowd_peak', source: 'sound', confidence, spans }];
}

/** The level that a fifth of the seconds stay below. */
function backgroundOf(seconds: readonly AnalyzedSecond[]): number {
  return Math.max(-60, seconds.map(([level]) => level).sort((a, b) => a - b)[Math.floor(seconds.length / 5)] ?? -60);
}

function share(count: number, of: number): number {
  return Number((count / Math.max(1, of)).toFixed(3));
}
