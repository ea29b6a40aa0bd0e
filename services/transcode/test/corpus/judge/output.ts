import type { LadderDocument } from '@vds/proto/documents/ladder';

/** A downloaded video as players see it; of its ladder, the judge reads only the paths. */
export type EncodedOutput = {
  readonly folder: string;
  readonly ladder: {
    readonly durationMs: number;
    readonly frames: number;
    readonly rungs: readonly Pick<LadderDocument['rungs'][number], 'name' | 'playlist' | 'bandwidth' | 'frameRate'>[];
    readonly audio: Pick<NonNullable<LadderDocument['audio']>, 'playlist' | 'bandwidth'> | null;
  };
};
