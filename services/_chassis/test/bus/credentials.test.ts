import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { expect } from 'chai';
import { testNats, type TestNats } from '@vds/testkit/harness/nats';
import { natsOperator } from '@vds/testkit/harness/nats-operator';
import { openRecordingServer } from '@vds/testkit/harness/recording-server';
import { testTlsFiles } from '@vds/testkit/harness/tls-files';
import { until } from '@vds/testkit/until';
import { busConfig, connectBus, on, type Bus, type BusOptions } from '../../src/bus/bus.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noteEvent, quiet } from '../fixtures.ts';

describe('the settings of NATS', function () {
  this.timeout(30_000);
  const dir = mkdtempSync(join(tmpdir(), 'credentials-'));
  const operator = natsOperator();
  let nats: TestNats;
  const buses: Bus[] = [];
  before(async () => {
    nats = await testNats({ config: operator.config });
  });
  afterEach(() => Promise.all(buses.splice(0).map((bus) => bus.close())));
  after(async () => {
    await nats.remove();
    rmSync(dir, { recursive: true });
  });

  const write = (name: string, content: string): string => {
    writeFileSync(join(dir, name), content, { mode: 0o600 });
    return join(dir, name);
  };
  const open = async (service: string, more: Partial<BusOptions>): Promise<Bus> => {
    const nobody = { natsUser: undefined, natsPassword: undefined, natsReplicas: 1, natsStreamBytes: 2 ** 30 };
    const options = { natsUrl: nats.url, ...nobody, service, log: quiet, metrics: createMetrics(service), ...more };
    const bus = await connectBus(options);
    buses.push(bus);
    return bus;
  };
  const failure = (more: Partial<BusOptions>): Promise<string> =>
    open('alpha', more).then(
      () => 'connected',
      (error: Error) => error.message,
    );
  const configured = (natsUrl: string): string => {
    try {
      return readConfig({ natsUrl: busConfig.natsUrl }, { NATS_URL: natsUrl }).natsUrl;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('events pass with a server that identifies services by their credentials files', async () => {
    const event = noteEvent();
    const alpha = await open('alpha', { natsCredsFile: write('alpha.creds', operator.credentials('alpha')) });
    const beta = await open('beta', { natsCredsFile: write('beta.creds', operator.credentials('beta')) });
    await alpha.ownStream();
    const received: string[] = [];
    beta.subscribe([on(event, async ({ text }) => void received.push(text))]);
    await alpha.publish(event, { text: 'signed' }, 'one');
    await until(() => received.length > 0, { what: 'the event' });
    expect(received).to.deep.equal(['signed']);
  });

  it('credentials of another operator are rejected', async () => {
    const foreign = write('foreign.creds', natsOperator().credentials('alpha'));
    expect(await failure({ natsCredsFile: foreign })).to.match(/authorization violation/i);
  });

  it('credentials replaced while the server is unavailable are used by the next connection', async () => {
    const file = write('renewed.creds', operator.credentials('alpha'));
    const bus = await open('alpha', { natsCredsFile: file });
    write('renewed.creds', 'cut off in the middle of a change');
    await nats.restart();
    await until(() => bus.isUp(), { what: 'a connection with the last usable credentials' });
    write('renewed.creds', operator.credentials('renewed'));
    await nats.restart();
    await until(() => bus.isUp(), { what: 'a connection with new credentials' });
    await bus.check();
  });

  it('credentials rejected for a while do not end the connection permanently', async () => {
    const file = write('wrong.creds', operator.credentials('alpha'));
    const reasons: string[] = [];
    const log = createLogger('alpha', 'info', { write: (line: string) => void reasons.push(line) });
    const bus = await open('alpha', { natsCredsFile: file, log });
    write('wrong.creds', natsOperator().credentials('alpha'));
    await nats.restart();
    await until(() => reasons.some((line) => /authorization violation/i.test(line)), { what: 'the reason in the log' });
    expect(bus.isUp()).to.equal(false);
    expect(reasons.filter((line) => line.includes('disconnected'))).to.have.lengthOf(1);
    write('wrong.creds', operator.credentials('alpha'));
    await until(() => bus.isUp(), { what: 'the connection' });
    await bus.check();
    // The client reports it once for each rejected attempt, all at once.
    expect(reasons.filter((line) => line.includes('connected to NATS again'))).to.have.lengthOf(1);
  });

  it('a server too busy to check credentials in time is waited for like an unavailable one', async () => {
    const busy = await openRecordingServer({
      greeting: 'INFO {"server_id":"X","version":"2.15.2","proto":1,"headers":true,"max_payload":1048576}\r\n',
      answer: (data) => {
        if (!data.includes('PING')) return undefined;
        return busy.connections() > 2 ? 'PONG\r\n' : "-ERR 'Authentication Timeout'\r\n";
      },
    });
    const bus = await open('alpha', { natsUrl: `nats://127.0.0.1:${busy.port}` });
    expect(bus.isUp()).to.equal(true);
    await bus.close();
    await busy.close();
  });

  it('a credentials file is rejected beside a user or a password, and if it contains no credentials', async () => {
    const natsCredsFile = write('both.creds', operator.credentials('alpha'));
    expect(await failure({ natsCredsFile, natsUser: 'alpha' })).to.match(/NATS_CREDS_FILE is set beside NATS_USER/);
    expect(await failure({ natsCredsFile, natsPassword: 'x' })).to.match(/NATS_CREDS_FILE is set beside NATS_USER/);
    expect(await failure({ natsCredsFile: write('none', 'x') })).to.match(/NATS_CREDS_FILE: .* is no file of cred/);
    expect(await failure({ natsCredsFile: join(dir, 'missing') })).to.match(/NATS_CREDS_FILE: .* cannot be read/);
  });

  it('a seed alone is an NKey, with which the server knows the service', async () => {
    const [alpha, stranger] = [nkeys.createUser(), nkeys.createUser()];
    const users = `authorization { users: [{ nkey: "${alpha.getPublicKey()}" }] }`;
    const server = await testNats({ config: users });
    const natsUrl = server.url;
    const natsCredsFile = write('alpha.nk', `${Buffer.from(alpha.getSeed()).toString()}\n`);
    const bus = await open('alpha', { natsUrl, natsCredsFile });
    await bus.check();
    const foreign = write('stranger.nk', Buffer.from(stranger.getSeed()).toString());
    expect(await failure({ natsUrl, natsCredsFile: foreign })).to.match(/authorization violation/i);
    expect(await failure({ natsUrl })).to.match(/authorization violation/i);
    await bus.close();
    await server.remove();
  });

  it('a certificate is a login, and one that is replaced is used by the next connection', async () => {
    const [alpha, renewed, server] = [
      await testTlsFiles(['alpha']),
      await testTlsFiles(['alpha']),
      await testTlsFiles(),
    ];
    const [beta, authorities] = [await testTlsFiles(['beta']), join(dir, 'authorities.pem')];
    writeFileSync(authorities, [alpha, beta, renewed].map(({ pem }) => pem.ca).join('\n'));
    const files = `cert_file: "${server.certFile}", key_file: "${server.keyFile}", ca_file: "${authorities}"`;
    const users = 'authorization { users: [{ user: "alpha" }] }';
    const secure = await testNats({ config: `tls { ${files}, verify_and_map: true }\n${users}` });
    const login = {
      natsUrl: secure.url.replace('nats:', 'tls:'),
      natsCaFile: server.caFile,
      natsKeyFile: alpha.keyFile,
    };
    const bus = await open('alpha', { ...login, natsCertFile: alpha.certFile });
    await bus.check();
    writeFileSync(alpha.certFile, renewed.pem.cert);
    writeFileSync(alpha.keyFile, renewed.pem.key);
    writeFileSync(authorities, [beta, renewed].map(({ pem }) => pem.ca).join('\n'));
    await secure.restart();
    await until(() => bus.isUp(), { what: 'a connection with the new certificate' });
    await bus.check();
    const asBeta = { ...login, natsCertFile: beta.certFile, natsKeyFile: beta.keyFile };
    expect(await failure(asBeta)).to.match(/authorization violation/i);
    await bus.close();
    await secure.remove();
    for (const one of [alpha, beta, renewed, server]) one.remove();
  });

  it('half a certificate, one without TLS, and one beside another login are rejected', async () => {
    const natsCertFile = write('cert.pem', 'x');
    const natsUrl = 'tls://127.0.0.1:1';
    expect(await failure({ natsUrl, natsCertFile })).to.match(/NATS_CERT_FILE and NATS_KEY_FILE belong together/);
    const both = { natsCertFile, natsKeyFile: natsCertFile };
    expect(await failure(both)).to.match(/NATS_CERT_FILE is set, but NATS_URL does not say tls/);
    expect(await failure({ ...both, natsUrl, natsUser: 'a' })).to.match(/NATS_CERT_FILE is set beside NATS_USER/);
    const natsCredsFile = natsCertFile;
    expect(await failure({ ...both, natsUrl, natsCredsFile })).to.match(/NATS_CREDS_FILE is set beside NATS_CERT_FILE/);
  });

  it('an authority without tls:// is rejected: nothing would be verified', async () => {
    expect(await failure({ natsCaFile: write('ca.pem', '') })).to.match(/NATS_URL does not say tls:\/\//);
  });

  it('NATS_URL names servers of one scheme, nats:// or tls://', () => {
    for (const accepted of ['nats://a:4222', 'tls://a', 'tls://a:4222,tls://b:4222'])
      expect(configured(accepted)).to.equal(accepted);
    for (const refused of ['a:4222', 'http://a', 'tls://a,nats://b', 'tls://a,b', 'tls://', ','])
      expect(configured(refused), refused).to.match(/NATS_URL must be one or several URLs/);
  });
});
