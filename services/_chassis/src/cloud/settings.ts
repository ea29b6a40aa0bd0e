/** Where the cloud says who this process is: the variables that EKS, ECS and Google’s libraries use themselves. */
import { httpUrl, optional, text, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';

export const cloudConfig = {
  /** Region of STS, of OpenSearch and of RDS; EKS sets it with an identity. */
  awsRegion: ['AWS_REGION', optional(text)],
  /** With `…_AUTH=aws`: the role of this process; EKS sets it for an annotated service account (IRSA). */
  awsRoleArn: ['AWS_ROLE_ARN', optional(text)],
  /** File of the token that is exchanged for the role at STS. */
  awsWebIdentityTokenFile: ['AWS_WEB_IDENTITY_TOKEN_FILE', optional(text)],
  /** STS, where it is not `https://sts.<AWS_REGION>.amazonaws.com`. */
  awsStsUrl: ['AWS_ENDPOINT_URL_STS', optional(httpUrl)],
  /** The agent that hands out credentials; EKS Pod Identity sets it. */
  awsContainerUrl: ['AWS_CONTAINER_CREDENTIALS_FULL_URI', optional(httpUrl)],
  /** The same as a path of the agent of ECS. */
  awsContainerPath: ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', optional(text)],
  /** File of the token for the agent. */
  awsContainerTokenFile: ['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE', optional(text)],
  /** Metadata of the instance (IMDSv2), which is used when none of these is set. */
  awsMetadataUrl: ['AWS_EC2_METADATA_SERVICE_ENDPOINT', withDefault(httpUrl, 'http://169.254.169.254')],
  /** With `…_AUTH=google`: the metadata server, a host or a URL. */
  googleMetadataHost: ['GCE_METADATA_HOST', withDefault(text, 'metadata.google.internal')],
} as const satisfies ConfigSpec;

/** Without a setting its default counts. */
export type CloudSettings = Partial<ConfigOf<typeof cloudConfig>>;
