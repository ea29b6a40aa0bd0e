/** Every file with generated lists, and which lists there are. */
import { join } from 'node:path';
import { serviceNames } from '@vds/deploy-tools/services';
import { namesOfBlocks, withBlocks } from '@vds/proto/generated-blocks';
import { filesThat, readRepository } from '../check/architecture/repository.ts';
import { capacityLists } from './capacity-lists.ts';
import { componentLists } from './component-lists.ts';
import { consumedBy, eventLists, publishedBy } from './event-lists.ts';

export type Document = { readonly path: string; readonly committed: string; readonly current: string };

/**
 * The documents with generated lists, as they are and as they should be.
 * @throws Error for a list that no document shows: somebody would write it by hand
 */
export function documents(root: string): Document[] {
  const lists = listsOf(root);
  const files = filesThat(readRepository(root), /^(?!proto\/|charts\/[^/]+\/ci\/).*\.(?:md|gotmpl|yaml|tpl)$/);
  const shown = new Set(files.flatMap(([, text]) => namesOfBlocks(text)));
  const unused = [...lists.keys()].filter((name) => !shown.has(name));
  if (unused.length > 0) throw new Error(`no document has the generated list ${unused.join(', or ')}`);
  return files
    .filter(([, text]) => namesOfBlocks(text).length > 0)
    .map(([path, text]) => {
      try {
        return { path: join(path), committed: text, current: withBlocks(text, (name) => lists.get(name)) };
      } catch (cause) {
        throw new Error(`${path}: ${(cause as Error).message}`, { cause });
      }
    });
}

/** Lines by name of the list. */
function listsOf(root: string): Map<string, readonly string[]> {
  const shared = { ...componentLists(root), ...capacityLists(root), ...eventLists };
  const lists = new Map(Object.entries(shared).map(([name, make]) => [name, make()] as const));
  for (const service of serviceNames) {
    lists.set(`events that ${service} consumes`, consumedBy(service));
    lists.set(`events that ${service} publishes`, publishedBy(service));
  }
  return lists;
}
