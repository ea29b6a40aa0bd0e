/** The schema of a chart says of each value what its comment says. */
import { expect } from 'chai';
import { commentsOf, describeSchema } from './descriptions.ts';

describe('the descriptions of values', () => {
  const values = [
    '# A heading.',
    '# -- Whether it runs.',
    'enabled: true',
    'server:',
    '  # -- Its address,',
    '  # in two lines.',
    "  url: ''",
    '  # -- Its pods.',
    '  replicas: 2',
    '# -- Of all.',
    '# @default -- see below',
    'other: {}',
  ].join('\n');
  const number = { type: 'integer' };
  const schema = () => ({
    description: 'stale',
    properties: { enabled: {}, server: { $ref: '#/$defs/server' }, other: { properties: { description: number } } },
    $defs: {
      server: { allOf: [{ $ref: '#/$defs/pods' }], properties: { url: {} } },
      pods: { properties: { replicas: number } },
    },
  });

  it('the descriptions of values are the comments before their keys', () => {
    expect(commentsOf(values)).to.deep.equal([
      { path: ['enabled'], text: 'Whether it runs.' },
      { path: ['server', 'url'], text: 'Its address, in two lines.' },
      { path: ['server', 'replicas'], text: 'Its pods.' },
      { path: ['other'], text: 'Of all.' },
    ]);
  });
  it('the descriptions of values stand where the schema has the value, also behind references, in place of stale ones', () => {
    const { schema: described, faults } = describeSchema(schema(), values);
    expect(faults).to.deep.equal([]);
    expect(described).to.deep.equal({
      properties: {
        enabled: { description: 'Whether it runs.' },
        server: { $ref: '#/$defs/server' },
        other: { description: 'Of all.', properties: { description: number } },
      },
      $defs: {
        server: {
          allOf: [{ $ref: '#/$defs/pods' }],
          properties: { url: { description: 'Its address, in two lines.' } },
        },
        pods: { properties: { replicas: { ...number, description: 'Its pods.' } } },
      },
    });
  });
  it('a value that the schema does not have is named', () => {
    expect(describeSchema(schema(), '# -- What is it?\nlens: 1').faults.join()).to.include('lens has a comment');
  });
});
