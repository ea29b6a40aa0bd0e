/** A publisher account: whom a key acts for (spec §2.6). */
import { AppError } from '@vds/chassis/errors';

const MAX_CHARACTERS = 200;

export type PublisherNames = { readonly name: string; readonly organization: string };

/**
 * Trimmed names of an account.
 * @throws AppError INVALID_ARGUMENT
 */
export function checkPublisherNames({ name, organization }: PublisherNames): PublisherNames {
  return { name: checkName('name', name), organization: checkName('organization', organization) };
}

/** A trimmed name. @throws AppError INVALID_ARGUMENT */
export function checkOrganizationName(name: string): string {
  return checkName('the name of an organization', name);
}

function checkName(field: string, value: string): string {
  const text = value.trim();
  if (text !== '' && text.length <= MAX_CHARACTERS && !/\p{Cc}/u.test(text)) return text;
  const rule = `${field} must be 1 to ${MAX_CHARACTERS} characters without control characters`;
  throw new AppError('INVALID_ARGUMENT', rule);
}

/** Names as the audit shows them. */
export function describeNames({ name, organization }: PublisherNames): string {
  return `'${name}' of '${organization}'`;
}
