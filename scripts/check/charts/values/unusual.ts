/**
 * Unusual values that a chart must accept: the render must violate no rule, have strings where Kubernetes requires strings,
 * contain the texts of `shows` and none of `hides`.
 */
import { parseResources, titleOf, type Resource } from '../resource.ts';
import { resourceFaults } from '../rules/all.ts';
import { checkCases, type Case } from './cases.ts';

type Unusual = Case & {
  /** Texts that the render must contain. */
  readonly shows?: readonly string[];
  /** Texts that it must not contain. */
  readonly hides?: readonly string[];
};

const maps = new Set(['labels', 'matchLabels', 'annotations', 'data', 'nodeSelector']);
const texts = new Set(['name', 'namespace', 'secretName', 'value', 'serverAddress', 'query', 'threshold']);

/** How many cases there are, and the violations in their renders. */
export async function checkUnusual(root: string, helm: string): Promise<{ count: number; faults: string[] }> {
  return await checkCases<Unusual>(root, helm, 'unusual', (one, { code, stdout, text }) =>
    unusualFaults(one, code, code === 0 ? stdout : text),
  );
}

function entries(value: unknown): (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Judges helm's output. */
export function unusualFaults({ shows = [], hides = [] }: Unusual, code: number, text: string): string[] {
  if (code !== 0) return [`is rejected: ${text}`];
  const resources = parseResources(text);
  return [
    ...resources.flatMap(textFaults),
    ...resourceFaults(resources),
    ...shows.filter((expected) => !text.includes(expected)).map((expected) => `does not show ${expected}`),
    ...hides.filter((expected) => text.includes(expected)).map((expected) => `shows ${expected}`),
  ];
}

/** Numbers and booleans where Kubernetes requires strings. */
function textFaults(resource: Resource): string[] {
  const below = (value: unknown, path: string): string[] =>
    entries(value).flatMap(([key, inner]) => {
      const at = `${path}/${key}`;
      const list =
        maps.has(key) && !Array.isArray(inner) ? entries(inner) : texts.has(key) ? [['', inner] as const] : [];
      const wrong = list.filter(([, one]) => typeof one !== 'string');
      return [...wrong.map(([name]) => `${titleOf(resource)}: ${at} ${name} is no text`), ...below(inner, at)];
    });
  // Only in these does `value` or `data` mean something else.
  return ['PriorityClass', 'ExternalSecret'].includes(resource.kind)
    ? below(resource.metadata, '/metadata')
    : below(resource, '');
}
