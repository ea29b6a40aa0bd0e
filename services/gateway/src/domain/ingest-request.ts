/** A validated body of POST /v1/videos as catalog's request, and the rules that a JSON schema cannot express. */
import type { CreateVideoRequest } from '@vds/proto/generated/vds/catalog/v1/CreateVideoRequest.ts';
import type { components } from '@vds/proto/generated/openapi.ts';
import { addressError, type AddressPolicy } from './address-rules.ts';
import { invalidField } from './invalid-field.ts';

export type IngestBody = components['schemas']['IngestRequest'];
export type Ingest = Pick<
  CreateVideoRequest,
  'sourceUrl' | 'title' | 'thumbnailUrl' | 'tags' | 'sport' | 'category' | 'languageCode' | 'summary'
>;

const DEFAULT_LANGUAGE = 'en';

/**
 * Catalog's request; null means left out, and texts are passed on code point for code point.
 * @param body valid by the contract's schema
 * @throws INVALID_ARGUMENT that names field and rule
 */
export function readIngest(body: IngestBody, policy: AddressPolicy): Ingest {
  checkTexts(body);
  checkAddresses(body, policy);
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

function checkTexts(body: IngestBody): void {
  const tags = (body.tags ?? []).map((tag, index) => [`tags[${index}]`, tag] as const);
  for (const [field, text] of [['title', body.title] as const, ['summary', body.summary] as const, ...tags]) {
    // Half of a surrogate pair has no UTF-8 form; all other text is kept unchanged.
    if (text?.isWellFormed() === false) throw invalidField(field, 'must not contain half of a surrogate pair');
  }
}

function checkAddresses(body: IngestBody, policy: AddressPolicy): void {
  const source = addressError(body.source_url, policy);
  if (source !== undefined) throw invalidField('source_url', source);
  if (typeof body.thumbnail_url !== 'string') return;
  const thumbnail = addressError(body.thumbnail_url, { ...policy, trusted: () => false });
  if (thumbnail !== undefined) throw invalidField('thumbnail_url', thumbnail);
}
