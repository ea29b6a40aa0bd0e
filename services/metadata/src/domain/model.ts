/** The contents of a video's document, and the transcript that part of it comes from. */
import type { DescriptionOut } from '@vds/proto/generated/vds/catalog/v1/Description.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { Span } from './span.ts';

/** The partner's description of a video. */
export type Description = Omit<DescriptionOut, 'videoId' | 'publisherId'>;
/** What one revision describes. */
export type MetadataDocument = Omit<MetadataOut, 'videoId' | 'attempt' | 'revision'>;
/** The vectors of a document. */
export type Vectors = Pick<MetadataDocument, 'passages' | 'embeddingModel'>;

/** What viewers would want to see again; the strongest reason first. */
export type KeyMoment = Span & {
  readonly score: number;
  readonly reasons: string[];
  /** '' where nothing is said. */
  readonly title: string;
  readonly languageCode: string;
};
export type Interval = Span & { readonly kind: 'black' | 'frozen' | 'silent' };
export type ScreenText = Span & { readonly text: string; readonly confidence: number };
export type Where = 'title' | 'summary' | 'tags' | 'transcript' | 'screen';
export type Evidence = { readonly where: Where; readonly text: string; readonly atMs?: number };
export type Topic = { readonly name: string; readonly score: number; readonly evidence: Evidence[] };
export type LabelSource = 'partner' | 'picture' | 'sound' | 'transcript' | 'screen';
export type Label = {
  readonly name: string;
  readonly source: LabelSource;
  readonly confidence: number;
  /** Empty: all of the video. */
  readonly spans: Span[];
  readonly value?: number;
};

export type Sentence = Span & { readonly text: string };
/** Without sentences where there is no speech. */
export type Transcript = { readonly language: string; readonly sentences: readonly Sentence[] };
