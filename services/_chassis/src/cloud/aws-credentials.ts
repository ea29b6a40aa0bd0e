/**
 * The AWS credentials of this process, without a key of its own: for a token of the cluster (IRSA), from the agent of EKS
 * Pod Identity or ECS, or from the instance. In the order of AWS's own libraries:
 * https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
import { AppError } from '../errors.ts';
import { requestCredentials, jsonOf, noCredentials, tokenIn, type CredentialsResponse } from './credentials-request.ts';
import { withRenewal, type Expiring, type RenewalOptions } from './renewal.ts';
import type { CloudSettings } from './settings.ts';
import type { Keys } from './signature-v4.ts';

type Source = () => Promise<Expiring<Keys>>;

/** Hosts that may be called without TLS, as AWS's libraries do: they are the pod's own node. */
const LINK_LOCAL = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]|169\.254\.170\.(2|23)|\[fd00:ec2::23\])$/;
const ECS_AGENT = 'http://169.254.170.2';
const IMDS_TOKEN_SECONDS = 21_600;

/** One for the process, so that all its clients renew together. */
const opened = new Map<string, () => Promise<Keys>>();

/**
 * The credentials of the process; each call returns the current ones.
 * @throws AppError FAILED_PRECONDITION that names what is missing, at once; later UNAVAILABLE where there are none
 */
export function awsCredentials(settings: CloudSettings): () => Promise<Keys> {
  const name = JSON.stringify(Object.entries(settings).filter(([key]) => key.startsWith('aws')));
  const known = opened.get(name) ?? openAwsCredentials(settings);
  opened.set(name, known);
  return known;
}

/** The same, of their own. */
export function openAwsCredentials(settings: CloudSettings, options?: RenewalOptions): () => Promise<Keys> {
  return withRenewal('credentials of AWS', sourceOf(settings), options);
}

/** @throws AppError for a variable that is missing beside another one */
export function awsRegionOf({ awsRegion }: CloudSettings, needs: string): string {
  if (awsRegion !== undefined) return awsRegion;
  throw misconfigured(`AWS_REGION is not set, which ${needs} needs`);
}

export function misconfigured(message: string): AppError {
  return new AppError('FAILED_PRECONDITION', message);
}

function sourceOf(settings: CloudSettings): Source {
  const { awsRoleArn: role, awsWebIdentityTokenFile: file, awsContainerUrl: url, awsContainerPath: path } = settings;
  if (role !== undefined && file !== undefined) return webIdentity(settings, role, file);
  if (role !== undefined || file !== undefined) {
    const [set, missing] = ['AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE'].toSorted(() =>
      role === undefined ? -1 : 1,
    );
    throw misconfigured(`${missing} is not set, but ${set} is: EKS sets both for an annotated service account`);
  }
  if (url !== undefined) return container(settings, url);
  if (path !== undefined) return container(settings, new URL(path, ECS_AGENT).href);
  return instance(settings.awsMetadataUrl ?? 'http://169.254.169.254');
}

/** Of the region's partition: https://docs.aws.amazon.com/general/latest/gr/sts.html */
function stsIn(region: string): string {
  return `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html */
function webIdentity(settings: CloudSettings, role: string, file: string): Source {
  const url = settings.awsStsUrl ?? stsIn(awsRegionOf(settings, 'AWS_ROLE_ARN'));
  if (!url.startsWith('https:')) throw misconfigured('AWS_ENDPOINT_URL_STS must be https://: a token is sent there');
  const who = `STS, for the role ${role},`;
  return async () => {
    const form = new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: role,
      RoleSessionName: `vds-${process.pid}`,
      WebIdentityToken: await tokenIn('AWS_WEB_IDENTITY_TOKEN_FILE', file),
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await requestCredentials({ who, url, method: 'POST', headers, body: form.toString() });
    const of = (name: string): string | undefined => new RegExp(`<${name}>([^<]+)</${name}>`).exec(response.text)?.[1];
    return keysOf(who, response, [of('AccessKeyId'), of('SecretAccessKey'), of('SessionToken'), of('Expiration')]);
  };
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
function container({ awsContainerTokenFile: file }: CloudSettings, url: string): Source {
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && !LINK_LOCAL.test(hostname))
    throw misconfigured('AWS_CONTAINER_CREDENTIALS_FULL_URI must be https://, or an address of the agent on this node');
  const who = `the agent for credentials at ${new URL(url).host}`;
  return async () => {
    const token = file === undefined ? undefined : await tokenIn('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', file);
    return documentOf(
      who,
      await requestCredentials({ who, url, ...(token !== undefined && { headers: { authorization: token } }) }),
    );
  };
}

/** https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html */
function instance(base: string): Source {
  const who = `the metadata of the instance at ${new URL(base).host} (neither AWS_ROLE_ARN nor AWS_CONTAINER_CREDENTIALS_FULL_URI is set)`;
  const at = (path: string): string => new URL(`/latest/${path}`, base).href;
  const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': String(IMDS_TOKEN_SECONDS) };
  return async () => {
    const { text: token } = await requestCredentials({ who, url: at('api/token'), method: 'PUT', headers: ttl });
    const headers = { 'x-aws-ec2-metadata-token': token };
    const { text: roles } = await requestCredentials({ who, url: at('meta-data/iam/security-credentials/'), headers });
    const [role = ''] = roles.trim().split('\n');
    if (role === '') throw noCredentials(`${who} has no role: give the instance one`);
    const url = at(`meta-data/iam/security-credentials/${encodeURIComponent(role)}`);
    return documentOf(who, await requestCredentials({ who, url, headers }));
  };
}

function documentOf(who: string, response: CredentialsResponse): Expiring<Keys> {
  const document = jsonOf(who, response);
  return keysOf(
    who,
    response,
    ['AccessKeyId', 'SecretAccessKey', 'Token', 'Expiration'].map((name) => document[name]),
  );
}

/** Their life is by the clock of who made them, so that ours may be wrong. */
function keysOf(who: string, { serverTime }: CredentialsResponse, parts: readonly unknown[]): Expiring<Keys> {
  const [accessKey, secretKey, sessionToken, expiration] = parts.map((part) => (typeof part === 'string' ? part : ''));
  const lifeMs = Date.parse(expiration ?? '') - serverTime;
  if (!accessKey || !secretKey || !sessionToken || Number.isNaN(lifeMs))
    throw noCredentials(`${who} returned no credentials with a token and an expiry`);
  if (lifeMs <= 0) throw noCredentials(`${who} returned credentials that have expired`);
  return { value: { accessKey, secretKey, sessionToken }, lifeMs };
}
