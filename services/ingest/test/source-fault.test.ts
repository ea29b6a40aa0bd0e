import { expect } from 'chai';
import { failures } from '@vds/proto/failures';
import { sourceFaults, type SourceFaultKind } from '../src/domain/source-fault.ts';

const kinds = Object.keys(sourceFaults) as SourceFaultKind[];
/** The faults that end with this code, and how many tries each is worth. */
function endingAs(code: string): Record<string, number> {
  return Object.fromEntries(
    kinds.filter((kind) => sourceFaults[kind].code === code).map((kind) => [kind, sourceFaults[kind].tries]),
  );
}

describe('the table of faults', () => {
  it('source_unreachable has only faults without a connection', () => {
    expect(endingAs('source_unreachable')).to.deep.equal({
      name_unknown: 3,
      dns_failed: 6,
      connect_failed: 6,
      certificate_invalid: 1,
      tls_unsupported: 1,
      tls_failed: 6,
    });
  });

  it('source_server_error has the faults of hosts that respond with anything but the file', () => {
    expect(endingAs('source_server_error')).to.deep.equal({
      response_missing: 6,
      response_invalid: 1,
      redirect_invalid: 1,
      status_transient: 6,
      status_rejected: 1,
    });
  });

  it('too many redirects and a compressed body have their own codes and are tried once', () => {
    expect(endingAs('source_too_many_redirects')).to.deep.equal({ redirects_exceeded: 1 });
    expect(endingAs('source_encoded')).to.deep.equal({ encoding_rejected: 1 });
  });

  it('a fault whose failure code is not retryable is tried once', () => {
    for (const kind of kinds) {
      const { code, tries } = sourceFaults[kind];
      if (!failures[code].retryable) expect(tries, kind).to.equal(1);
    }
  });
});
