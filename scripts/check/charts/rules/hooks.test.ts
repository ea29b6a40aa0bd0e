/** Rules for hooks: resources that migrations need outlive them, and a started migration may finish. */
import { expect } from 'chai';
import { parseResources } from '../resource.ts';
import { hookFaults } from './hooks.ts';

const right = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: m, annotations: { helm.sh/hook: 'pre-install,pre-upgrade', helm.sh/hook-delete-policy: before-hook-creation } }
---
apiVersion: batch/v1
kind: Job
metadata: { name: m, annotations: { helm.sh/hook: 'pre-install,pre-upgrade' } }
spec:
  activeDeadlineSeconds: 280
  template: { metadata: { labels: { app.kubernetes.io/component: migration } }, spec: { terminationGracePeriodSeconds: 280 } }
`;
function faultsAfter(from: string, to: string): string {
  expect(right).to.include(from);
  return hookFaults(parseResources(right.replace(from, to))).join('\n');
}

describe('the rules for hooks', () => {
  it('the rules for hooks accept a correct hook', () => expect(hookFaults(parseResources(right))).to.deep.equal([]));
  it('the rules for hooks find a resource that is deleted while other hooks may still use it', () =>
    expect(faultsAfter('before-hook-creation', '"before-hook-creation,hook-succeeded"')).to.include(
      'ServiceAccount m may go',
    ));
  it('the rules for hooks find a migration that may be killed before it ends', () => {
    expect(faultsAfter('spec: { terminationGracePeriodSeconds: 280 }', 'spec: {}')).to.include('after 30 s');
    expect(faultsAfter('Seconds: 280 }', 'Seconds: 60 }')).to.include(
      'Job m may be killed in the middle of a migration',
    );
  });
  it('the rules for hooks find a hook that outlasts the timeout of Helm', () =>
    expect(faultsAfter('activeDeadlineSeconds: 280', 'activeDeadlineSeconds: 1800')).to.include(
      '1800 s, which Helm does not',
    ));
});
