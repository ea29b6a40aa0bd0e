/** The audit names the person who acted: a personal token is exchanged at auth for one that every admin port verifies. */
import type { ConnectionConfig } from '../config.ts';
import { createAdminClients } from './admin-clients.ts';

/** Whether a token is a person's, of `vdsctl staff add`. */
export function isPersonal(token: string): boolean {
  return token.startsWith('svc_staff_');
}

/** The configuration with the exchanged token; unchanged for the service token. */
export async function signIn(config: ConnectionConfig): Promise<ConnectionConfig> {
  if (!isPersonal(config.rpcToken)) return config;
  const clients = createAdminClients(config);
  try {
    const { token } = await clients.keys().ExchangeStaffToken({});
    return { ...config, rpcToken: token };
  } finally {
    await clients.close();
  }
}
