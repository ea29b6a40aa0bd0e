/** The identity of a pod at fake issuers over TLS: what they are sent, what is believed, and what is said without them. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  AGENT_TOKEN,
  CLUSTER_TOKEN,
  openFakeCloud,
  ROLE,
  type FakeCloud,
  type Issued,
  type Mood,
} from '@vds/testkit/harness/fake-cloud';
import { testTlsFiles, type TlsFiles } from '@vds/testkit/harness/tls-files';
import { until } from '@vds/testkit/until';
import { expect } from 'chai';
import { openAwsCredentials } from '../../src/cloud/aws-credentials.ts';
import { openGoogleToken } from '../../src/cloud/google-token.ts';
import { cloudConfig, type CloudSettings } from '../../src/cloud/settings.ts';
import { readConfig } from '../../src/config/config.ts';
import { classify, type AppError } from '../../src/errors.ts';
import { loginOf } from '../../src/objects/login.ts';

const HOUR = 3_600_000;

describe('the identity of a pod', () => {
  const trustedBefore = getCACertificates('default');
  let tls: TlsFiles;
  let cloud: FakeCloud;
  let count = 0;
  const opened: FakeCloud[] = [];
  const issue = (): Issued => {
    count += 1;
    return { accessKey: `key-${count}`, secretKey: 'secret', sessionToken: `token-${count}`, lifeMs: HOUR };
  };
  const open = async (more: Partial<Parameters<typeof openFakeCloud>[0]> = {}): Promise<FakeCloud> => {
    const one = await openFakeCloud({ tls, issue, ...more });
    opened.push(one);
    return one;
  };
  before(async () => {
    tls = await testTlsFiles();
    setDefaultCACertificates([...trustedBefore, tls.pem.ca]);
  });
  beforeEach(async () => {
    count = 0;
    cloud = await open();
  });
  afterEach(() => opened.splice(0).forEach((one) => one.close()));
  after(() => {
    setDefaultCACertificates(trustedBefore);
    tls.remove();
  });

  const file = (name: string, content: string): string => {
    const path = join(dirname(tls.caFile), name);
    writeFileSync(path, content);
    return path;
  };
  const settings = (variables: Record<string, string>): CloudSettings => readConfig(cloudConfig, variables);
  const webIdentity = (url = cloud.url, token = CLUSTER_TOKEN): CloudSettings =>
    settings({
      AWS_ROLE_ARN: ROLE,
      AWS_WEB_IDENTITY_TOKEN_FILE: file('token', `${token}\n`),
      AWS_ENDPOINT_URL_STS: url,
    });
  const agent = (): CloudSettings =>
    settings({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file('agent-token', AGENT_TOKEN),
    });
  const instance = (): CloudSettings => settings({ AWS_EC2_METADATA_SERVICE_ENDPOINT: cloud.url });
  const failure = (call: Promise<unknown>): Promise<AppError> =>
    call.then(
      () => expect.fail('there are credentials'),
      (error: AppError) => error,
    );

  const first = { accessKey: 'key-1', secretKey: 'secret', sessionToken: 'token-1' };
  for (const [name, of] of Object.entries({ webIdentity, agent, instance }))
    it(`credentials come with their token, and a hundred callers ask once: ${name}`, async () => {
      const credentials = openAwsCredentials(of());
      const found = await Promise.all(Array.from({ length: 100 }, credentials));
      for (const one of found) expect(one).to.deep.equal(first);
      expect(count).to.equal(1);
    });

  it('Google’s metadata server hands out one token for a hundred callers', async () => {
    const token = openGoogleToken(cloud.url);
    expect(new Set(await Promise.all(Array.from({ length: 100 }, token)))).to.deep.equal(new Set(['token-1']));
    expect(count).to.equal(1);
  });

  it('STS is away for ten minutes, and no call fails; then there are new credentials', async () => {
    let now = 0;
    const late: string[] = [];
    const options = { now: () => now, random: () => 1, onLate: (reason: string) => void late.push(reason) };
    const credentials = openAwsCredentials(webIdentity(), options);
    await credentials();
    cloud.state.mood = 'fails';
    let tries = 0;
    for (now = 41 * 60_000; now < 51 * 60_000; now += 15_000) {
      expect(await credentials()).to.deep.equal(first);
      tries += 1;
      await until(() => late.length === tries, { what: 'the end of a renewal' });
    }
    expect(cloud.asked.length).to.equal(41);
    expect(late[0]).to.match(/^credentials of AWS cannot be renewed: STS, .* refuses: status 503$/);
    cloud.state.mood = 'answers';
    now += 15_000;
    await until(async () => (await credentials()).accessKey === 'key-2', { what: 'new credentials' });
  });

  for (const aheadMs of [-2 * HOUR, 2 * HOUR])
    it(`a clock that is ${aheadMs / HOUR} h off changes nothing: their life is by the clock of who issues them`, async () => {
      let now = 0;
      cloud = await open({ aheadMs });
      const credentials = openAwsCredentials(webIdentity(), { now: () => now, random: () => 0 });
      await credentials();
      now = 44 * 60_000;
      expect(await credentials()).to.deep.equal(first);
      expect(cloud.asked.length).to.equal(1);
      now = 46 * 60_000;
      await until(async () => (await credentials()).accessKey === 'key-2', { what: 'new credentials' });
    });

  const moods: Mood[] = ['refuses', 'fails', 'hangs', 'babbles'];
  for (const mood of moods)
    it(`an issuer that ${mood} is an unavailable dependency`, async () => {
      cloud.state.mood = mood;
      const asked = [webIdentity(), agent(), instance()].map((of) => failure(openAwsCredentials(of)()));
      for (const error of await Promise.all([...asked, failure(openGoogleToken(cloud.url)())])) {
        expect(classify(error), error.message).to.deep.equal({ class: 'dependency', missing: false, permanent: false });
        expect(error.reason).to.equal(mood === 'refuses' ? 'credentials_refused' : 'credentials_unavailable');
        expect(error.message).not.to.match(/the-token|secret/);
      }
    }).timeout(15_000);

  it('a token that STS does not accept is refused, and a new one in the file is used at the next question', async () => {
    let now = 0;
    const of = webIdentity(cloud.url, 'expired');
    const credentials = openAwsCredentials(of, { now: () => now });
    expect((await failure(credentials())).reason).to.equal('credentials_refused');
    file('token', CLUSTER_TOKEN);
    now = 1_000;
    expect(await credentials()).to.deep.equal(first);
  });

  it('an issuer whose certificate nobody knows gets no token', async () => {
    const unknown = await testTlsFiles();
    const stranger = await open({ tls: unknown });
    const error = await failure(openAwsCredentials(webIdentity(stranger.url))());
    expect(error.message).to.match(/certificate/);
    expect(stranger.asked).to.deep.equal([]);
    unknown.remove();
  });

  it('what is missing is named at the start', () => {
    const said = (variables: Record<string, string>): string => {
      try {
        openAwsCredentials(settings(variables));
        return 'opened';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(said({ AWS_ROLE_ARN: ROLE })).to.match(/^AWS_WEB_IDENTITY_TOKEN_FILE is not set, but AWS_ROLE_ARN is/);
    expect(said({ AWS_WEB_IDENTITY_TOKEN_FILE: '/x' })).to.match(/^AWS_ROLE_ARN is not set, but AWS_WEB/);
    const role = { AWS_ROLE_ARN: ROLE, AWS_WEB_IDENTITY_TOKEN_FILE: '/x' };
    expect(said(role)).to.match(/^AWS_REGION is not set/);
    expect(said({ ...role, AWS_ENDPOINT_URL_STS: 'http://sts.example.com' })).to.match(/must be https/);
    for (const url of ['http://169.254.170.23/v1/credentials', 'http://[fd00:ec2::23]/v1/credentials', 'https://a/'])
      expect(said({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url }), url).to.equal('opened');
    for (const url of ['http://169.254.169.254/', 'http://agent.example.com/', 'http://169.254.170.23.example.com/'])
      expect(said({ AWS_CONTAINER_CREDENTIALS_FULL_URI: url }), url).to.match(/must be https/);
    const none = { s3AccessKey: undefined, s3SecretKey: undefined };
    expect(() => loginOf(none)).to.throw(/^S3_ACCESS_KEY is not set: set it, or S3_AUTH to aws or google/);
    expect(() => loginOf({ ...none, s3AccessKey: 'a' })).to.throw(/^S3_SECRET_KEY is not set/);
    expect(() => loginOf({ ...none, s3AccessKey: 'a', s3Auth: 'aws' })).to.throw(/set one or the other/);
  });
});
