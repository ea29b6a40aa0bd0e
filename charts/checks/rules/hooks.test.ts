/** Rules for hooks: what migrations need outlives them, and a started migration may finish. */
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
function planted(from: string, to: string): string {
  expect(right).to.include(from);
  return hookFaults(parseResources(right.replace(from, to))).join('\n');
}

describe('the rules for hooks', () => {
  it('accept what is right', () => expect(hookFaults(parseResources(right))).to.deep.equal([]));
  it('find what goes when other hooks failed, while they may still run', () =>
    expect(planted('before-hook-creation', '"before-hook-creation,hook-succeeded"')).to.include(
      'ServiceAccount m may go',
    ));
  it('find a migration that is killed in its middle', () => {
    expect(planted('spec: { terminationGracePeriodSeconds: 280 }', 'spec: {}')).to.include('after 30 s');
    expect(planted('Seconds: 280 }', 'Seconds: 60 }')).to.include('Job m may be killed in the middle of a migration');
  });
  it('find a hook that outlasts Helm', () =>
    expect(planted('activeDeadlineSeconds: 280', 'activeDeadlineSeconds: 1800')).to.include(
      '1800 s, which Helm does not',
    ));
});
