/** The package carries no types; this is the part that we use. */
declare module 'm3u8-parser' {
  export class Parser {
    push(text: string): void;
    end(): void;
    readonly manifest: unknown;
  }
}
