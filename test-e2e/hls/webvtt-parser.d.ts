/** The package carries no types; this is the part that we use. */
declare module 'webvtt-parser' {
  export class WebVTTParser {
    /** Lines that break the format are errors; `metadata` asks for no further reading of the cues' text. */
    parse(
      text: string,
      kind?: string,
    ): {
      readonly cues: readonly {
        readonly startTime: number;
        readonly endTime: number;
        readonly text: string;
        readonly id: string;
      }[];
      readonly errors: readonly { readonly message: string; readonly line: number; readonly col?: number }[];
    };
  }
}
