/**
 * The rules about prose, words and manifests find injected violations. Forbidden strings are concatenated from parts
 * here.
 */
import { expect } from 'chai';
import { repositoryOf, type Rule } from './repository.ts';
import { dependencies } from './rules/dependencies.ts';
import { forbiddenWords } from './rules/forbidden-words.ts';
import { readmes } from './rules/readmes.ts';

function said(rule: Rule, files: Readonly<Record<string, string>>): string {
  return rule.breaches(repositoryOf(files)).join('\n');
}

describe('the rule of READMEs', () => {
  const six = ['Data', 'Consumes', 'Publishes', 'API', 'Failure modes', 'Scaling'].map(
    (heading) => `## ${heading}\n\ntext\n`,
  );
  const verdict = (text: string): string => said(readmes, { 'services/lens/README.md': text });
  it('accepts the six headings in their order', () => {
    expect(verdict(`# lens\n\n${six.join('\n')}`)).not.to.include('services/lens');
  });
  it('finds a missing, a misplaced and an additional heading', () => {
    expect(verdict(six.slice(1).join('\n'))).to.include('services/lens/README.md must have exactly');
    expect(verdict(six.toReversed().join('\n'))).to.include('services/lens/README.md must have exactly');
    expect(verdict(`${six.join('\n')}\n## Notes\n`)).to.include('services/lens/README.md must have exactly');
  });
  it('does not take a comment in a code block for a heading', () => {
    expect(verdict(`${six.join('\n')}\n\`\`\`sh\n## not a heading\n\`\`\`\n`)).not.to.include('services/lens');
  });
  it('finds what the root README does not tell', () => {
    expect(said(readmes, { 'README.md': '## Two commands\n' })).to.include('no heading for how to add a stage');
  });
});

describe('the rule of forbidden words', () => {
  const verdict = (text: string, path = 'scripts/a.ts'): string => said(forbiddenWords, { [path]: text });
  const planted = {
    'a path of one machine': ["open('/ro", "ot/x')"],
    'a path that a clone does not have': ['see ../sha', 'red/design.md'],
    'work put off': ['// TO', 'DO later'],
    'a test left out': ['this.sk', 'ip()'],
    'a renamed test': ['x', "it('x', f)"],
    'an empty catch': ['try { f(); } catch ', '{}'],
    'a swallowed promise': ['f().catch(() =', '> {})'],
  };
  for (const [what, parts] of Object.entries(planted)) {
    it(`finds ${what}`, () => expect(verdict(parts.join(''))).to.match(/^scripts\/a\.ts:1 has /));
  }
  it('lets an explained catch and a route that only looks like a path pass', () => {
    expect(verdict("f().catch(() => undefined); // it is gone already\nfetch('/v1/work/1');")).to.equal('');
  });
});

describe('the rule of dependencies', () => {
  const verdict = (dependencyVersion: string, catalog: string): string =>
    said(dependencies, {
      'pnpm-workspace.yaml': catalog,
      'services/lens/package.json': JSON.stringify({
        dependencies: { pg: dependencyVersion, '@vds/proto': 'workspace:*' },
      }),
    });
  it('accepts what comes from the catalog', () => {
    expect(verdict('catalog:', 'catalog:\n  pg: 8.23.1\n')).to.equal('');
  });
  it('finds a version beside the catalog, and one that the catalog does not have', () => {
    expect(verdict('8.23.1', 'catalog:\n  pg: 8.23.1\n')).to.include('services/lens/package.json asks for pg 8.23.1');
    expect(verdict('catalog:', 'catalog: {}\n')).to.include('asks for pg');
  });
  it('finds a range, an unused entry and a second catalog', () => {
    expect(verdict('catalog:', 'catalog:\n  pg: ^8.23.1\n')).to.include('no exact version');
    expect(verdict('catalog:', 'catalog:\n  pg: 8.23.1\n  nats: 1.0.0\n')).to.include('lists nats, which nobody uses');
    expect(verdict('catalog:', 'catalog:\n  pg: 8.23.1\ncatalogs: {old: {}}\n')).to.include('second catalog');
  });
});
