import { expect } from 'chai';
import { streamDecode, streamEncode, type Packet } from 'dns-packet';
import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { startDnsServer, type DnsServer } from './dns-server.ts';

describe('the DNS server of the test origin', () => {
  let server: DnsServer;
  let resolver: Resolver;

  before(async () => {
    server = await startDnsServer({
      'both.test': ['203.0.113.5', '2001:db8::5', '203.0.113.6'],
      'alias.test': ['=both.test'],
      'broken.test': 'servfail',
      'silent.test': 'silent',
      'moves.test': (earlier) => (earlier === 0 ? ['203.0.113.9'] : ['127.0.0.1']),
      'many.test': Array.from({ length: 200 }, (_, index) => `203.0.113.${index}`),
    });
    resolver = new Resolver({ timeout: 200, tries: 1 });
    resolver.setServers([server.address]);
  });
  after(async () => server.close());

  const codeOf = async (lookup: Promise<unknown>): Promise<string> =>
    lookup.then(
      () => 'answered',
      (error: NodeJS.ErrnoException) => error.code ?? 'none',
    );

  it('the DNS server answers IPv4 to A and IPv6 to AAAA, whatever the case of the name', async () => {
    expect(await resolver.resolve4('BOTH.test')).to.deep.equal(['203.0.113.5', '203.0.113.6']);
    expect(await resolver.resolve6('both.test')).to.deep.equal(['2001:db8::5']);
  });

  it('the DNS server follows an alias to its addresses', async () => {
    expect(await resolver.resolveCname('alias.test')).to.deep.equal(['both.test']);
    expect(await resolver.resolve6('alias.test')).to.deep.equal(['2001:db8::5']);
  });

  it('the DNS server answers an unknown name with NXDOMAIN, and a missing record type with no data', async () => {
    expect(await codeOf(resolver.resolve4('stranger.test'))).to.equal('ENOTFOUND');
    expect(await codeOf(resolver.resolve6('moves.test'))).to.equal('ENODATA');
  });

  it('the DNS server fails or never answers for the names configured so', async () => {
    expect(await codeOf(resolver.resolve4('broken.test'))).to.equal('ESERVFAIL');
    expect(await codeOf(resolver.resolve4('silent.test'))).to.equal('ETIMEOUT');
  });

  it('the DNS server calls a configured function for every query, so that a name can move', async () => {
    const moving = await startDnsServer({
      'moves.test': (earlier) => (earlier === 0 ? ['203.0.113.9'] : ['127.0.0.1']),
    });
    const client = new Resolver();
    client.setServers([moving.address]);
    expect(await client.resolve4('moves.test')).to.deep.equal(['203.0.113.9']);
    expect(await client.resolve4('moves.test')).to.deep.equal(['127.0.0.1']);
    expect(moving.queries()).to.deep.equal(['moves.test A', 'moves.test A']);
    await moving.close();
  });

  it('the DNS server answers over TCP on the same port', async () => {
    const query: Packet = { type: 'query', id: 7, questions: [{ type: 'A', name: 'both.test' }] };
    const [host = '', port = ''] = server.address.split(':');
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const socket = connect(Number(port), host, () => socket.write(streamEncode(query)));
      socket.once('error', reject).once('data', (chunk) => {
        socket.end();
        resolve(chunk as Buffer);
      });
    });
    const reply = streamDecode(bytes);
    expect(reply?.id).to.equal(7);
    expect(reply?.answers?.map((answer) => ('data' in answer ? answer.data : null))).to.deep.equal([
      '203.0.113.5',
      '203.0.113.6',
    ]);
  });

  it('the DNS server sends an answer that is too long for UDP over TCP', async () => {
    expect(await resolver.resolve4('many.test')).to.have.length(200);
    expect(server.queries().filter((query) => query === 'many.test A')).to.have.length(2);
  });
});
