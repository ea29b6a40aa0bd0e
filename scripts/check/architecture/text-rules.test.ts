/**
 * The rules about prose, words and manifests find injected violations. Forbidden strings are concatenated from parts
 * here.
 */
import { expect } from 'chai';
import { repositoryOf, type Rule } from './repository.ts';
import { dependencies } from './rules/dependencies.ts';
import { forbiddenWords } from './rules/forbidden-words.ts';
import { logTexts } from './rules/log-texts.ts';
import { readmes } from './rules/readmes.ts';

function breachesOf(rule: Rule, files: Readonly<Record<string, string>>): string {
  return rule.breaches(repositoryOf(files)).join('\n');
}

describe('the rule of READMEs', () => {
  const six = ['Data', 'Consumes', 'Publishes', 'API', 'Failure modes', 'Scaling'].map(
    (heading) => `## ${heading}\n\ntext\n`,
  );
  const found = (text: string): string => breachesOf(readmes, { 'services/lens/README.md': text });
  it('the rule of READMEs accepts the six headings in their order', () => {
    expect(found(`# lens\n\n${six.join('\n')}`)).not.to.include('services/lens');
  });
  it('the rule of READMEs finds a missing, a misplaced and an additional heading', () => {
    expect(found(six.slice(1).join('\n'))).to.include('services/lens/README.md must have exactly');
    expect(found(six.toReversed().join('\n'))).to.include('services/lens/README.md must have exactly');
    expect(found(`${six.join('\n')}\n## Notes\n`)).to.include('services/lens/README.md must have exactly');
  });
  it('the rule of READMEs takes no comment in a code block for a heading', () => {
    expect(found(`${six.join('\n')}\n\`\`\`sh\n## not a heading\n\`\`\`\n`)).not.to.include('services/lens');
  });
  it('the rule of READMEs finds a heading that the root README lacks', () => {
    expect(breachesOf(readmes, { 'README.md': '## Two commands\n' })).to.include('no heading for how to add a stage');
  });
  it('the rule of READMEs finds a long cell of a service’s table', () => {
    const cell = (length: number) => breachesOf(readmes, { 'services/lens/a.md': `| a | ${'b'.repeat(length)} |` });
    expect(cell(201)).to.include('services/lens/a.md:1 has a cell of more than 200 characters');
    expect(cell(200)).not.to.include('cell');
  });
  it('the rule of READMEs finds a relative link of a Markdown file that leads to no file and no folder', () => {
    const text = '[a](../b/c.md#d) [b](../b/) [c](#e) [d](https://example.com/x.md) [e](../b/f.md)';
    const links = breachesOf(readmes, { 'a/a.md': text, 'b/c.md': '' })
      .split('\n')
      .filter((line) => /links/.test(line));
    expect(links).to.deep.equal(['a/a.md links to b/f.md, which does not exist']);
  });
});

describe('the rule of log lines in runbooks', () => {
  it('the rule of log lines in runbooks finds a text that no service logs', () => {
    const found = breachesOf(logTexts, {
      'deploy/runbooks/a.md': "`logs lens 1h 'a lens broke'` `logs lens 15m 'a lens cracked|from a library'`",
      'deploy/runbooks/b.md': "```sh\nlogs lens 30m 'a glass broke'\n```",
      'services/lens/src/a.ts': "log.warn('a lens broke'); log.info('a lens cracked');",
      'services/lens/test/a.ts': "log.warn('a glass broke');",
    });
    expect(found).to.equal("deploy/runbooks/b.md: no service logs 'a glass broke'");
  });
});

describe('the rule of forbidden words', () => {
  const found = (text: string, path = 'scripts/a.ts'): string => breachesOf(forbiddenWords, { [path]: text });
  const injected = {
    'a path of one machine': ["open('/ro", "ot/x')"],
    'a path that a clone does not have': ['see ../sha', 'red/design.md'],
    'work put off': ['// TO', 'DO later'],
    'a test left out': ['this.sk', 'ip()'],
    'a renamed test': ['x', "it('x', f)"],
    'an empty catch': ['try { f(); } catch ', '{}'],
    'a swallowed promise': ['f().catch(() =', '> {})'],
  };
  for (const [what, parts] of Object.entries(injected)) {
    it(`the rule of forbidden words finds ${what}`, () =>
      expect(found(parts.join(''))).to.match(/^scripts\/a\.ts:1 has /));
  }
  it('the rule of forbidden words accepts an explained catch and a route that resembles a path', () => {
    expect(found("f().catch(() => undefined); // it is gone already\nfetch('/v1/work/1');")).to.equal('');
  });
});

describe('the rule of dependencies', () => {
  const found = (dependencyVersion: string, catalog: string): string =>
    breachesOf(dependencies, {
      'pnpm-workspace.yaml': catalog,
      'services/lens/package.json': JSON.stringify({
        dependencies: { pg: dependencyVersion, '@vds/proto': 'workspace:*' },
      }),
    });
  it('the rule of dependencies accepts a version from the catalog', () => {
    expect(found('catalog:', 'catalog:\n  pg: 8.23.1\n')).to.equal('');
  });
  it('the rule of dependencies finds a version outside the catalog, and a package that the catalog lacks', () => {
    expect(found('8.23.1', 'catalog:\n  pg: 8.23.1\n')).to.include('services/lens/package.json asks for pg 8.23.1');
    expect(found('catalog:', 'catalog: {}\n')).to.include('asks for pg');
  });
  it('the rule of dependencies finds a range, an unused entry and a second catalog', () => {
    expect(found('catalog:', 'catalog:\n  pg: ^8.23.1\n')).to.include('no exact version');
    expect(found('catalog:', 'catalog:\n  pg: 8.23.1\n  nats: 1.0.0\n')).to.include('lists nats, which nobody uses');
    expect(found('catalog:', 'catalog:\n  pg: 8.23.1\ncatalogs: {old: {}}\n')).to.include('second catalog');
  });
});
