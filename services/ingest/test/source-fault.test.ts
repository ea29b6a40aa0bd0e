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
  it('says that a host cannot be reached only where no connection to it was made', () => {
    expect(endingAs('source_unreachable')).to.deep.equal({
      name_unknown: 3,
      dns_failed: 6,
      connect_failed: 6,
      certificate_invalid: 1,
      tls_failed: 6,
    });
  });

  it('says that the host did not answer with the file where it answered with something else, or with nothing', () => {
    expect(endingAs('source_server_error')).to.deep.equal({
      answer_missing: 6,
      answer_broken: 6,
      redirect_broken: 1,
      status_passing: 6,
      status_refused: 1,
    });
  });

  it('has codes of their own for too many redirects and for a compressed body, both final at once', () => {
    expect(endingAs('source_too_many_redirects')).to.deep.equal({ redirects_exceeded: 1 });
    expect(endingAs('source_encoded')).to.deep.equal({ encoding_refused: 1 });
  });

  it('tries nothing again whose code promises that a retry cannot help', () => {
    for (const kind of kinds) {
      const { code, tries } = sourceFaults[kind];
      if (!failures[code].retryable) expect(tries, kind).to.equal(1);
    }
  });
});
