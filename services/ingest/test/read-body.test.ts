import { expect } from 'chai';
import { openReader } from '../src/outbound/read-source.ts';
import { lasts } from '@vds/testkit/until';
import { BYTES, faultOf, HOST, readAll, reasonOf, startSources, type Sources } from './servers/sources.ts';

describe('reading a source', () => {
  let sources: Sources;
  let open: Sources['open'];
  before(async () => {
    sources = await startSources();
    open = sources.open;
  });
  after(() => sources.close());

  it('a response that does not begin in time is a headers_timeout', async () => {
    sources.server.on('/mute', () => {});
    expect(await reasonOf(open('/mute', { using: sources.opener({ headersMs: 150 }) }))).to.equal('headers_timeout');
  });

  it('a body that stalls is an idle_timeout', async () => {
    sources.server.on(
      '/stall',
      (_request, response) => void response.writeHead(200, { 'content-length': 1_000 }).write('x'.repeat(10)),
    );
    const source = await open('/stall', { using: sources.opener({ idleMs: 150 }) });
    expect(await reasonOf(readAll(source))).to.equal('idle_timeout');
  });

  it('a body below the minimum rate is rate_too_low', async () => {
    sources.server.on('/trickle', (_request, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const source = await open('/trickle', {
      using: sources.opener({ rate: { bytesPerSecond: 1_000, windowMs: 200 } }),
    });
    expect(await reasonOf(readAll(source))).to.equal('rate_too_low');
  });

  it('time in which we do not read counts neither as idle nor against the minimum rate', async () => {
    const source = await open('/video.mp4', {
      using: sources.opener({ idleMs: 1_000, rate: { bytesPerSecond: 1_000_000, windowMs: 1_000 } }),
    });
    const first = await source.read();
    await lasts(1_500);
    const rest = await readAll(source);
    expect((first?.length ?? 0) + rest.length).to.equal(BYTES.length);
  });

  it('reading stops with the signal’s reason when the signal aborts', async () => {
    const stop = new AbortController();
    const source = await sources.opener()(`https://${HOST}/stall`, undefined, stop.signal);
    await source.read();
    const reading = reasonOf(source.read());
    stop.abort(new Error('the lease is lost'));
    expect(await reading).to.equal('the lease is lost');
    await source.close();
  });

  describe('truncated bodies', () => {
    const cutBody = async (...pieces: string[]): Promise<unknown> => {
      sources.raw(...pieces);
      return reasonOf(open('https://raw.example/').then(readAll));
    };
    it('a body shorter than its content length is truncated', async () => {
      expect(await cutBody('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', 'half')).to.equal('body_truncated');
      expect(await cutBody('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\n', 'half')).to.equal(
        'body_truncated',
      );
    });
    it('a chunked body without its last chunk is truncated', async () => {
      expect(await cutBody('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '4\r\nhalf\r\n')).to.equal(
        'body_truncated',
      );
      expect(
        await cutBody('HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n', '4\r\nha'),
      ).to.equal('body_truncated');
    });
    it('a body without a length that ends with its connection is complete', async () => {
      sources.raw('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n', 'whole');
      expect(String(await readAll(await open('https://raw.example/')))).to.equal('whole');
    });
  });

  it('bytes after the content length are ignored', async () => {
    sources.raw('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n', 'halfand more');
    expect(String(await readAll(await open('https://raw.example/')))).to.equal('half');
  });

  it('a connection closed without a response is a source_server_error', async () => {
    const missing = { reason: 'response_missing', code: 'source_server_error', details: {} };
    sources.raw();
    expect(await faultOf(open('https://raw.example/'))).to.deep.equal(missing);
    sources.server.on('/hang-up', (request) => request.socket.destroy());
    expect(await faultOf(open('/hang-up'))).to.deep.equal(missing);
    sources.raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
    expect(await faultOf(open('https://raw.example/'))).to.deep.include({ code: 'source_server_error' });
  });

  it('a response that is not valid HTTP is a source_server_error', async () => {
    const broken = { reason: 'response_invalid', code: 'source_server_error', details: {} };
    sources.raw('SSH-2.0-OpenSSH_9.2\r\n');
    expect(await faultOf(open('https://raw.example/'))).to.deep.equal(broken);
    sources.raw('HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nhalf');
    expect(await faultOf(open('https://raw.example/'))).to.deep.equal(broken);
  });

  it('a resumed body that is too long is a source_server_error with its status', async () => {
    sources.raw(
      'HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 4-7/8\r\netag: "v1"\r\ncontent-length: 9\r\n\r\n',
      'much more',
    );
    const wanted = { from: 4, validator: '"v1"', total: 8 };
    const options = { open: sources.opener(), maxBytes: 1_000, onBytes: () => {} };
    const reader = await openReader(options, 'https://raw.example/', wanted, new AbortController().signal);
    expect(await faultOf(reader.take(100))).to.deep.equal({
      reason: 'response_invalid',
      code: 'source_server_error',
      details: { http_status: '206' },
    });
    await reader.close();
  });

  it('a host that requires a client certificate is unreachable', async () => {
    expect(await faultOf(open('https://guarded.example/'))).to.deep.include({ code: 'source_unreachable' });
  });

  it('a response with endless headers is rejected', async () => {
    sources.raw('HTTP/1.1 200 OK\r\n', `x-filler: ${'y'.repeat(1_000_000)}\r\n`);
    expect(await reasonOf(open('https://raw.example/'))).to.equal('response_invalid');
  });
});
