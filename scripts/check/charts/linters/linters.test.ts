/** How the check reads the output of kube-score. */
import { expect } from 'chai';
import { withExceptions, scoreFaults, type Exception } from './kube-score.ts';
import type { Rendered } from '../release.ts';
import { parseResources } from '../resource.ts';

function render(name: string, text: string): Rendered {
  return {
    release: { chart: 'vds', values: `deploy/values/${name}.yaml`, name },
    text,
    file: '',
    resources: parseResources(text),
  };
}
const one = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one }\ndata: { A: "1" }\n';

describe('findings of kube-score', () => {
  const finding = (id: string, grade: number, skipped = false): object => ({
    type_meta: { kind: 'Deployment' },
    object_meta: { name: 'vds-lens' },
    checks: [{ check: { id }, grade, skipped, comments: [{ path: 'lens', summary: 'No limit' }] }],
  });
  const { release } = render('a', one);
  const found = (...findings: object[]) =>
    scoreFaults(JSON.stringify(findings)).map((fault) => ({ ...fault, release }));
  const exception: Exception = { test: 'pod-probes', where: /lens$/, because: 'it must be so' };

  it('a finding of kube-score is a fault from the grade of a warning on', () => {
    expect(
      withExceptions(found(finding('pod-probes', 5), finding('pod-probes', 10), finding('pod-probes', 1, true)), []),
    ).to.deep.equal(['deploy/values/a.yaml: Deployment vds-lens: pod-probes: No limit (lens)']);
  });
  it('an exception covers a finding of kube-score, and an unused exception is a fault', () => {
    expect(withExceptions(found(finding('pod-probes', 1)), [exception])).to.deep.equal([]);
    expect(withExceptions(found(finding('pod-probes', 1)), [{ ...exception, chart: 'vds-devdeps' }])).to.have.length(2);
    expect(withExceptions([], [exception])).to.deep.equal(['the exception of pod-probes excuses nothing: remove it']);
  });
});
