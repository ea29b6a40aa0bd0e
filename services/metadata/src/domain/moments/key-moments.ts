/** Key moments: where crowd, commentary, replays, scores and cuts agree that something happened. */
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import { withoutMarkup } from '@vds/chassis/caption-markup';
import type { AnalyzedShot, AnalyzedText } from '../analysis.ts';
import type { KeyMoment, Transcript } from '../model.ts';
import { lengthOf, overlapOf, type Span } from '../span.ts';
import { quote } from '../topics/places.ts';
import { callsOf, type Call } from './commentary.ts';
import { crowdEvidence } from './crowd.ts';
import { cutEvidence } from './cuts.ts';
import { weights, type Evidence, type Reason } from './evidence.ts';
import { replayEvidence } from './replays.ts';
import { scoreEvidence } from './score-changes.ts';

export type MomentsInput = {
  readonly durationMs: number;
  readonly seconds: readonly AnalyzedSecond[];
  readonly shots: readonly AnalyzedShot[];
  readonly texts: readonly AnalyzedText[];
  readonly prints: readonly string[];
  /** What is spoken; its language is that of the titles. */
  readonly transcript: Transcript | undefined;
};

const SECOND_MS = 1_000;
const MAX_MOMENTS = 20;
/** No crowd, replay or cut reaches it alone; a goal that is shouted and a rare score that rises do. */
const MIN_SCORE = 0.5;
/** How far from its span a sign still counts, less and less. */
const FADE_MS = 5_000;
/** Two moments are at least so far apart. */
const MIN_APART_MS = 20_000;

const MIN_LENGTH_MS = 5_000;
const MAX_LENGTH_MS = 40_000;
/** A moment starts with the action that leads to it, at a cut if one is near. */
const LEAD_MS = 8_000;
const MAX_LEAD_MS = 30_000;
const CUT_NEAR_MS = 3_000;
const MIN_REACTION_MS = 6_000;
/** No more than moments are apart, or one would cover the next. */
const MAX_REACTION_MS = MIN_APART_MS;
const MIN_CONTRIBUTION = 0.1;

type Peak = {
  readonly atMs: number;
  readonly score: number;
  readonly reasons: readonly Reason[];
  readonly signs: readonly Evidence[];
};

/** At most 20 that do not overlap, best first. */
export function findKeyMoments(input: MomentsInput): KeyMoment[] {
  const { durationMs, seconds, shots, texts, prints, transcript } = input;
  if (durationMs < MIN_LENGTH_MS) return [];
  const calls = transcript ? callsOf(transcript.sentences, transcript.language, seconds) : [];
  const evidence = [
    ...crowdEvidence(seconds),
    ...calls.map((call) => call.evidence),
    ...scoreEvidence(texts, durationMs),
    ...replayEvidence(shots, texts, prints),
    ...cutEvidence(shots),
  ];
  const moments: KeyMoment[] = [];
  for (const peak of peaksOf(evidence, durationMs)) {
    const span = freePart(spanOfPeak(peak, shots, durationMs), peak.atMs, moments);
    if (lengthOf(span) < MIN_LENGTH_MS || span.startMs > peak.atMs) continue;
    const title = titleOf(span, peak.atMs, calls, transcript);
    const { score, reasons } = peak;
    moments.push({ ...span, score, reasons: [...reasons], title, languageCode: title === '' ? '' : languageOf(input) });
  }
  return moments;
}

function languageOf({ transcript }: MomentsInput): string {
  return transcript?.language ?? '';
}

/** The best seconds, far enough from each other, best first. A sign counts for one of them. */
function peaksOf(evidence: readonly Evidence[], durationMs: number): Peak[] {
  const peaks: Peak[] = [];
  let left = evidence;
  while (peaks.length < MAX_MOMENTS) {
    const peak = bestPeak(left, peaks, Math.ceil(durationMs / SECOND_MS));
    if (peak.score < MIN_SCORE) break;
    peaks.push(peak);
    left = left.filter((sign) => !peak.signs.includes(sign));
  }
  return peaks;
}

function bestPeak(evidence: readonly Evidence[], others: readonly Peak[], length: number): Peak {
  const strengths = strengthsOf(evidence, length);
  const scores = Float64Array.from(
    { length },
    (_score, at) => 1 - reasonsOf(strengths).reduce((left, reason) => left * (1 - (strengths[reason][at] ?? 0)), 1),
  );
  for (const { atMs } of others)
    scores.fill(0, Math.max(0, (atMs - MIN_APART_MS) / SECOND_MS), (atMs + MIN_APART_MS) / SECOND_MS);
  const best = scores.reduce((most, score, at) => (score > (scores[most] ?? 0) ? at : most), 0);
  const atMs = middleOfPlateau(scores, best) * SECOND_MS;
  const reasons = reasonsOf(strengths)
    .filter((reason) => (strengths[reason][best] ?? 0) >= MIN_CONTRIBUTION)
    .toSorted((a, b) => (strengths[b][best] ?? 0) - (strengths[a][best] ?? 0));
  const signs = evidence.filter(({ startMs, endMs }) => startMs - FADE_MS < atMs && endMs + FADE_MS > atMs);
  return { atMs, score: Number((scores[best] ?? 0).toFixed(3)), reasons, signs };
}

function reasonsOf(strengths: Readonly<Record<Reason, Float64Array>>): Reason[] {
  return Object.keys(strengths) as Reason[];
}

/** The strongest sign of each kind in each second, weighted: many of a kind do not add up. */
function strengthsOf(evidence: readonly Evidence[], length: number): Record<Reason, Float64Array> {
  const empty = (): Float64Array => new Float64Array(length);
  const all = { crowd: empty(), commentary: empty(), replay: empty(), score: empty(), cuts: empty() };
  for (const { reason, strength, startMs, endMs } of evidence) {
    const [from, to] = [Math.floor((startMs - FADE_MS) / SECOND_MS), Math.ceil((endMs + FADE_MS) / SECOND_MS)];
    for (let at = Math.max(0, from); at <= to && at < length; at++) {
      const away = Math.max(0, startMs - at * SECOND_MS, at * SECOND_MS - endMs);
      const value = weights[reason] * strength * Math.max(0, 1 - away / FADE_MS);
      all[reason][at] = Math.max(all[reason][at] ?? 0, value);
    }
  }
  return all;
}

function middleOfPlateau(scores: Float64Array, first: number): number {
  let last = first;
  while (scores[last + 1] === scores[first]) last++;
  return Math.floor((first + last) / 2);
}

/** From the action on, which may lie wherever all signs allow, to the end of the reaction. */
function spanOfPeak({ atMs, signs }: Peak, shots: readonly Span[], durationMs: number): Span {
  const at = signs.filter(({ startMs, endMs }) => startMs <= atMs && endMs >= atMs);
  const earliest = Math.max(atMs - MAX_LEAD_MS, ...at.map(({ startMs }) => startMs));
  const latest = Math.min(atMs + MAX_REACTION_MS, ...at.map(({ endMs }) => endMs));
  const wanted = Math.max(0, Math.min(atMs - LEAD_MS, earliest));
  const cut = shots.find(({ startMs }) => Math.abs(startMs - wanted) <= CUT_NEAR_MS && startMs <= earliest)?.startMs;
  const startMs = Math.max(0, Math.min(cut ?? wanted, durationMs - MIN_LENGTH_MS));
  const reactions = signs
    .filter(({ reason }) => reason !== 'replay')
    .map(({ reactionEndMs }) => Math.min(reactionEndMs, atMs + MAX_REACTION_MS));
  const endMs = Math.min(durationMs, startMs + MAX_LENGTH_MS, Math.max(atMs + MIN_REACTION_MS, latest, ...reactions));
  return { startMs: Math.round(startMs), endMs: Math.round(Math.max(endMs, startMs + MIN_LENGTH_MS)) };
}

/** The part of the span around a time that no other moment has. */
function freePart(span: Span, atMs: number, others: readonly Span[]): Span {
  let { startMs, endMs } = span;
  for (const other of others) {
    if (overlapOf(other, { startMs, endMs }) <= 0) continue;
    if (other.startMs <= atMs) startMs = Math.max(startMs, other.endMs);
    else endMs = Math.min(endMs, other.startMs);
  }
  return { startMs, endMs };
}

/** What is said of it: the sentence with the strongest call, else the first one that is spoken after it. */
function titleOf(span: Span, atMs: number, calls: readonly Call[], transcript: Transcript | undefined): string {
  const inside = calls.filter(({ sentence, evidence }) => isSaid(sentence, span) && evidence.reason === 'commentary');
  const [best] = inside.toSorted((a, b) => b.evidence.strength - a.evidence.strength);
  if (best) return quoteFrom(best.sentence.text, best.wordAt ?? 0);
  const next = transcript?.sentences.find((sentence) => isSaid(sentence, span) && sentence.endMs > atMs);
  return next ? quoteFrom(next.text, 0) : '';
}

/** Most of it is spoken within the span. */
function isSaid(sentence: Span, span: Span): boolean {
  return overlapOf(sentence, span) > 0 && overlapOf(sentence, span) >= lengthOf(sentence) / 2;
}

/** A sentence, which may be long, from the clause with the word on, as plain text. */
function quoteFrom(text: string, wordAt: number): string {
  const clause = text.slice(0, wordAt).search(/[.,;:!?…、。，！？][^.,;:!?…、。，！？]*$/u);
  const plain = (part: string): string =>
    withoutMarkup(part)
      .toWellFormed()
      .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\ufeff]/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim();
  const whole = plain(text);
  const shown = quote(whole);
  return shown === whole || clause < 0 ? shown : quote(plain(text.slice(clause + 1)));
}
