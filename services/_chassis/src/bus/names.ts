/** Names of streams; who generates NATS permissions needs the same ones. */

/** Name of the stream that holds what `service` gave up on, under `dead.<service>.>`. */
export function deadStreamOf(service: string): string {
  return `DEAD_${streamOf(service)}`;
}

/** Name of the stream that holds `<owner>.>`. */
export function streamOf(owner: string): string {
  return owner.toUpperCase().replaceAll('-', '_');
}
