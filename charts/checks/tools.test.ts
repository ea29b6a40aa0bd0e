/** How the checks parse the output of helm, kube-score and kubectl-validate. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { judged, scoreFaults, type Exception } from './kube-score.ts';
import { isBuiltIn, validateFaults } from './kubectl-validate.ts';
import { distinct, withFiles } from './manifests.ts';
import { rejectionFaults } from './rejections.ts';
import { inLanes, type Rendered } from './release.ts';
import { parseResources } from './resource.ts';

function render(name: string, text: string): Rendered {
  return {
    release: { chart: 'vds', values: `deploy/values/${name}.yaml`, name },
    text,
    file: '',
    resources: parseResources(text),
  };
}
const one = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: one }\ndata: { A: "1" }\n';

describe('wrong values', () => {
  it('must be rejected with a mention of the wrong value', () => {
    expect(rejectionFaults({ mentions: '/image/tag' }, 1, "at '/image/tag': 'not' failed")).to.deep.equal([]);
    expect(rejectionFaults({ mentions: '/image/tag' }, 0, '')).to.deep.equal(['is accepted']);
    expect(rejectionFaults({ mentions: ['one', 'two'] }, 1, 'about one')[0]).to.include('without mentioning two');
  });
  it('must not be rejected by an error of the template', () => {
    const text = 'template: x: executing "x" at <.Values.a.b>: nil pointer evaluating interface {}.b';
    expect(rejectionFaults({ mentions: '.b' }, 1, text)[0]).to.include('by an error of the template');
  });
});

describe('what kube-score finds', () => {
  const finding = (id: string, grade: number, skipped = false): object => ({
    type_meta: { kind: 'Deployment' },
    object_meta: { name: 'vds-lens' },
    checks: [{ check: { id }, grade, skipped, comments: [{ path: 'lens', summary: 'No limit' }] }],
  });
  const { release } = render('a', one);
  const found = (...findings: object[]) =>
    scoreFaults(JSON.stringify(findings)).map((fault) => ({ ...fault, release }));
  const exception: Exception = { test: 'pod-probes', where: /lens$/, because: 'it must be so' };

  it('is a fault from a warning on', () => {
    expect(
      judged(found(finding('pod-probes', 5), finding('pod-probes', 10), finding('pod-probes', 1, true)), []),
    ).to.deep.equal(['deploy/values/a.yaml: Deployment vds-lens: pod-probes: No limit (lens)']);
  });
  it('is none where an exception covers it, and an exception that covers nothing is one', () => {
    expect(judged(found(finding('pod-probes', 1)), [exception])).to.deep.equal([]);
    expect(judged(found(finding('pod-probes', 1)), [{ ...exception, chart: 'vds-devdeps' }])).to.have.length(2);
    expect(judged([], [exception])).to.deep.equal(['the exception of pod-probes excuses nothing: remove it']);
  });
});

describe('what kubectl-validate finds', () => {
  const manifests = distinct([render('a', one), render('b', one), render('c', one.replace('"1"', '"2"'))]);

  it('is looked for in each resource once', async () => {
    expect(manifests.map(({ values }) => values.length)).to.deep.equal([2, 1]);
    const [first] = manifests;
    const text = await withFiles(manifests, async (folder) => readFileSync(join(folder, first?.file ?? ''), 'utf8'));
    expect(parseResources(text)).to.deep.equal([first?.resource]);
  });
  it('names the resource and its values file', () => {
    const message = ' "" is invalid: spec.replica: Invalid value: value provided for unknown field';
    const json = JSON.stringify({
      [`/tmp/x/${manifests[0]?.file}`]: [{ status: 'Failure', message }],
      [`/tmp/x/${manifests[1]?.file}`]: [{ status: 'Success' }],
    });
    expect(validateFaults(json, manifests)).to.deep.equal([
      'deploy/values/a.yaml: ConfigMap one: spec.replica: Invalid value: value provided for unknown field',
    ]);
  });
  it('is only about kinds of Kubernetes itself', () => {
    const versions = ['v1', 'apps/v1', 'networking.k8s.io/v1', 'gateway.networking.k8s.io/v1', 'keda.sh/v1alpha1'];
    const known = versions.filter((version) =>
      distinct([render('a', one.replace('v1', version))]).every((manifest) => isBuiltIn(manifest)),
    );
    expect(known).to.deep.equal(['v1', 'apps/v1', 'networking.k8s.io/v1']);
  });
});

describe('work in lanes', () => {
  it('keeps the order, and no more at a time than there are lanes', async () => {
    let running = 0;
    let most = 0;
    const results = await inLanes([3, 1, 2], 2, async (ms) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, ms));
      running -= 1;
      return ms * 10;
    });
    expect([results, most]).to.deep.equal([[30, 10, 20], 2]);
  });
});
