import { expect } from 'chai';
import fc from 'fast-check';
import { readResponse, validatorOf, type ResponseHeaders, type Wanted } from '../src/domain/source-response.ts';
import { sourceFaults, type SourceFaultKind } from '../src/domain/source-fault.ts';

const fromStart: Wanted = { from: 0, validator: undefined, total: undefined };
const fromMiddle: Wanted = { from: 100, validator: '"v1"', total: 250 };
function read(status: number, headers: ResponseHeaders = {}, wanted = fromStart, maxBytes = 1_000) {
  return readResponse(status, headers, wanted, { maxBytes, nowMs: Date.parse('Fri, 01 Aug 2025 10:00:00 GMT') });
}
function faultOf(...args: Parameters<typeof read>): { reason: SourceFaultKind; details: Record<string, string> } {
  try {
    read(...args);
  } catch (error) {
    return error as { reason: SourceFaultKind; details: Record<string, string> };
  }
  throw new Error('nothing was thrown');
}
function codeOf(...args: Parameters<typeof read>): string {
  return sourceFaults[faultOf(...args).reason].code;
}

describe('the first response of a source', () => {
  it('a first response has the size of the file and its validator', () => {
    const response = read(200, { 'content-length': '250', etag: '"v1"' });
    expect(response).to.deep.equal({
      kind: 'body',
      offset: 0,
      surplus: 0,
      total: 250,
      validator: '"v1"',
      ranges: false,
    });
  });

  it('a first response says whether the host serves ranges', () => {
    const ranges = ['bytes', 'Bytes', 'none', '', undefined].map((units) => read(200, { 'accept-ranges': units }));
    expect(ranges.map((one) => one.kind === 'body' && one.ranges)).to.deep.equal([true, true, false, false, false]);
  });

  it('a first response may be without a length', () => {
    expect(read(200)).to.deep.equal({
      kind: 'body',
      offset: 0,
      surplus: 0,
      total: undefined,
      validator: undefined,
      ranges: false,
    });
  });

  it('a response above the maximum size is rejected, and one of exactly that size accepted', () => {
    expect(read(200, { 'content-length': '1000' })).to.include({ total: 1_000 });
    expect(faultOf(200, { 'content-length': '1001' }).reason).to.equal('too_large');
  });

  it('a compressed response is rejected, and other content encodings are accepted', () => {
    for (const coding of ['gzip', 'GZIP', 'br', 'identity, deflate', 'zstd'])
      expect(codeOf(200, { 'content-encoding': coding })).to.equal('source_encoded');
    for (const coding of ['identity', 'aws-chunked', 'utf-8'])
      expect(read(200, { 'content-encoding': coding })).to.include({ kind: 'body' });
  });

  it('every status without a file has a failure code', () => {
    for (const status of [404, 410]) expect(codeOf(status)).to.equal('source_not_found');
    for (const status of [401, 402, 403, 407, 451]) expect(codeOf(status)).to.equal('source_forbidden');
    for (const status of [
      201, 202, 204, 205, 300, 304, 400, 405, 408, 416, 418, 421, 425, 429, 500, 502, 503, 504, 599,
    ])
      expect(codeOf(status), String(status)).to.equal('source_server_error');
  });

  it('a permanent status is tried once and a transient one six times', () => {
    for (const status of [400, 405, 409, 414, 501, 505]) expect(sourceFaults[faultOf(status).reason].tries).to.equal(1);
    for (const status of [408, 421, 425, 429, 500, 502, 503, 504, 599])
      expect(sourceFaults[faultOf(status).reason].tries).to.equal(6);
  });

  it('the details of a fault have the status of the response', () => {
    for (const status of [204, 300, 400, 401, 402, 403, 404, 407, 410, 416, 429, 451, 500, 503])
      expect(faultOf(status).details).to.deep.equal({ http_status: String(status) });
  });

  it('429 and 503 say in the details how long the host asks to be left alone, by its own clock', () => {
    const at = (time: string) => `Fri, 01 Aug 2025 ${time} GMT`;
    const cases: readonly (readonly [ResponseHeaders, string | undefined])[] = [
      [{ 'retry-after': '20' }, '20'],
      [{ 'retry-after': at('10:01:30') }, '90'],
      [{ 'retry-after': at('12:01:30'), date: at('12:00:00') }, '90'],
      [{ 'retry-after': at('12:01:30'), date: 'nonsense' }, '7290'],
      [{ 'retry-after': 'Friday, 01-Aug-25 10:00:05 GMT' }, '5'],
      ...['0', '-5', '1.5', 'soon', at('09:59:59'), '9'.repeat(40)].map(
        (text) => [{ 'retry-after': text }, undefined] as const,
      ),
      [{}, undefined],
    ];
    for (const [headers, seconds] of cases) {
      const more = seconds === undefined ? {} : { retry_after_seconds: seconds };
      for (const status of [429, 503])
        expect(faultOf(status, headers).details, JSON.stringify(headers)).to.deep.equal({
          http_status: String(status),
          ...more,
        });
      expect(faultOf(500, headers).details).to.deep.equal({ http_status: '500' });
    }
  });

  it('the details of a compressed response have its content encoding', () => {
    const { details } = faultOf(200, { 'content-encoding': 'identity, GZIP' });
    expect(details).to.deep.equal({ http_status: '200', content_encoding: 'gzip' });
  });

  it('an unrequested partial response that is the whole file is read as a complete one', () => {
    const response = read(206, { 'content-range': 'bytes 0-249/250', 'content-length': '250', etag: '"v1"' });
    expect(response).to.deep.equal({
      kind: 'body',
      offset: 0,
      surplus: 0,
      total: 250,
      validator: '"v1"',
      ranges: true,
    });
    expect(faultOf(206, { 'content-range': 'bytes 0-1000/1001' }).reason).to.equal('too_large');
    expect(codeOf(206, { 'content-range': 'bytes 0-9/10', 'content-encoding': 'br' })).to.equal('source_encoded');
  });

  it('any other unrequested partial response is a source_server_error that is tried once', () => {
    for (const range of [undefined, 'bytes 0-8/10', 'bytes 1-9/10', 'bytes 0-9/*', 'bytes 0-10/10', 'bytes */10']) {
      const fault = faultOf(206, { 'content-range': range });
      expect(fault, range).to.deep.include({ reason: 'response_invalid', details: { http_status: '206' } });
      expect(sourceFaults[fault.reason]).to.include({ code: 'source_server_error', tries: 1 });
    }
  });
});

describe('the response to a range request', () => {
  const resumed = (status: number, headers: ResponseHeaders, wanted = fromMiddle) => read(status, headers, wanted);

  it('a partial response of the same file resumes the fetch', () => {
    const response = resumed(206, { 'content-range': 'bytes 100-249/250', etag: '"v1"' });
    expect(response).to.deep.equal({
      kind: 'body',
      offset: 100,
      surplus: 0,
      total: 250,
      validator: '"v1"',
      ranges: true,
    });
  });

  it('a partial response without a validator resumes the fetch', () => {
    expect(resumed(206, { 'content-range': 'bytes 100-249/250' })).to.include({ kind: 'body', offset: 100 });
  });

  it('a partial response that begins before the requested byte resumes the fetch behind its surplus', () => {
    for (const first of [0, 99])
      expect(resumed(206, { 'content-range': `bytes ${first}-249/250`, etag: '"v1"' })).to.include({
        offset: 100,
        surplus: 100 - first,
      });
  });

  it('a partial response of another file restarts the fetch', () => {
    for (const headers of [
      { 'content-range': 'bytes 100-249/250', etag: '"v2"' },
      { 'content-range': 'bytes 100-250/251', etag: '"v1"' },
      { 'content-range': 'bytes 101-249/250', etag: '"v1"' },
      { 'content-range': 'bytes 100-249/*', etag: '"v1"' },
    ])
      expect(resumed(206, headers), JSON.stringify(headers)).to.deep.equal({ kind: 'restart' });
  });

  it('a partial response that does not say which part it is restarts the fetch', () => {
    for (const range of [undefined, 'bytes */250', 'items 100-249/250'])
      expect(resumed(206, { 'content-range': range, etag: '"v1"' }), range).to.deep.equal({ kind: 'restart' });
  });

  it('a compressed partial response is rejected with its status in the details', () => {
    const compressed = { 'content-range': 'bytes 100-249/250', etag: '"v1"', 'content-encoding': 'br' };
    const { details } = faultOf(206, compressed, fromMiddle);
    expect(details).to.deep.equal({ http_status: '206', content_encoding: 'br' });
  });

  it('a complete response to a range request is read from its beginning', () => {
    expect(resumed(200, { 'content-length': '300', etag: '"v2"' })).to.include({
      kind: 'body',
      offset: 0,
      surplus: 0,
      total: 300,
    });
  });

  it('416 completes a file of unknown length that is fully stored, and restarts any other', () => {
    const unknown = { ...fromMiddle, total: undefined };
    expect(resumed(416, { 'content-range': 'bytes */100' }, unknown)).to.deep.equal({ kind: 'complete' });
    expect(resumed(416, { 'content-range': 'bytes */90' }, unknown)).to.deep.equal({ kind: 'restart' });
    expect(resumed(416, {}, unknown)).to.deep.equal({ kind: 'restart' });
    expect(resumed(416, { 'content-range': 'bytes */100' })).to.deep.equal({ kind: 'restart' });
  });

  it('a fetch never resumes at another offset than requested, whatever the headers are', () => {
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
      fc.property(fc.constantFrom(200, 206, 416), headers, (status, received) => {
        try {
          const response = read(status, received, fromMiddle);
          if (response.kind === 'body') expect(response.offset).to.equal(status === 200 ? 0 : 100);
        } catch (error) {
          expect(sourceFaults).to.have.property((error as { reason: string }).reason);
        }
      }),
    );
  });
});

describe('the validator of a response', () => {
  const date = 'Fri, 01 Aug 2025 10:00:00 GMT';

  it('the validator is the strong ETag', () => {
    expect(validatorOf({ etag: '"a"', 'last-modified': date })).to.equal('"a"');
    expect(validatorOf({ etag: 'W/"a"' })).to.equal(undefined);
    expect(validatorOf({ etag: 'a' })).to.equal(undefined);
    expect(validatorOf({ etag: '"a\r\nx: y"' })).to.equal(undefined);
  });

  it('without a strong ETag the validator is a modification date before the response’s date', () => {
    expect(validatorOf({ etag: 'W/"a"', 'last-modified': date, date: 'Fri, 01 Aug 2025 10:00:01 GMT' })).to.equal(date);
    expect(validatorOf({ 'last-modified': date, date })).to.equal(undefined);
    expect(validatorOf({ 'last-modified': date })).to.equal(undefined);
    expect(validatorOf({ 'last-modified': 'yesterday', date })).to.equal(undefined);
  });
});
