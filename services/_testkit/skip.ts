/** Skips a test with a reason that the run prints at its end. */
import type { Context } from 'mocha';

/** Skips the running test, or in a `before` hook every test of its block, and records the reason for the report. */
export function skipBecause(context: Context, reason: string): never {
  const runnable = context.runnable();
  const isHook = 'type' in runnable && runnable.type === 'hook';
  const target: object = isHook ? (runnable.parent ?? runnable) : runnable;
  Object.assign(target, { skipReason: reason });
  return context.skip();
}
