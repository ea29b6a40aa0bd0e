/** What the rules read of a TypeScript file: its imports, words and mentions. Comments are ignored. */
import { parseSync, Visitor, type Expression, type Program } from 'oxc-parser';
import { lineAt } from './repository.ts';

export type Import = { readonly from: string; readonly typeOnly: boolean; readonly line: number };
export type Word = { readonly text: string; readonly line: number };

type Source = {
  readonly imports: readonly Import[];
  /** Complete identifiers and string literals. */
  readonly words: readonly Word[];
  /** `object.property` as written, for plain names. */
  readonly members: readonly Word[];
  /** Functions that are called by a plain name. */
  readonly calls: readonly Word[];
  /** Functions at module level that are constants without an annotated type. */
  readonly arrowConstants: readonly Word[];
  /** Constants at module level whose value is a number. */
  readonly numbers: readonly Word[];
};

const known = new Map<string, Source>();

/**
 * Reads a TypeScript file.
 * @throws Error with the path if it cannot be parsed
 */
export function sourceOf(path: string, text: string): Source {
  const before = known.get(text);
  if (before) return before;
  const { program, module, errors } = parseSync(path, text);
  const fault = errors[0];
  if (fault) throw new Error(`${path} cannot be parsed: ${fault.message}`);
  const constants = constantsOf(text, program);
  const source = { imports: importsOf(text, module), ...constants, ...collect(text, program) };
  known.set(text, source);
  return source;
}

function importsOf(text: string, module: ReturnType<typeof parseSync>['module']): Import[] {
  const line = (offset: number): number => lineAt(text, offset);
  const fixed = module.staticImports.map(({ moduleRequest, entries, start }) => ({
    from: moduleRequest.value,
    typeOnly: entries.length > 0 && entries.every((entry) => entry.isType),
    line: line(start),
  }));
  const passedOn = module.staticExports.flatMap(({ entries, start }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest ? [{ from: moduleRequest.value, typeOnly: isType, line: line(start) }] : [],
    ),
  );
  const late = module.dynamicImports.map(({ moduleRequest, start }) => ({
    from: text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/^['"`]|['"`]$/g, ''),
    typeOnly: false,
    line: line(start),
  }));
  return [...fixed, ...passedOn, ...late];
}

function constantsOf(text: string, program: Program): Pick<Source, 'arrowConstants' | 'numbers'> {
  const declared = program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
    return declaration.declarations.flatMap(({ id, init, start }) =>
      id.type === 'Identifier' && init ? [{ id, init, word: { text: id.name, line: lineAt(text, start) } }] : [],
    );
  });
  const isArrow = ({ id, init }: (typeof declared)[number]): boolean =>
    !id.typeAnnotation && init.type === 'ArrowFunctionExpression';
  return {
    arrowConstants: declared.filter(isArrow).map(({ word }) => word),
    numbers: declared.filter(({ init }) => isNumber(init)).map(({ word }) => word),
  };
}

/** A number, or arithmetic with numbers alone. */
function isNumber(value: Expression): boolean {
  if (value.type === 'Literal') return typeof value.value === 'number';
  if (value.type === 'UnaryExpression') return isNumber(value.argument);
  return (
    value.type === 'BinaryExpression' &&
    value.left.type !== 'PrivateIdentifier' &&
    isNumber(value.left) &&
    isNumber(value.right)
  );
}

/** Walks the syntax tree once and collects everything that a rule may need. */
function collect(text: string, program: Program): Omit<Source, 'imports' | 'arrowConstants' | 'numbers'> {
  const words: Word[] = [];
  const members: Word[] = [];
  const calls: Word[] = [];
  const word = (value: string, start: number): void => void words.push({ text: value, line: lineAt(text, start) });
  new Visitor({
    Identifier: ({ name, start }) => word(name, start),
    Literal: ({ value, start }) => void (typeof value === 'string' && word(value, start)),
    CallExpression: ({ callee, start }) => {
      if (callee.type === 'Identifier') calls.push({ text: callee.name, line: lineAt(text, start) });
    },
    TemplateElement: ({ value, start }) => word(value.raw, start),
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier') return;
      const name =
        property.type === 'Identifier' ? property.name : property.type === 'Literal' ? property.value : undefined;
      if (typeof name === 'string') members.push({ text: `${object.name}.${name}`, line: lineAt(text, start) });
    },
  }).visit(program);
  return { words, members, calls };
}
