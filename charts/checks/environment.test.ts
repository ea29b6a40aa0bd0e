/** The check of the rendered environment variables finds injected violations. */
import { integer, text, withDefault } from '@vds/chassis/config/config';
import { expect } from 'chai';
import { componentsOf, environmentFaults } from './environment.ts';
import { parseResources } from './resource.ts';

describe('the check of environment variables', () => {
  const spec = {
    peer: ['PEER_RPC', text],
    limit: ['LIMIT', withDefault(integer(1, 9), 3)],
    port: ['HTTP_PORT', withDefault(integer(0), 0)],
  } as const;
  const faults = (variables: Record<string, string | undefined>): string[] =>
    environmentFaults('lens', spec, new Map(Object.entries({ ADMIN_PORT: '9090', ...variables })));

  it('the check of environment variables accepts what the service reads, also from a Secret', () => {
    expect(faults({ PEER_RPC: undefined, HTTP_PORT: '8080' })).to.deep.equal([]);
  });
  it('the check of environment variables finds an unset variable, an unrendered port and an invalid value', () => {
    expect(faults({ LIMIT: '99' })).to.deep.equal([
      'lens: PEER_RPC is not set',
      "lens: LIMIT must be a whole number from 1 to 9, got '99'",
      'lens: HTTP_PORT is not rendered',
    ]);
  });
  it('the check of environment variables finds a variable that no config.ts reads', () => {
    expect(faults({ PEER_RPC: 'x', HTTP_PORT: '1', LIMITS: '3' })).to.deep.equal([
      'lens: LIMITS is set and never read',
    ]);
  });
  it('the check of environment variables reads the ConfigMap, the container and the Secret', () => {
    const rendered = [
      'kind: ConfigMap\nmetadata: { name: lens }\ndata: { A: "1" }',
      'kind: Deployment\nmetadata: { name: lens }\nspec: { template: { spec: { containers: [{ name: lens, args: [main.ts],' +
        ' envFrom: [{ configMapRef: { name: lens } }], env: [{ name: B, valueFrom: { secretKeyRef: {} } }] }] } } }',
    ].join('\n---\n');
    expect(componentsOf(parseResources(rendered))).to.deep.equal([
      {
        name: 'lens',
        args: ['main.ts'],
        variables: new Map([
          ['A', '1'],
          ['B', undefined],
        ]),
      },
    ]);
  });
});
