/** The package has no types: it exports a list of words per language, named by ISO 639-3. */
declare module 'stopword' {
  export const eng: readonly string[];
}
