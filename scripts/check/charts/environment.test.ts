/** The check of the rendered environment variables finds injected violations. */
import { integer, secret, text, withDefault } from '@vds/chassis/config/config';
import { expect } from 'chai';
import { componentsOf, environmentFaults, natsLoginFaults, unmountedFiles } from './environment.ts';
import { parseResources } from './resource.ts';

describe('the check of environment variables', () => {
  const spec = {
    peer: ['PEER_RPC', text],
    limit: ['LIMIT', withDefault(integer(1, 9), 3)],
    port: ['HTTP_PORT', withDefault(integer(0), 0)],
  } as const;
  const faults = (variables: Record<string, string | undefined>): string[] =>
    environmentFaults('lens', spec, new Map(Object.entries({ ADMIN_PORT: '9090', ...variables })));

  it('the check of environment variables accepts variables that the service reads, also from a Secret', () => {
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
  it('the check of environment variables finds the path of a file that no volume holds', () => {
    const variables = new Map([
      ['NATS_CREDS_FILE', '/etc/vds/nats/nats.creds'],
      ['TLS_CA_FILE', '/etc/vds/tls/ca.crt'],
    ]);
    expect(unmountedFiles(variables, ['/etc/vds/tls', '/etc/vds/nats'])).to.deep.equal([]);
    expect(unmountedFiles(variables, ['/etc/vds/tls', '/etc/vds/nat'])).to.deep.equal([
      'NATS_CREDS_FILE is /etc/vds/nats/nats.creds, which is under no mount',
    ]);
  });
  it('the check of environment variables finds a secret in a file that its reader does not open, or that no volume holds', () => {
    const password = ['PASSWORD', secret] as const;
    const faultsOf = (name: string, reader: typeof text): string[] =>
      environmentFaults('lens', { one: [name, reader] }, new Map(Object.entries({ ADMIN_PORT: '9090', [name]: path })));
    const path = 'file:/etc/vds/secrets/PASSWORD';
    expect(faultsOf(...password)).to.deep.equal([]);
    expect(faultsOf('TOKEN', text)).to.deep.equal([
      'lens: TOKEN is a file, and its reader takes the name for the secret',
    ]);
    expect(unmountedFiles(new Map([['PASSWORD', path]]), ['/etc/vds/secrets'])).to.deep.equal([]);
    expect(unmountedFiles(new Map([['PASSWORD', path]]), ['/tmp'])).to.have.length(1);
  });
  it('the check of environment variables finds two ways to log in to NATS at once, and half of one', () => {
    const logsInBy = (...names: string[]): string =>
      natsLoginFaults(new Map(['NATS_URL', ...names].map((name) => [name, 'x']))).join();
    expect(logsInBy('NATS_USER', 'NATS_PASSWORD')).to.equal('');
    expect(logsInBy('NATS_CREDS_FILE')).to.equal('');
    expect(logsInBy('NATS_USER', 'NATS_CREDS_FILE')).to.include('by NATS_USER and NATS_CREDS_FILE');
    expect(logsInBy('NATS_USER')).to.include('by NATS_USER,');
    expect(logsInBy()).to.include('by nothing');
    expect(natsLoginFaults(new Map())).to.deep.equal([]);
  });
  it('the check of environment variables reads the ConfigMap, the container and the Secret', () => {
    const rendered = [
      'kind: ConfigMap\nmetadata: { name: lens }\ndata: { A: "1" }',
      'kind: Deployment\nmetadata: { name: lens }\nspec: { template: { spec: { containers: [{ name: lens, args: [main.ts],' +
        ' volumeMounts: [{ name: tls, mountPath: /etc/tls }], envFrom: [{ configMapRef: { name: lens } }], env: [{ name: B, valueFrom: { secretKeyRef: {} } }] }] } } }',
    ].join('\n---\n');
    expect(componentsOf(parseResources(rendered))).to.deep.equal([
      {
        name: 'lens',
        args: ['main.ts'],
        mounts: ['/etc/tls'],
        variables: new Map([
          ['A', '1'],
          ['B', undefined],
        ]),
      },
    ]);
  });
});
