/** The assertions about renders of unusual values. */
import { expect } from 'chai';
import { unusualFaults } from './unusual.ts';

const labels =
  '{ app.kubernetes.io/instance: a, app.kubernetes.io/name: b, app.kubernetes.io/part-of: vds, app.kubernetes.io/managed-by: Helm }';
function map(data: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, labels: ${labels} }\ndata: { ${data} }\n`;
}
function judge(text: string, wants = {}): string {
  return unusualFaults({ name: 'x', values: {}, ...wants }, 0, text).join();
}

describe('what unusual values render', () => {
  it('is right where it holds text, and what it should', () =>
    expect(judge(map('BUCKET: "2024"'), { shows: ['2024'], hides: ['2025'] })).to.equal(''));
  it('is a fault where a number or a yes stands for text', () => {
    expect(judge(map('BUCKET: 2024'))).to.include('ConfigMap a: /data BUCKET is no text');
    expect(judge(map('BUCKET: true'))).to.include('is no text');
    expect(judge(map('').replace('name: a,', 'name: 1,'))).to.include('/metadata/name  is no text');
  });
  it('is a fault where it lacks what it should show, or shows what it should not', () => {
    expect(judge(map(''), { shows: ['2024'] })).to.equal('does not show 2024');
    expect(judge(map('A: "2024"'), { hides: ['2024'] })).to.equal('shows 2024');
  });
  it('is a fault where the chart rejects them', () =>
    expect(unusualFaults({ name: 'x', values: {} }, 1, 'no')).to.have.length(1));
});
