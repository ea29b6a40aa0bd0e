/** A publisher account: whom a key acts for (spec §2.6). */
import { AppError } from '@vds/chassis/errors';

const MOST_CHARACTERS = 200;

export type PublisherNames = { readonly name: string; readonly organization: string };

/**
 * Trimmed names of a new account.
 * @throws AppError INVALID_ARGUMENT
 */
export function checkPublisherNames({ name, organization }: PublisherNames): PublisherNames {
  return {
    name: checkName('name', name),
    organization: checkName('organization', organization),
  };
}

function checkName(field: string, given: string): string {
  const text = given.trim();
  if (text === '' || text.length > MOST_CHARACTERS || /\p{Cc}/u.test(text))
    throw new AppError(
      'INVALID_ARGUMENT',
      `${field} must be 1 to ${MOST_CHARACTERS} characters without control characters`,
    );
  return text;
}
