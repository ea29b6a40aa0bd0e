/**
 * What a cloud answers to a process that asks who it is, over TLS: STS, the agent of EKS Pod Identity, metadata of an
 * instance, and Google's metadata. Each hands out what the test says, and refuses a question without its token.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsFiles } from './tls-files.ts';

export type Issued = {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string;
  readonly lifeMs: number;
};

export type FakeCloudOptions = {
  readonly tls: TlsFiles;
  readonly issue: () => Promise<Issued> | Issued;
  /** How far its clock is ahead of ours, in milliseconds. */
  readonly aheadMs?: number;
};

export type FakeCloud = Awaited<ReturnType<typeof openFakeCloud>>;

/** What it accepts: the token of the service account, and that of the agent. */
export const CLUSTER_TOKEN = 'the-token-of-the-service-account';
export const AGENT_TOKEN = 'the-token-for-the-agent';
const IMDS_TOKEN = 'the-token-of-the-instance';
export const ROLE = 'arn:aws:iam::123456789012:role/vds-media';

/** What happens to the next questions. */
export type Mood = 'answers' | 'refuses' | 'fails' | 'hangs' | 'babbles';

export async function openFakeCloud({ tls, issue, aheadMs = 0 }: FakeCloudOptions) {
  const asked: string[] = [];
  const state: { mood: Mood } = { mood: 'answers' };
  const server = createServer({ cert: tls.pem.cert, key: tls.pem.key }, (request, response) => {
    void reply(request, response).catch(() => response.destroy());
  });
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { pathname } = new URL(request.url ?? '/', 'https://cloud');
    asked.push(`${request.method} ${pathname}`);
    if (state.mood === 'hangs') return;
    const send = (status: number, text: string): void => {
      const date = new Date(Date.now() + aheadMs).toUTCString();
      response.writeHead(status, { date, 'content-type': 'text/plain' }).end(text);
    };
    if (state.mood === 'refuses')
      return send(
        403,
        '<ErrorResponse><Error><Code>AccessDenied</Code><Message>Not authorized</Message></Error></ErrorResponse>',
      );
    if (state.mood === 'fails') return send(503, 'sorry');
    if (state.mood === 'babbles') return send(200, 'x'.repeat(200_000));
    const answer = await answerTo(`${request.method} ${pathname}`, request, body, () => issued(issue, aheadMs));
    send(answer === undefined ? 401 : 200, answer ?? 'no such token');
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** `<method> <path>` of each question. */
    asked,
    state,
    close: (): void => server.close().closeAllConnections(),
  };
}

type Document = Readonly<Record<'AccessKeyId' | 'SecretAccessKey' | 'Token' | 'Expiration', string>> & {
  lifeMs: number;
};

async function issued(issue: FakeCloudOptions['issue'], aheadMs: number): Promise<Document> {
  const { accessKey: AccessKeyId, secretKey: SecretAccessKey, sessionToken: Token, lifeMs } = await issue();
  // The header `date` has whole seconds.
  const now = Math.floor((Date.now() + aheadMs) / 1_000) * 1_000;
  return { AccessKeyId, SecretAccessKey, Token, Expiration: new Date(now + lifeMs).toISOString(), lifeMs };
}

/** The body of a response; undefined for a question without its token. */
async function answerTo(
  question: string,
  { headers }: IncomingMessage,
  body: string,
  issue: () => Promise<Document>,
): Promise<string | undefined> {
  switch (question) {
    case 'POST /': {
      const form = new URLSearchParams(body);
      const isValid = form.get('WebIdentityToken') === CLUSTER_TOKEN && form.get('RoleArn') === ROLE;
      if (!isValid || form.get('Action') !== 'AssumeRoleWithWebIdentity') return undefined;
      const { Token: SessionToken, lifeMs: _life, ...keys } = await issue();
      const elements = Object.entries({ ...keys, SessionToken }).map(([name, value]) => `<${name}>${value}</${name}>`);
      return `<AssumeRoleWithWebIdentityResponse><Credentials>${elements.join('')}</Credentials></AssumeRoleWithWebIdentityResponse>`;
    }
    case 'GET /v1/credentials':
      // Without `Code`, which only the instance's metadata has.
      return headers.authorization === AGENT_TOKEN ? JSON.stringify(await issue()) : undefined;
    case 'PUT /latest/api/token':
      return headers['x-aws-ec2-metadata-token-ttl-seconds'] === undefined ? undefined : IMDS_TOKEN;
    case 'GET /latest/meta-data/iam/security-credentials/':
      return headers['x-aws-ec2-metadata-token'] === IMDS_TOKEN ? 'vds-node' : undefined;
    case 'GET /latest/meta-data/iam/security-credentials/vds-node':
      return headers['x-aws-ec2-metadata-token'] === IMDS_TOKEN
        ? JSON.stringify({ Code: 'Success', Type: 'AWS-HMAC', ...(await issue()) })
        : undefined;
    case 'GET /computeMetadata/v1/instance/service-accounts/default/token': {
      if (headers['metadata-flavor'] !== 'Google') return undefined;
      const { Token: access_token, lifeMs } = await issue();
      return JSON.stringify({ access_token, expires_in: lifeMs / 1_000, token_type: 'Bearer' });
    }
    default:
      return undefined;
  }
}
