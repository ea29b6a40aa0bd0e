/** Every README has the same headings in the same order. */
import { servicesOf, type Rule } from '../repository.ts';

const serviceHeadings = ['Data', 'Consumes', 'Publishes', 'API', 'Failure modes', 'Scaling'];
/** vdsctl is a command line. */
const cliHeadings = ['Commands', 'Exit codes', 'Authentication'];

/** What a newcomer looks for in the root README, and what a heading must contain to count. */
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

export const readmes: Rule = {
  name: "each service's README has the headings of its kind, the root README what a newcomer looks for",
  breaches: (repository) => {
    const root = repository.files.get('README.md') ?? '';
    return [
      ...rootHeadings
        .filter(([, pattern]) => !headings(root).some((heading) => pattern.test(heading)))
        .map(([what]) => `README.md has no heading for ${what}`),
      ...servicesOf(repository).flatMap((service) => {
        const path = `services/${service}/README.md`;
        const found = headings(repository.files.get(path) ?? '');
        const wanted = service === 'vdsctl' ? cliHeadings : serviceHeadings;
        if (found.join('|') === wanted.join('|')) return [];
        return [`${path} must have exactly the headings ${wanted.join(', ')}; it has ${found.join(', ') || 'none'}`];
      }),
    ];
  },
};
