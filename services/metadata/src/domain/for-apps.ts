/** The metadata of a video as the platform's apps get it: without vectors, and with its chapters in every language. */
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { quoteAt } from './chapters.ts';
import type { Transcript } from './model.ts';

/** @param translations of the transcript, in the order of the menu */
export function forApps(document: MetadataOut, translations: readonly Transcript[]): MetadataOut {
  const chapters = document.chapters.map((chapter) => ({
    ...chapter,
    titles: [
      ...chapter.titles,
      ...translations.flatMap(({ language: languageCode, sentences }) => {
        const title = chapter.titleAtMs === undefined ? undefined : quoteAt(sentences, chapter.titleAtMs);
        return title === undefined ? [] : [{ languageCode, title }];
      }),
    ],
  }));
  return { ...document, chapters, passages: [], embeddingModel: '' };
}
