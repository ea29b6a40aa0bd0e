import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auth, captions, catalog, indexer, metadata } from '@vds/proto';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { APPS, callersOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { noTls } from '../harness/rpc-callers.ts';
import { readServers } from '../servers/servers-file.ts';
import { startStack, type Stack } from './start-stack.ts';

type Port = 'rpc' | 'adminRpc';
type Call = (request: object) => Promise<unknown>;

/** The methods that the platform's apps may call, on the port of the services. */
const permitted = [
  ...['MintPlaybackToken', 'GetClip', 'GetTranscript', 'GetMetadata'],
  ...['Search', 'Feed', 'Recommend', 'ListMoments'],
];
const interfaces = [
  { service: 'auth', port: 'rpc', constructor: auth.AuthService },
  { service: 'auth', port: 'adminRpc', constructor: auth.AuthAdmin },
  { service: 'catalog', port: 'rpc', constructor: catalog.CatalogService },
  { service: 'catalog', port: 'adminRpc', constructor: catalog.CatalogAdmin },
  { service: 'captions', port: 'rpc', constructor: captions.CaptionsService },
  { service: 'captions', port: 'adminRpc', constructor: captions.CaptionsService },
  { service: 'captions', port: 'adminRpc', constructor: captions.CaptionsAdmin },
  { service: 'metadata', port: 'rpc', constructor: metadata.MetadataService },
  { service: 'metadata', port: 'adminRpc', constructor: metadata.MetadataService },
  { service: 'indexer', port: 'rpc', constructor: indexer.IndexerService },
  { service: 'indexer', port: 'adminRpc', constructor: indexer.IndexerAdmin },
] as const satisfies readonly { service: ServiceName; port: Port; constructor: unknown }[];

describe('the platform’s apps as a caller', function () {
  this.timeout(120_000);
  const dir = mkdtempSync(join(tmpdir(), 'apps-'));
  let stack: Stack;

  before(async () => {
    const services: ServiceName[] = ['auth', 'catalog', 'captions', 'metadata', 'indexer'];
    stack = await startStack({ dir, name: `apps${process.pid}`, servers: readServers(), services });
  });
  after(async () => {
    await stack?.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Outcome of every method of an interface: the code of its error, or `OK`. */
  const outcomes = async (token: string, { service, port, constructor }: (typeof interfaces)[number]) => {
    const config = { rpcToken: token, ...noTls };
    // Every interface is called alike here: by the names of its methods.
    const client = rpcClient(constructor as typeof auth.AuthService, { target: stack.rpc(service, port), config });
    const methods = Object.entries(client).filter(([name]) => /^[A-Z]/.test(name)) as unknown as [string, Call][];
    const ended = await Promise.all(
      methods.map(async ([name, call]) => {
        const code = await call({}).then(
          () => 'OK',
          (error: { code: string }) => error.code,
        );
        return [name, code] as const;
      }),
    );
    await client.close();
    return ended;
  };

  for (const one of interfaces)
    it(`the token of the apps is refused by every method of ${one.service} on ${one.port} that is not theirs, and by no other`, async () => {
      const ended = await outcomes(stack.tokens.apps, one);
      expect(ended).not.to.deep.equal([]);
      const mine = one.port === 'rpc' ? permitted : [];
      const refused = ended.filter(([, code]) => code === 'PERMISSION_DENIED').map(([name]) => name);
      expect(refused).to.deep.equal(ended.map(([name]) => name).filter((name) => !mine.includes(name)));
    });
  it('a token of nobody is unauthenticated everywhere', async () => {
    for (const one of interfaces)
      for (const [name, code] of await outcomes('nobody', one)) expect(code, name).to.equal('UNAUTHENTICATED');
  });
  it('the services that accept the token of the apps are those that serve them', () => {
    expect(serviceNames.filter((service) => callersOf(service).includes(APPS))).to.deep.equal([
      'auth',
      'catalog',
      'captions',
      'metadata',
      'indexer',
    ]);
  });
});
