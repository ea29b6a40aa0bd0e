/** A validated body of POST /v1/videos, turned into what catalog is told; the rules that its schema cannot say. */
import type { CreateVideoRequest } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { components } from '@vds/proto/generated/openapi.ts';
import { AppError } from '@vds/chassis/errors';
import { addressError, type AddressPolicy } from './address-rules.ts';
import { textError } from './text-rules.ts';

export type IngestBody = components['schemas']['IngestRequest'];
export type Ingest = Pick<
  CreateVideoRequest,
  'sourceUrl' | 'title' | 'thumbnailUrl' | 'tags' | 'sport' | 'category' | 'languageCode' | 'summary'
>;

const DEFAULT_LANGUAGE = 'en';

/**
 * What catalog is told of a request; null is the same as left out, texts stay code point for code point.
 * @param body obeys the contract's schema
 * @throws INVALID_ARGUMENT that names field and rule
 */
export function readIngest(body: IngestBody, policy: AddressPolicy): Ingest {
  const refusal = refusalOf(body, policy);
  if (refusal !== undefined) throw new AppError('INVALID_ARGUMENT', refusal);
  return {
    sourceUrl: body.source_url,
    title: body.title,
    ...(typeof body.thumbnail_url === 'string' && { thumbnailUrl: body.thumbnail_url }),
    tags: body.tags ?? [],
    ...(typeof body.sport === 'string' && { sport: body.sport }),
    ...(typeof body.category === 'string' && { category: body.category }),
    languageCode: body.language_code ?? DEFAULT_LANGUAGE,
    ...(typeof body.summary === 'string' && { summary: body.summary }),
  };
}

function refusalOf(body: IngestBody, policy: AddressPolicy): string | undefined {
  for (const [field, text] of textsOf(body)) {
    const refusal = textError(field, text ?? '');
    if (refusal !== undefined) return refusal;
  }
  const source = addressError('source_url', body.source_url, policy);
  if (source !== undefined) return source;
  if (typeof body.thumbnail_url !== 'string') return undefined;
  return addressError('thumbnail_url', body.thumbnail_url, { ...policy, trusted: () => false });
}

function textsOf(body: IngestBody): readonly (readonly [field: string, text: string | null | undefined])[] {
  return [
    ['title', body.title],
    ['summary', body.summary],
    ...(body.tags ?? []).map((tag, index) => [`tags[${index}]`, tag] as const),
  ];
}
