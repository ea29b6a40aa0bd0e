/** How connections to PostgreSQL prove who opens them: a password, or a token that is made for each connection. */
import { awsCredentials, awsRegionOf, misconfigured } from '../cloud/aws-credentials.ts';
import { databaseToken } from '../cloud/database-token.ts';
import { googleToken } from '../cloud/google-token.ts';
import { cloudConfig, type CloudSettings } from '../cloud/settings.ts';
import { choice, optional, readConfig, secret, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';

export const databaseLoginConfig = {
  /** `password`: DATABASE_PASSWORD. `aws`: a token of RDS for the role of the pod. `google`: the access token of the pod, for Cloud SQL. */
  databaseAuth: ['DATABASE_AUTH', withDefault(choice('password', 'aws', 'google'), 'password' as const)],
  /** The user's password. */
  databasePassword: ['DATABASE_PASSWORD', optional(secret)],
  ...cloudConfig,
} as const satisfies ConfigSpec;

type Login = ConfigOf<typeof databaseLoginConfig>;
export type DatabaseLogin = Partial<Pick<Login, 'databaseAuth' | 'databasePassword'>> & CloudSettings;

/** What `pg` takes: a function is called for each connection. */
export type Password = string | (() => Promise<string>);

/** The same of environment variables, for programs without the settings of a service. */
export function passwordIn(environment: Readonly<Record<string, string | undefined>>, databaseUrl: string) {
  return passwordOf({ databaseUrl, ...readConfig(databaseLoginConfig, environment) });
}

/**
 * The password of each new connection; undefined for that in the URL.
 * @throws AppError FAILED_PRECONDITION that names what is missing or contradictory
 */
export function passwordOf({
  databaseUrl,
  ...login
}: DatabaseLogin & { readonly databaseUrl: string }): Password | undefined {
  const { databaseAuth = 'password', databasePassword } = login;
  if (databaseAuth === 'password') return databasePassword;
  const { hostname: host, port, username, password, searchParams } = new URL(databaseUrl);
  if (databasePassword !== undefined || password !== '')
    throw misconfigured(`DATABASE_AUTH is ${databaseAuth} beside a password: set one or the other`);
  if (!/^verify-(ca|full)$/.test(searchParams.get('sslmode') ?? ''))
    throw misconfigured(
      `DATABASE_AUTH is ${databaseAuth}: DATABASE_URL must say sslmode=verify-full or verify-ca, as a token is sent there`,
    );
  if (databaseAuth === 'google') return googleToken(login);
  const region = awsRegionOf(login, 'DATABASE_AUTH=aws');
  const keys = awsCredentials(login);
  const target = { host, port: Number(port || 5432), user: decodeURIComponent(username) };
  return async () => databaseToken(target, region, await keys());
}
