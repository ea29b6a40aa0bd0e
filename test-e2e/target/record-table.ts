/**
 * The status record (spec §2.3) as a table of fields and states, as the design has it: what is absent, what is null, what
 * has which value. Written from the documents, not from the code.
 */
import { failures, type FailureCode } from '@vds/proto/failures';
import { tracksAt } from '@vds/proto/testing/last-words';
import type { VideoRecord } from './partner.ts';

export type Column = 'processing' | 'ready' | 'archived' | 'failed' | 'deleted';

/** What a partner sent. */
export type Sent = {
  readonly source_url: string;
  readonly title: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly thumbnail_url?: string;
  readonly sport?: string;
  readonly category?: string;
  readonly language_code?: string;
};
export type Broken = {
  readonly code: FailureCode;
  readonly stage: string;
  readonly details: Readonly<Record<string, string>>;
};

/** What is true of one video, from other sources than its record: the request, the stages, the row. */
export type Facts = {
  readonly column: Column;
  /** Without its prefix. */
  readonly id: string;
  readonly sent: Sent;
  readonly durationSeconds: number;
  /** Whether it was probed, in its last attempt. */
  readonly probed: boolean;
  /** Whether captions told of its tracks. */
  readonly captioned: boolean;
  readonly progress: number;
  readonly failure?: Broken | undefined;
  readonly row: { readonly created_at: Date; readonly updated_at: Date; readonly playback_id: string | null };
};

export const playbackUrl = 'https://play.example.com';
export const absent = Symbol('absent');

type Cell = unknown;
type Row = (facts: Facts) => Readonly<Record<Column, Cell>>;

/** THE table: every field of the record, each with its cell for every state. */
export const table: Readonly<Record<keyof Required<VideoRecord>, Row>> = {
  id: ({ id }) => same(`vid_${id}`),
  status: () => ({
    processing: 'processing',
    ready: 'ready',
    archived: 'archived',
    failed: 'failed',
    deleted: 'deleted',
  }),
  is_available: () => ({ ...same(false), ready: true }),
  playback: (facts) => ({ ...same(null), ready: playbackOf(facts) }),
  thumbnail_url: (facts) => ({ ...same(null), ready: thumbnailOf(facts), archived: thumbnailOf(facts) }),
  duration_seconds: ({ probed, durationSeconds }) => ({
    processing: probed ? durationSeconds : absent,
    ready: durationSeconds,
    archived: durationSeconds,
    failed: probed ? durationSeconds : absent,
    deleted: absent,
  }),
  created_at: ({ row }) => same(row.created_at.toISOString()),
  updated_at: ({ row }) => ({ ...same(row.updated_at.toISOString()), processing: absent }),
  title: ({ sent }) => same(sent.title),
  summary: ({ sent }) => ({ ...same(orNull(sent.summary)), deleted: null }),
  tags: ({ sent }) => ({ ...same(sent.tags ?? []), deleted: [] }),
  sport: ({ sent }) => ({ ...same(orNull(sent.sport)), deleted: absent }),
  category: ({ sent }) => ({ ...same(orNull(sent.category)), deleted: absent }),
  language_code: ({ sent }) => ({ ...same(sent.language_code ?? 'en'), deleted: absent }),
  progress: ({ progress }) => ({ ...same(absent), processing: progress }),
  captions: (facts) => ({ ...same(absent), ready: captionsOf(facts), archived: captionsOf(facts) }),
  source_warnings: (facts) => ({ ...same(warningsOf(facts)), processing: absent, deleted: absent }),
  failure: (facts) => ({ ...same(absent), failed: failureOf(facts), deleted: failureOf(facts) }),
};

export const fields = Object.keys(table) as (keyof VideoRecord)[];

/** What the table says of a field of one video. */
export function cellOf(field: keyof VideoRecord, facts: Facts): Cell {
  return table[field](facts)[facts.column];
}

function same(value: Cell): Readonly<Record<Column, Cell>> {
  return {
    processing: value,
    ready: value,
    archived: value,
    failed: value,
    deleted: value,
  };
}

function orNull(value: unknown): unknown {
  return value ?? null;
}

function thumbnailOf({ sent, row }: Facts): string {
  return sent.thumbnail_url ?? `${playbackUrl}/t/${row.playback_id}.jpg`;
}

function playbackOf({ row }: Facts) {
  return {
    playback_id: row.playback_id,
    hls_url: `${playbackUrl}/${row.playback_id}.m3u8`,
    thumbnail_url: `${playbackUrl}/t/${row.playback_id}.jpg`,
  };
}

function captionsOf({ id, captioned }: Facts) {
  return captioned
    ? tracksAt(id, 2).tracks?.map(({ language, kind, status, reason = null }) => ({ language, kind, status, reason }))
    : [];
}

function warningsOf({ probed }: Facts) {
  return probed ? [{ code: 'long', message: 'Longer than usual.' }] : [];
}

function failureOf({ failure }: Facts): unknown {
  if (failure === undefined) return absent;
  const { retryable, message } = failures[failure.code];
  return { ...failure, retryable, message };
}
