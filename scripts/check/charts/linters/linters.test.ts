/** How the checks parse the output of kube-score and kubectl-validate. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { withExceptions, scoreFaults, type Exception } from './kube-score.ts';
import { isBuiltIn, validateFaults } from './kubectl-validate.ts';
import { distinct, withFiles } from './manifests.ts';
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

describe('findings of kubectl-validate', () => {
  const manifests = distinct([render('a', one), render('b', one), render('c', one.replace('"1"', '"2"'))]);

  it('kubectl-validate validates each distinct resource once', async () => {
    expect(manifests.map(({ values }) => values.length)).to.deep.equal([2, 1]);
    const [first] = manifests;
    const text = await withFiles(manifests, async (folder) => readFileSync(join(folder, first?.file ?? ''), 'utf8'));
    expect(parseResources(text)).to.deep.equal([first?.resource]);
  });
  it('manifests quote text that Go would read as a boolean', async () => {
    const [on] = distinct([render('a', one.replace('A: "1"', 'A: "on"'))]);
    if (!on) throw new Error('there is no manifest');
    const text = await withFiles([on], async (folder) => readFileSync(join(folder, on.file), 'utf8'));
    expect(text).to.include('A: "on"');
  });
  it('a finding of kubectl-validate names the resource and its values file', () => {
    const message = ' "" is invalid: spec.replica: Invalid value: value provided for unknown field';
    const json = JSON.stringify({
      [`/tmp/x/${manifests[0]?.file}`]: [{ status: 'Failure', message }],
      [`/tmp/x/${manifests[1]?.file}`]: [{ status: 'Success' }],
    });
    expect(validateFaults(json, manifests)).to.deep.equal([
      'deploy/values/a.yaml: ConfigMap one: spec.replica: Invalid value: value provided for unknown field',
    ]);
  });
  it('kubectl-validate validates only kinds of Kubernetes itself', () => {
    const versions = ['v1', 'apps/v1', 'networking.k8s.io/v1', 'gateway.networking.k8s.io/v1', 'keda.sh/v1alpha1'];
    const known = versions.filter((version) =>
      distinct([render('a', one.replace('v1', version))]).every((manifest) => isBuiltIn(manifest)),
    );
    expect(known).to.deep.equal(['v1', 'apps/v1', 'networking.k8s.io/v1']);
  });
});
