/** A nats-server in operator mode needs an operator, accounts and users as signed claims (JWT): made here, without `nsc`. */
import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

export type NatsOperator = {
  /** Lines of the server's configuration. */
  readonly config: string;
  /** The content of a new .creds file of a user. */
  readonly credentials: (user: string) => string;
};

const unlimited = {
  ...{ subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
  ...{ mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 },
};

/** An operator with one account for users, with JetStream, and the system account. */
export function natsOperator(): NatsOperator {
  const operator = nkeys.createOperator();
  const [system, account] = [nkeys.createAccount(), nkeys.createAccount()];
  const systemJwt = claim(operator, system, 'SYS', { type: 'account' });
  const accountJwt = claim(operator, account, 'VDS', { type: 'account', limits: unlimited });
  const operatorJwt = claim(operator, operator, 'test', { type: 'operator', system_account: system.getPublicKey() });
  return {
    config: `operator: ${operatorJwt}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload { ${system.getPublicKey()}: ${systemJwt}, ${account.getPublicKey()}: ${accountJwt} }`,
    credentials: (user) => {
      const pair = nkeys.createUser();
      const jwt = claim(account, pair, user, { type: 'user', subs: -1, data: -1, payload: -1 });
      const seed = Buffer.from(pair.getSeed()).toString();
      return `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n
-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`;
    },
  };
}

/** https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt */
function claim(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const content = {
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    name,
    sub: subject.getPublicKey(),
    nats: { version: 2, ...nats },
  };
  const jti = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const signed = [
    { typ: 'JWT', alg: 'ed25519-nkey' },
    { jti, ...content },
  ].map((part) => encode(JSON.stringify(part)));
  return [...signed, encode(issuer.sign(Buffer.from(signed.join('.'))))].join('.');
}

function encode(bytes: string | Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
