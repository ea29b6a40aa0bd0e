/** The package has no types; this is the part that we use. */
declare module 'autocannon' {
  type Result = {
    readonly requests: { readonly average: number };
    /** Milliseconds. */
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly '2xx': number;
    readonly non2xx: number;
    readonly errors: number;
  };
  type Options = {
    readonly url: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    readonly requests: readonly {
      readonly method: string;
      readonly path: string;
      readonly body?: string;
      readonly headers: Record<string, string>;
    }[];
    /** Called for each connection. */
    readonly setupClient?: (client: {
      readonly setRequests: (requests: Options['requests'][number][]) => void;
    }) => void;
  };
  const autocannon: (options: Options) => Promise<Result>;
  export default autocannon;
}
