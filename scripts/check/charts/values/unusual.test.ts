/** The assertions about renders of unusual values. */
import { expect } from 'chai';
import { unusualFaults } from './unusual.ts';

const labels =
  '{ app.kubernetes.io/instance: a, app.kubernetes.io/name: b, app.kubernetes.io/part-of: vds, app.kubernetes.io/managed-by: Helm }';
function map(data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, labels: ${labels} }\ndata: { ${data} }\n`;
}
function faultsOf(text: string, wants = {}): string {
  return unusualFaults({ name: 'x', values: {}, ...wants }, 0, text).join();
}

describe('the check of unusual values', () => {
  it('the check of unusual values accepts a render with text and the expected content', () =>
    expect(faultsOf(map('BUCKET: "2024"'), { shows: ['2024'], hides: ['2025'] })).to.equal(''));
  it('the check of unusual values finds a number or a boolean in place of text', () => {
    expect(faultsOf(map('BUCKET: 2024'))).to.include('ConfigMap a: /data BUCKET is no text');
    expect(faultsOf(map('BUCKET: true'))).to.include('is no text');
    expect(faultsOf(map('').replace('name: a,', 'name: 1,'))).to.include('/metadata/name  is no text');
  });
  it('the check of unusual values finds a render that lacks expected content, or shows hidden content', () => {
    expect(faultsOf(map(''), { shows: ['2024'] })).to.equal('does not show 2024');
    expect(faultsOf(map('A: "2024"'), { hides: ['2024'] })).to.equal('shows 2024');
  });
  it('the check of unusual values finds values that the chart rejects', () =>
    expect(unusualFaults({ name: 'x', values: {} }, 1, 'no')).to.have.length(1));
});
