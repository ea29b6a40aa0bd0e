/** The contents of a video's document, and the transcript that part of it comes from. */
import type { Span } from './span.ts';

export type Interval = Span & { readonly kind: 'black' | 'frozen' | 'silent' };
export type ScreenText = Span & { readonly text: string; readonly confidence: number };
export type Where = 'title' | 'summary' | 'tags' | 'transcript' | 'screen';
export type Evidence = { readonly where: Where; readonly text: string; readonly atMs?: number };
export type Topic = { readonly name: string; readonly score: number; readonly evidence: readonly Evidence[] };
export type LabelSource = 'partner' | 'picture' | 'sound' | 'transcript' | 'screen';
export type Label = {
  readonly name: string;
  readonly source: LabelSource;
  readonly confidence: number;
  /** Empty: all of the video. */
  readonly spans: readonly Span[];
  readonly value?: number;
};

export type Sentence = Span & { readonly text: string };
/** Without sentences where there is no speech. */
export type Transcript = { readonly language: string; readonly sentences: readonly Sentence[] };
