/** The files of a new service: a working stage with one job, which satisfies every rule of the repository. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const template = fileURLToPath(new URL('template/', import.meta.url));

/** File names that a rule of this repository excludes from the template's own folder. */
const renamed: Readonly<Record<string, string>> = { 'readme.md': 'README.md' };

/** Path relative to the repository → text, for a service with this name. */
export function serviceFiles(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    globSync('**/*.txt', { cwd: template })
      .toSorted()
      .map((path) => {
        const target = path.slice(0, -'.txt'.length);
        return [
          `services/${name}/${renamed[target] ?? target}`,
          fill(readFileSync(join(template, path), 'utf8'), name),
        ];
      }),
  );
}

/** `{{name}}` → lens, `{{Name}}` → Lens. */
export function fill(text: string, name: string): string {
  return text.replaceAll('{{name}}', name).replaceAll('{{Name}}', `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
}
