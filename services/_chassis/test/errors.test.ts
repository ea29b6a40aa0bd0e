import { failures } from '@vds/proto/failures';
import { expect } from 'chai';
import { AppError, type ErrorCode, classify, errorTable } from '../src/errors.ts';

function withCode(code: string, message = 'failed'): Error {
  return Object.assign(new Error(message), { code });
}

describe('the class of an error', () => {
  it('every code of the error table has a class, and none of them blames the input', () => {
    const codes = Object.keys(errorTable) as ErrorCode[];
    const byClass = Object.groupBy(codes, (code) => classify(new AppError(code, 'failed')).class);
    expect(Object.keys(byClass).toSorted()).to.deep.equal(['defect', 'dependency']);
    expect(byClass.defect).to.have.members(['INVALID_ARGUMENT', 'ALREADY_EXISTS', 'FAILED_PRECONDITION', 'INTERNAL']);
  });

  it('a failure code of the partner table is input, except for those that are our own fault', () => {
    const classes = Object.keys(failures).map((reason) => [
      reason,
      classify(new AppError('FAILED_PRECONDITION', 'failed', { reason })).class,
    ]);
    const others = classes.filter(([, name]) => name !== 'input');
    expect(Object.fromEntries(others)).to.deep.equal({ transcode_failed: 'defect', internal_error: 'defect' });
    expect(classes.length).to.be.greaterThan(20);
  });

  it('a killed program is a crash, one that cannot be started a dependency', () => {
    const classOf = (reason: string) => classify(new AppError('INTERNAL', 'failed', { reason })).class;
    expect(['program_killed', 'program_not_started', 'tool_failed', 'constructor'].map(classOf)).to.deep.equal([
      'crash',
      'dependency',
      'defect',
      'defect',
    ]);
  });

  it('a full disk, a missing permission and a refused connection are dependencies', () => {
    for (const code of ['ENOSPC', 'EACCES', 'ECONNREFUSED'])
      expect(classify(withCode(code)).class, code).to.equal('dependency');
    expect(classify(withCode('ENOENT')).class).to.equal('defect');
  });

  it('a PostgreSQL server that is unavailable or shuts down is a dependency, a wrong statement a defect', () => {
    for (const code of ['08006', '40P01', '53300', '57P01'])
      expect(classify(withCode(code)).class, code).to.equal('dependency');
    for (const code of ['23505', '42601']) expect(classify(withCode(code)).class, code).to.equal('defect');
    expect(classify(Object.assign(withCode('55000'), { severity: 'FATAL' })).class).to.equal('dependency');
    expect(classify(Object.assign(withCode('55000'), { severity: 'ERROR' })).class).to.equal('defect');
    expect(classify(new Error('Connection terminated unexpectedly')).class).to.equal('dependency');
  });

  it('an error that wraps a dependency’s has its class, as those of Prisma and fetch do', () => {
    const wrap = (cause: unknown): Error => new Error('failed', { cause });
    expect(classify(wrap(withCode('ECONNREFUSED'))).class).to.equal('dependency');
    expect(classify(wrap({ kind: 'postgres', originalCode: '57P01' })).class).to.equal('dependency');
    expect(classify(wrap({ kind: 'postgres', originalCode: '23505' })).class).to.equal('defect');
    expect(classify(wrap({ kind: 'TableDoesNotExist' })).class).to.equal('defect');
    expect(classify(wrap(new AppError('INVALID_ARGUMENT', 'x', { reason: 'source_corrupt' }))).class).to.equal(
      'defect',
    );
    const raw = (originalCode: string) =>
      Object.assign(withCode('P2010'), { meta: { driverAdapterError: wrap({ originalCode }) } });
    expect(['57P01', '42601'].map((code) => classify(raw(code)).class)).to.deep.equal(['dependency', 'defect']);
    expect(['P1017', 'P2002'].map((code) => classify(withCode(code)).class)).to.deep.equal(['dependency', 'defect']);
  });

  it('a PostgreSQL server that temporarily accepts no writes, or lacks a grant, is a dependency', () => {
    for (const code of ['25006', '42501']) expect(classify(withCode(code)).class, code).to.equal('dependency');
    expect(classify(withCode('42P01')).class).to.equal('defect');
  });

  it('only a thing that does not exist is missing, also inside one of our errors', () => {
    const cause = new AppError('NOT_FOUND', 'object does not exist');
    expect(classify(cause).missing).to.equal(true);
    expect(classify(new AppError('INTERNAL', 'cannot read the ladder', { cause })).missing).to.equal(true);
    expect(classify(new AppError('UNAVAILABLE', 'starts over', { cause })).missing).to.equal(false);
    expect(classify(new AppError('PERMISSION_DENIED', 'no access')).missing).to.equal(false);
    expect(classify(withCode('ENOENT')).missing).to.equal(false);
  });

  it('an error caused by a killed program is a crash, and one caused by a timeout a defect', () => {
    const cause = new AppError('INTERNAL', 'killed', { reason: 'program_killed' });
    expect(classify(new AppError('INTERNAL', 'the engine failed', { reason: 'engine_error', cause })).class).to.equal(
      'crash',
    );
    expect(classify(new AppError('DEADLINE_EXCEEDED', 'hangs', { reason: 'timed_out' })).class).to.equal('defect');
  });

  it('an internal error caused by a dependency has the class of its cause', () => {
    const cause = new AppError('NOT_FOUND', 'object does not exist');
    expect(classify(new AppError('INTERNAL', 'cannot read the ladder', { cause })).class).to.equal('dependency');
    expect(classify(new AppError('INTERNAL', 'failed', { cause: new TypeError('bug') })).class).to.equal('defect');
  });

  it('a timeout is a dependency, and any unknown error a defect', () => {
    expect(classify(new DOMException('late', 'TimeoutError')).class).to.equal('dependency');
    for (const thrown of [new Error('bug'), 'text', undefined]) expect(classify(thrown).class).to.equal('defect');
  });
});
