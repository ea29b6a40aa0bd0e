/** Ids as operators type them. */
import { AppError } from '@vds/chassis/errors';

const ADVICE = 'give the id of the key (its 24 characters after svc_live_), never the key itself';

/** The id of a key. INVALID_ARGUMENT for anything that looks like a whole key. */
export function keyId(argument: string): string {
  if (/svc_(live|staff)_/.test(argument)) throw new AppError('INVALID_ARGUMENT', ADVICE);
  return argument;
}

/** Other users of the machine can see arguments, so one that contains a whole key is always rejected. */
export function rejectWholeKeys(argv: readonly string[]): void {
  if (argv.some((argument) => /svc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}/.test(argument)))
    throw new AppError('INVALID_ARGUMENT', `${ADVICE}; replace that key: others on this machine may have seen it`);
}

/** Services use video ids without the `vid_` that partners see. */
export function bareVideoId(id: string): string {
  return id.replace(/^vid_/, '');
}
