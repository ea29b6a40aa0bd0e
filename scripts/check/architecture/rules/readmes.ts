/**
 * Every README has the same headings in the same order (or its reference page has), cells of tables are short, and no
 * relative link of a Markdown file is broken.
 */
import { posix } from 'node:path';
import { filesThat, servicesOf, type Repository, type Rule } from '../repository.ts';

const serviceHeadings = ['Data', 'Consumes', 'Publishes', 'API', 'Failure modes', 'Scaling'];
const MAX_CELL = 200;
/** vdsctl is a command line. */
const cliHeadings = ['Commands', 'Exit codes', 'Authentication'];

/** What a newcomer looks for in the root README, and the words of its heading. */
const rootHeadings: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['the two commands', /two commands/i],
  ['a first session with curl', /curl/i],
  ['how a video flows through the services', /flows through the services/i],
  ['where things are', /where/i],
  ['how to add a stage', /add a stage/i],
];

function headings(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/^## +(.+?) *$/gm)].map((match) => match[1] ?? '');
}

function longCells(repository: Repository): string[] {
  return filesThat(repository, /^services\/.*\.md$/).flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        line.startsWith('|') && line.split(/(?<!\\)\|/).some((cell) => cell.trim().length > MAX_CELL)
          ? [`${path}:${index + 1} has a cell of more than ${MAX_CELL} characters: write it below the table`]
          : [],
      ),
  );
}

function brokenLinks(repository: Repository): string[] {
  const paths = [...repository.files.keys()];
  return filesThat(repository, /\.md$/).flatMap(([path, text]) =>
    [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)]
      .map(([, link = '']) => posix.join(posix.dirname(path), link))
      .filter((target) => !paths.some((one) => `${one}/`.startsWith(target.replace(/\/?$/, '/'))))
      .map((target) => `${path} links to ${target}, which does not exist`),
  );
}

export const readmes: Rule = {
  name: "each service's README has the headings of its kind, the root README what a newcomer looks for; no link is broken",
  breaches: (repository) => {
    const root = repository.files.get('README.md') ?? '';
    return [
      ...rootHeadings
        .filter(([, pattern]) => !headings(root).some((heading) => pattern.test(heading)))
        .map(([what]) => `README.md has no heading for ${what}`),
      ...servicesOf(repository).flatMap((service) => {
        const reference = `services/${service}/reference.md`;
        const path = repository.files.has(reference) ? reference : `services/${service}/README.md`;
        const found = headings(repository.files.get(path) ?? '');
        const wanted = service === 'vdsctl' ? cliHeadings : serviceHeadings;
        if (found.join('|') === wanted.join('|')) return [];
        return [`${path} must have exactly the headings ${wanted.join(', ')}; it has ${found.join(', ') || 'none'}`];
      }),
      ...longCells(repository),
      ...brokenLinks(repository),
    ];
  },
};
