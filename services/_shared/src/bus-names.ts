/** Names of streams; who generates NATS permissions needs the same ones. */

/** Name of the stream that holds `<owner>.>`. */
export const streamOf = (owner: string): string => owner.toUpperCase().replaceAll('-', '_');
/** Name of the stream that holds what `service` gave up on, under `dead.<service>.>`. */
export const deadStreamOf = (service: string): string => `DEAD_${streamOf(service)}`;
