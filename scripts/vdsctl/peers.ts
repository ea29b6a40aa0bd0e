/** What went wrong between vdsctl and a service, in a sentence that says where and what to do. */
import { AppError } from '@vds/chassis/errors';

export type Peer = {
  readonly service: string;
  readonly address: string;
  /** The variable that the address is from. */
  readonly variable: string;
};

type Client = { readonly close: () => Promise<void> };

/** The same client, with errors of the connection in our words. */
export function speaking<C extends Client>(client: C, peer: Peer): C {
  const methods = Object.entries(client as Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>);
  const spoken = methods.map(([name, method]) => [
    name,
    async (...given: unknown[]): Promise<unknown> => {
      try {
        return await method(...given);
      } catch (error) {
        throw explained(error, peer);
      }
    },
  ]);
  return Object.fromEntries(spoken) as C;
}

function explained(error: unknown, peer: Peer): unknown {
  if (!(error instanceof AppError)) return error;
  const message = sentence(error, peer);
  return message === undefined ? error : new AppError(error.code, message, { cause: error });
}

function sentence({ code, message }: AppError, { service, address, variable }: Peer): string | undefined {
  switch (code) {
    case 'UNAVAILABLE':
      return `${service} cannot be reached at ${address}. See that it runs and that ${variable} names its admin port, then try again. (${message})`;
    case 'DEADLINE_EXCEEDED':
      return `${service} at ${address} did not answer in time. What was asked may have been done all the same: look, with 'vdsctl audit', before you ask again.`;
    case 'UNAUTHENTICATED':
      return `${service} at ${address} refuses the token: VDSCTL_TOKEN must be the one that it knows as vdsctl's. (${message})`;
    case 'PERMISSION_DENIED':
      return `${service} at ${address} does not let this token do that: ${message}`;
    case 'INTERNAL':
      return `${service} at ${address} failed: ${message}. Its log says why; 'vdsctl audit' whether anything was changed.`;
    default:
      return undefined; // the service's own words are for who asked
  }
}
