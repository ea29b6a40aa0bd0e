/** The part of webvtt-parser (W3C) that the tests use; the package has no types of its own. */
declare module 'webvtt-parser' {
  type Tree = { readonly type?: string; readonly value?: string; readonly children?: readonly Tree[] };
  type ParsedCue = { readonly id: string; readonly startTime: number; readonly endTime: number; readonly tree: Tree };
  type Parser = {
    parse(input: string): {
      readonly cues: readonly ParsedCue[];
      readonly errors: readonly { readonly message: string; readonly line: number }[];
    };
  };
  const parsers: { readonly WebVTTParser: new (entities: Readonly<Record<string, string>>) => Parser };
  export default parsers;
}
