import { expect } from 'chai';
import fc from 'fast-check';
import { readAnswer, validatorOf, type AnswerHeaders, type Wanted } from '../src/domain/source-answer.ts';
import { sourceFaults, type SourceFaultKind } from '../src/domain/source-fault.ts';

const fromStart: Wanted = { from: 0, validator: undefined, total: undefined };
const fromMiddle: Wanted = { from: 100, validator: '"v1"', total: 250 };
function read(status: number, headers: AnswerHeaders = {}, wanted = fromStart, maxBytes = 1_000) {
  return readAnswer(status, headers, wanted, maxBytes);
}
function faultOf(...given: Parameters<typeof read>): { reason: SourceFaultKind; details: Record<string, string> } {
  try {
    read(...given);
  } catch (error) {
    return error as { reason: SourceFaultKind; details: Record<string, string> };
  }
  throw new Error('nothing was thrown');
}
function codeOf(...given: Parameters<typeof read>): string {
  return sourceFaults[faultOf(...given).reason].code;
}

describe('the first answer of a source', () => {
  it('gives the whole size and the validator', () => {
    const answer = read(200, { 'content-length': '250', etag: '"v1"' });
    expect(answer).to.deep.equal({ kind: 'body', offset: 0, total: 250, validator: '"v1"' });
  });

  it('may be without a length', () => {
    expect(read(200)).to.deep.equal({ kind: 'body', offset: 0, total: undefined, validator: undefined });
  });

  it('is refused above the cap and taken at it', () => {
    expect(read(200, { 'content-length': '1000' })).to.include({ total: 1_000 });
    expect(faultOf(200, { 'content-length': '1001' }).reason).to.equal('too_large');
  });

  it('is refused when it is compressed, but not for a label that is no compression', () => {
    for (const coding of ['gzip', 'GZIP', 'br', 'identity, deflate', 'zstd'])
      expect(codeOf(200, { 'content-encoding': coding })).to.equal('source_encoded');
    for (const coding of ['identity', 'aws-chunked', 'utf-8'])
      expect(read(200, { 'content-encoding': coding })).to.include({ kind: 'body' });
  });

  it('maps every status that is no file', () => {
    for (const status of [404, 410]) expect(codeOf(status)).to.equal('source_not_found');
    for (const status of [401, 402, 403, 407, 451]) expect(codeOf(status)).to.equal('source_forbidden');
    for (const status of [
      201, 202, 204, 205, 300, 304, 400, 405, 408, 416, 418, 421, 425, 429, 500, 502, 503, 504, 599,
    ])
      expect(codeOf(status), String(status)).to.equal('source_server_error');
  });

  it('is final for a status that will not change and passing for one that may', () => {
    for (const status of [400, 405, 409, 414]) expect(sourceFaults[faultOf(status).reason].tries).to.equal(1);
    for (const status of [408, 421, 425, 429, 500, 502, 503, 504, 599])
      expect(sourceFaults[faultOf(status).reason].tries).to.equal(6);
  });

  it('tells the partner every status that is no file', () => {
    for (const status of [204, 300, 400, 401, 402, 403, 404, 407, 410, 416, 429, 451, 500, 503])
      expect(faultOf(status).details).to.deep.equal({ http_status: String(status) });
  });

  it('tells the partner how the body is compressed', () => {
    const { details } = faultOf(200, { 'content-encoding': 'identity, GZIP' });
    expect(details).to.deep.equal({ http_status: '200', content_encoding: 'gzip' });
  });

  it('is broken when it is partial though the whole was asked for', () => {
    const fault = faultOf(206, { 'content-range': 'bytes 0-9/10' });
    expect(fault).to.deep.include({ reason: 'answer_broken', details: { http_status: '206' } });
    expect(sourceFaults[fault.reason].code).to.equal('source_server_error');
  });
});

describe('the answer to a resumed request', () => {
  const resumed = (status: number, headers: AnswerHeaders, wanted = fromMiddle) => read(status, headers, wanted);

  it('goes on where the same file was cut', () => {
    const answer = resumed(206, { 'content-range': 'bytes 100-249/250', etag: '"v1"' });
    expect(answer).to.deep.equal({ kind: 'body', offset: 100, total: 250, validator: '"v1"' });
  });

  it('goes on when the answer does not repeat the validator', () => {
    expect(resumed(206, { 'content-range': 'bytes 100-249/250' })).to.include({ kind: 'body', offset: 100 });
  });

  it('starts over when anything says that it is another file', () => {
    for (const headers of [
      { 'content-range': 'bytes 100-249/250', etag: '"v2"' },
      { 'content-range': 'bytes 100-250/251', etag: '"v1"' },
      { 'content-range': 'bytes 99-249/250', etag: '"v1"' },
      { 'content-range': 'bytes 100-249/*', etag: '"v1"' },
    ])
      expect(resumed(206, headers), JSON.stringify(headers)).to.deep.equal({ kind: 'restart' });
  });

  it('is refused when it is compressed, with the status it has', () => {
    const given = { 'content-range': 'bytes 100-249/250', etag: '"v1"', 'content-encoding': 'br' };
    const { details } = faultOf(206, given, fromMiddle);
    expect(details).to.deep.equal({ http_status: '206', content_encoding: 'br' });
  });

  it('is taken from its beginning when the host sends the whole file', () => {
    expect(resumed(200, { 'content-length': '300', etag: '"v2"' })).to.include({ kind: 'body', offset: 0, total: 300 });
  });

  it('ends a file of unknown length that is whole already, and starts over otherwise', () => {
    const unknown = { ...fromMiddle, total: undefined };
    expect(resumed(416, { 'content-range': 'bytes */100' }, unknown)).to.deep.equal({ kind: 'whole' });
    expect(resumed(416, { 'content-range': 'bytes */90' }, unknown)).to.deep.equal({ kind: 'restart' });
    expect(resumed(416, {}, unknown)).to.deep.equal({ kind: 'restart' });
    expect(resumed(416, { 'content-range': 'bytes */100' })).to.deep.equal({ kind: 'restart' });
  });

  it('never goes on at another place than was asked for, whatever the headers are', () => {
    const header = fc.option(
      fc.oneof(fc.string(), fc.constantFrom('"v1"', 'bytes 100-249/250', 'bytes 0-249/250', '250', 'gzip')),
      { nil: undefined },
    );
    const headers = fc.record({
      'content-range': header,
      etag: header,
      'content-length': header,
      'last-modified': header,
    });
    fc.assert(
      fc.property(fc.constantFrom(200, 206, 416), headers, (status, given) => {
        try {
          const answer = read(status, given, fromMiddle);
          if (answer.kind === 'body') expect(answer.offset).to.equal(status === 200 ? 0 : 100);
        } catch (error) {
          expect(sourceFaults).to.have.property((error as { reason: string }).reason);
        }
      }),
    );
  });
});

describe('what a download is resumed by', () => {
  const date = 'Fri, 01 Aug 2025 10:00:00 GMT';

  it('is a strong ETag', () => {
    expect(validatorOf({ etag: '"a"', 'last-modified': date })).to.equal('"a"');
    expect(validatorOf({ etag: 'W/"a"' })).to.equal(undefined);
    expect(validatorOf({ etag: 'a' })).to.equal(undefined);
    expect(validatorOf({ etag: '"a\r\nx: y"' })).to.equal(undefined);
  });

  it('is else a modification date that lies before the answer', () => {
    expect(validatorOf({ etag: 'W/"a"', 'last-modified': date, date: 'Fri, 01 Aug 2025 10:00:01 GMT' })).to.equal(date);
    expect(validatorOf({ 'last-modified': date, date })).to.equal(undefined);
    expect(validatorOf({ 'last-modified': date })).to.equal(undefined);
    expect(validatorOf({ 'last-modified': 'yesterday', date })).to.equal(undefined);
  });
});
