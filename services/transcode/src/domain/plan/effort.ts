/** The encoder's settings, which the operator chooses. */

/** x264's names for speed against size, and the pictures that each looks ahead at. */
export const lookaheads = { ultrafast: 0, superfast: 0, veryfast: 10, faster: 20, fast: 30, medium: 40 } as const;
export type Preset = keyof typeof lookaheads;
export const presets = Object.keys(lookaheads) as [Preset, ...Preset[]];

export type Effort = {
  readonly preset: Preset;
  /** x264's constant quality, lower is better: bits follow from the content, up to the rung's peak rate. */
  readonly crf: number;
  /** Threads of each decoder and encoder. */
  readonly threads: number;
};

/** `npm run bench -- ladder` shows what they cost and give beside others. */
export const DEFAULT_PRESET: Preset = 'veryfast';
export const DEFAULT_CRF = 23;
