/** Tests wait by `until` or by their own clock: a longer sleep costs every run, and guarantees nothing. */
import { parseSync, Visitor, type Expression, type Program } from 'oxc-parser';
import { filesThat, lineAt, type Rule } from '../repository.ts';

const MAX_SLEEP_MS = 250;
const tests = /(^services\/[^/]+\/test\/|^deploy\/tools\/test\/|^test-e2e\/|\.test\.ts$).*/;

/** Numbers that are constants of the module, by name; one may be computed from those before it. */
function constantsOf(program: Program): Map<string, number> {
  const known = new Map<string, number>();
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      const value = init && valueOf(init, known);
      if (id.type === 'Identifier' && typeof value === 'number') known.set(id.name, value);
    },
  }).visit(program);
  return known;
}

function valueOf(node: Expression, known: ReadonlyMap<string, number>): number | undefined {
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : undefined;
  if (node.type === 'Identifier') return known.get(node.name);
  if (node.type !== 'BinaryExpression' || node.left.type === 'PrivateIdentifier') return undefined;
  const left = valueOf(node.left, known);
  const right = valueOf(node.right, known);
  if (left === undefined || right === undefined) return undefined;
  const results = { '+': left + right, '-': left - right, '*': left * right, '/': left / right };
  return results[node.operator as keyof typeof results];
}

/** Names under which the file imports a promise of a time-out; with a second argument it is a limit or work that hangs. */
function sleepsOf(program: Program): Set<string> {
  const names = new Set<string>();
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    if (!/^(node:)?timers\/promises$|chassis\/(process\/)?async/.test(statement.source.value)) continue;
    for (const one of statement.specifiers) {
      const imported = one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? one.imported.name : '';
      if (imported === 'setTimeout' || imported === 'pause') names.add(one.local.name);
    }
  }
  return names;
}

/** Lines of a file that sleep for a fixed time. */
function sleepsIn(path: string, text: string): number[] {
  const { program } = parseSync(path, text);
  const known = constantsOf(program);
  const names = sleepsOf(program);
  const lines: number[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: given, start }) => {
      if (callee.type !== 'Identifier') return;
      const [first, second] = given;
      const isTimer = callee.name === 'setTimeout' && !names.has('setTimeout') && first?.type === 'Identifier';
      const time = isTimer ? second : names.has(callee.name) && given.length === 1 ? first : undefined;
      if (!time || time.type === 'SpreadElement') return;
      if ((valueOf(time, known) ?? 0) > MAX_SLEEP_MS) lines.push(lineAt(text, start));
    },
  }).visit(program);
  return lines;
}

export const fixedSleeps: Rule = {
  name: 'tests do not sleep for a fixed time',
  breaches: (repository) =>
    filesThat(repository, /\.ts$/).flatMap(([path, text]) => {
      if (!tests.test(path) || !/setTimeout|pause/.test(text)) return [];
      return sleepsIn(path, text).map(
        (line) => `${path}:${line} sleeps for more than ${MAX_SLEEP_MS} ms: wait by until, or pass a clock`,
      );
    }),
};
