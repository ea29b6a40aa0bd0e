/** A failed test is read by its title, so the title has a subject. */
import { parseSync, Visitor } from 'oxc-parser';
import { filesThat, lineAt, type Rule } from '../repository.ts';

const predicate = /^(accepts|are|ends|finds|has|have|is|its?|leaves?|loses|makes|was) /;

function titlesIn(path: string, text: string): { title: string; line: number }[] {
  const titles: { title: string; line: number }[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [first], start }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'it') return;
      const title =
        first?.type === 'Literal' ? first.value : first?.type === 'TemplateLiteral' && first.quasis[0]?.value.raw;
      if (typeof title === 'string') titles.push({ title, line: lineAt(text, start) });
    },
  }).visit(parseSync(path, text).program);
  return titles;
}

export const testTitles: Rule = {
  name: 'the title of a test is a sentence with a subject',
  breaches: (repository) =>
    filesThat(repository, /\.test\.ts$/).flatMap(([path, text]) =>
      titlesIn(path, text)
        .filter(({ title }) => predicate.test(title))
        .map(({ title, line }) => `${path}:${line} "${title}" does not say what`),
    ),
};
