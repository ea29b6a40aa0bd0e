/**
 * The load-balancing policy of our clients: round robin, except that the attempts of one call go to different replicas.
 * Plain round robin sends another attempt anywhere, because other calls advance it in between.
 */
import { connectivityState, experimental, status, type MetadataOptions } from '@grpc/grpc-js';

const NAME = 'other_replica';
const roundRobin = experimental.parseLoadBalancingConfig({ round_robin: {} });

/** Metadata options, which the library hands on to the picker with every copy of the metadata; the wire never sees them. */
type AttemptOptions = MetadataOptions & {
  /** Addresses of the replicas this call was sent to. */
  readonly attempted?: Set<string>;
  /** Only worth sending to a replica that is not among them. */
  readonly needsOther?: boolean;
};
type Helper = experimental.ChannelControlHelper;

class OtherReplicaConfig implements experimental.TypedLoadBalancingConfig {
  static createFromJson(): OtherReplicaConfig {
    return new OtherReplicaConfig();
  }
  getLoadBalancerName(): string {
    return NAME;
  }
  toJsonObject(): object {
    return { [NAME]: {} };
  }
}

/** Not UNAVAILABLE, which would be retried. */
const noOther = new experimental.UnavailablePicker({ code: status.CANCELLED, details: 'there is no other replica' });

class OtherReplicaPicker implements experimental.Picker {
  readonly #inner: experimental.Picker;
  constructor(inner: experimental.Picker) {
    this.#inner = inner;
  }
  pick(args: experimental.PickArgs): experimental.PickResult {
    const { attempted, needsOther = false } = args.metadata.getOptions() as AttemptOptions;
    const first = this.#inner.pick(args);
    if (attempted === undefined) return first;
    const isAttempted = ({ subchannel }: experimental.PickResult): boolean =>
      subchannel !== null && attempted.has(subchannel.getAddress());
    let picked = first;
    // The next picks cycle through the replicas; back at the first one, all have been attempted.
    while (isAttempted(picked)) {
      picked = this.#inner.pick(args);
      if (picked.subchannel?.getAddress() === first.subchannel?.getAddress()) break;
    }
    if (needsOther && isAttempted(picked)) return noOther.pick(args);
    if (picked.subchannel) attempted.add(picked.subchannel.getAddress());
    return picked;
  }
}

class OtherReplicaBalancer implements experimental.LoadBalancer {
  readonly #child: experimental.ChildLoadBalancerHandler;
  constructor(helper: Helper) {
    const updateState: Helper['updateState'] = (state, picker, message) =>
      helper.updateState(state, state === connectivityState.READY ? new OtherReplicaPicker(picker) : picker, message);
    this.#child = new experimental.ChildLoadBalancerHandler(
      experimental.createChildChannelControlHelper(helper, { updateState }),
    );
  }
  updateAddressList(...given: Parameters<experimental.LoadBalancer['updateAddressList']>): boolean {
    const [endpoints, _config, options, note] = given;
    return this.#child.updateAddressList(endpoints, roundRobin, options, note);
  }
  exitIdle(): void {
    this.#child.exitIdle();
  }
  resetBackoff(): void {
    this.#child.resetBackoff();
  }
  destroy(): void {
    this.#child.destroy();
  }
  getTypeName(): string {
    return NAME;
  }
}

experimental.registerLoadBalancerType(NAME, OtherReplicaBalancer, OtherReplicaConfig);

/** For `loadBalancingConfig` of a service config. */
export const otherReplica = { [NAME]: {} };

/** Metadata options of a call's first attempt, and of a concurrent second one. Retries of each are attempts too. */
export function attemptsOfOneCall(): { readonly first: MetadataOptions; readonly second: MetadataOptions } {
  const attempted = new Set<string>();
  const first: AttemptOptions = { attempted };
  const second: AttemptOptions = { attempted, needsOther: true };
  return { first, second };
}
