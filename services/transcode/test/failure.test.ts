import { expect } from 'chai';
import { AppError } from '@vds/chassis/errors';
import { failureOf } from '../src/inbound/failure.ts';

describe('the failure that partners see of an error', () => {
  const codeOf = (reason: string | undefined, cause?: unknown): string =>
    failureOf(new AppError('INTERNAL', 'failed', { ...(reason !== undefined && { reason }), cause })).code;

  it('a source that kills its worker or a tool even when it runs alone is transcode_failed, like one that a tool rejects', () => {
    expect(['worker_killed', 'program_killed', 'tool_failed'].map((reason) => codeOf(reason))).to.deep.equal([
      'transcode_failed',
      'transcode_failed',
      'transcode_failed',
    ]);
  });

  it('a dependency that stayed unavailable, a tool that hangs and a bug are internal_error', () => {
    const away = new AppError('UNAVAILABLE', 'object storage');
    expect([
      codeOf(undefined, away),
      codeOf('program_not_started'),
      codeOf('timed_out'),
      codeOf(undefined),
    ]).to.deep.equal(Array.from({ length: 4 }, () => 'internal_error'));
    expect(failureOf(new TypeError('bug'))).to.deep.equal({ code: 'internal_error', details: {} });
  });
});
