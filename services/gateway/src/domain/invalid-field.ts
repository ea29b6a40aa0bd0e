/** An error that names the field of a request that breaks a rule. */
import { AppError } from '@vds/chassis/errors';

/**
 * INVALID_ARGUMENT with the field as `param`.
 * @param field as the partner wrote it, such as `tags[3]`
 * @param rule such as `must not be empty`
 */
export function invalidField(field: string, rule: string): AppError {
  return new AppError('INVALID_ARGUMENT', `${field} ${rule}`, { details: { param: field } });
}
