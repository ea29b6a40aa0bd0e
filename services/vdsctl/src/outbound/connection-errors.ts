/** Errors between vdsctl and a service, each as a sentence that names the address and the remedy. */
import { AppError } from '@vds/chassis/errors';

export type Peer = {
  readonly service: string;
  readonly address: string;
  /** The variable that the address comes from. */
  readonly variable: string;
};

type Client = { readonly close: () => Promise<void> };

/** The same client; connection errors get a message with the address and the remedy. */
export function explainConnectionErrors<C extends Client>(client: C, peer: Peer): C {
  const methods = Object.entries(client as Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>);
  const wrapped = methods.map(([name, method]) => [
    name,
    async (...args: unknown[]): Promise<unknown> => {
      try {
        return await method(...args);
      } catch (error) {
        throw explain(error, peer);
      }
    },
  ]);
  return Object.fromEntries(wrapped) as C;
}

function explain(error: unknown, peer: Peer): unknown {
  if (!(error instanceof AppError)) return error;
  const message = explanation(error, peer);
  return message === undefined ? error : new AppError(error.code, message, { cause: error });
}

function explanation({ code, message }: AppError, { service, address, variable }: Peer): string | undefined {
  switch (code) {
    case 'UNAVAILABLE':
      return `${service} cannot be reached at ${address}. Check that it runs and that ${variable} is the address of its admin port, then try again. (${message})`;
    case 'DEADLINE_EXCEEDED':
      return `${service} at ${address} did not answer in time. The request may have been carried out: check 'vdsctl audit' before you repeat it.`;
    case 'UNAUTHENTICATED':
      return `${service} at ${address} rejects the token: VDSCTL_TOKEN must be the token that it accepts from vdsctl. (${message})`;
    case 'PERMISSION_DENIED':
      return `${service} at ${address} does not permit this with this token: ${message}`;
    case 'INTERNAL':
      return `${service} at ${address} failed: ${message}. Its log says why; 'vdsctl audit' whether anything was changed.`;
    default:
      return undefined; // the service's own message is meant for the operator
  }
}
