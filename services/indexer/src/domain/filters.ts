/** Validates requests; anything invalid is INVALID_ARGUMENT with a message that states what is allowed. */
import { AppError } from '@vds/chassis/errors';
import type { components } from '@vds/proto/generated/openapi.ts';
import { isVideoId } from '@vds/proto/ids';
import type { Seed } from './recommendation.ts';

type Schemas = components['schemas'];

/** The contract's own list (proto/openapi.yaml); the compiler finds every difference. */
const sportTable: Readonly<Record<Schemas['Sport'], true>> = {
  tennis: true,
  soccer: true,
  basketball: true,
  cricket: true,
  american_football: true,
  australian_football: true,
  baseball: true,
  lacrosse: true,
  badminton: true,
  equestrian: true,
  golf: true,
  boxing: true,
  mma: true,
  formula_one: true,
  ice_hockey: true,
  rugby: true,
  cycling: true,
  track_and_field: true,
  swimming: true,
  gymnastics: true,
  table_tennis: true,
  skiing: true,
  snowboarding: true,
  skateboarding: true,
  surfing: true,
  wrestling_pro: true,
  motocross: true,
  fencing: true,
  climbing: true,
  pickleball: true,
};
const categoryTable: Readonly<Record<Schemas['Category'], true>> = {
  autos_vehicles: true,
  comedy: true,
  education: true,
  entertainment: true,
  film_animation: true,
  gaming: true,
  howto_style: true,
  music: true,
  news_politics: true,
  nonprofits: true,
  people_blogs: true,
  pets_animals: true,
  science_technology: true,
  sports: true,
  travel_events: true,
};
export const sports: readonly string[] = Object.keys(sportTable);

export type Filters = {
  readonly sport?: string | undefined;
  readonly category?: string | undefined;
  readonly publisherId?: string | undefined;
};

export const MAX_QUERY = 2_000;

/** @throws AppError INVALID_ARGUMENT for a value that the contract does not list */
export function checkFilters({ sport, category, publisherId }: Filters): Filters {
  known('sport', sport, sportTable);
  known('category', category, categoryTable);
  if (publisherId !== undefined && !/^[\w-]{1,64}$/.test(publisherId))
    throw validationError('publisher_id must be 1 to 64 letters, digits, _ or -');
  return { sport, category, publisherId };
}

function known(name: string, value: string | undefined, table: object): void {
  if (value !== undefined && !Object.hasOwn(table, value))
    throw validationError(`${name} must be one of ${Object.keys(table).join(', ')}`);
}

function validationError(message: string): AppError {
  return new AppError('INVALID_ARGUMENT', message);
}

/** 0 means 20. */
export function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 0 || limit > 50)
    throw validationError('limit must be a whole number from 1 to 50');
  return limit === 0 ? 20 : limit;
}

/** @throws AppError INVALID_ARGUMENT for one that is blank or too long */
export function checkQuery(query: string): string {
  if ([...query].length > MAX_QUERY) throw validationError(`query must have at most ${MAX_QUERY} code points`);
  if (!/[^\p{White_Space}\p{Cc}\p{Cf}]/u.test(query)) throw validationError('query must not be blank');
  return query;
}

/** BCP 47, as far as it matters here: letters and digits between hyphens. */
export function checkLanguage(language: string | undefined): string | undefined {
  if (language !== undefined && !/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$/.test(language))
    throw validationError('language must be a BCP 47 tag such as es or pt-BR');
  return language;
}

const [MAX_SEEDS, MAX_HISTORY] = [50, 200];

/**
 * @param history instead of ids
 * @returns each video once, newest first
 * @throws AppError INVALID_ARGUMENT for anything but 1 to 50 ids, or a history of 1 to 200 with shares from 0 to 1
 */
export function checkSeeds(ids: readonly string[], history: readonly Seed[]): readonly Seed[] {
  if (ids.length > 0 && history.length > 0) throw validationError('name video_ids or history, not both');
  if (ids.length > MAX_SEEDS) throw validationError('video_ids must name 1 to 50 videos');
  if (history.length > MAX_HISTORY) throw validationError('history must name 1 to 200 videos');
  const seen = [...ids.map((videoId) => ({ videoId, share: 1 })), ...history];
  if (seen.length === 0) throw validationError('video_ids must name 1 to 50 videos, or history 1 to 200');
  if (!seen.every(({ videoId }) => isVideoId(videoId)))
    throw validationError('ids of videos must be 26 letters and digits, without vid_');
  if (!seen.every(({ share }) => share >= 0 && share <= 1)) throw validationError('share must be a number from 0 to 1');
  const byId = Map.groupBy(seen, ({ videoId }) => videoId);
  return [...byId].map(([videoId, of]) => ({ videoId, share: Math.max(...of.map(({ share }) => share)) }));
}

/** The filters of a feed as clauses: that of a sport has the videos that name it, and those whose words indicate it. */
export function feedClauses({ sport, ...filters }: Filters): object[] {
  const ofSport = { bool: { should: [{ term: { sport } }, { term: { inferred_sports: sport } }] } };
  return [...filterClauses(filters), ...(sport === undefined ? [] : [ofSport])];
}

/** The filters as clauses of a query. Only live videos are found. */
export function filterClauses(filters: Filters): object[] {
  return [{ term: { live: true } }, ...ownFilters(filters)];
}

/** Those of the request, for a query that finds no tombstone by itself. */
export function ownFilters({ sport, category, publisherId }: Filters): object[] {
  return [
    ...(sport === undefined ? [] : [{ term: { sport } }]),
    ...(category === undefined ? [] : [{ term: { category } }]),
    ...(publisherId === undefined ? [] : [{ term: { publisher_id: publisherId } }]),
  ];
}
