/**
 * Dolby Vision: a base layer, which every decoder shows, and what a Dolby Vision player adds to it. The base layer of
 * some profiles is in Dolby's own colours (IPT), which look green and purple if the additions are ignored.
 */
export type DolbyVision = {
  readonly profile: number;
  /** What the base layer is compatible with; 0: nothing, or the record is older than this field. */
  readonly compatibility: number;
};

type Stream = {
  readonly codec: string;
  readonly transfer: string;
  readonly dolbyVision: DolbyVision | undefined;
};

type SideData = { readonly [key: string]: unknown };

/** Profiles whose base layer is never compatible, with their codec. */
const incompatible: Readonly<Record<number, string>> = { 1: 'h264', 3: 'hevc', 5: 'hevc' };
/** Profiles that declare it in each stream; ffprobe does not know AV1 by the name that it has without a base layer. */
const declaring: Readonly<Record<number, readonly string[]>> = { 10: ['av1', 'unknown', ''], 20: ['hevc'] };

/** Transfer functions of compatible base layers: HDR10, HLG, and HDR10 of Ultra HD Blu-ray. */
const transfers: Readonly<Record<number, string>> = { 1: 'smpte2084', 4: 'arib-std-b67', 6: 'smpte2084' };
const undeclared = new Set(['', 'unknown', 'reserved']);

/** Reads a stream's configuration record (Dolby Vision Streams Within the ISO Base Media File Format §3.2). */
export function readDolbyVision(sideData: readonly SideData[]): DolbyVision | undefined {
  const record = sideData.find((data) => typeof data['dv_profile'] === 'number');
  return (
    record && { profile: Number(record['dv_profile']), compatibility: Number(record['dv_bl_signal_compatibility_id']) }
  );
}

/** Recognises profile 5 by what accompanies its pictures; files lose the record where old tools copy their streams. */
export function recognizeProfile5(sideData: readonly SideData[]): DolbyVision | undefined {
  const found = sideData.some((data) => data['vdr_rpu_profile'] === 0 && data['bl_video_full_range_flag'] === 1);
  return found ? { profile: 5, compatibility: 0 } : undefined;
}

/** The profile as it is written, such as `5` or `10.0`, where only a Dolby Vision player shows the right colours. */
export function incompatibleProfile({ codec, dolbyVision }: Stream): string | undefined {
  if (!dolbyVision) return undefined;
  const { profile, compatibility } = dolbyVision;
  // The codec is compared too: some encoders copy the record of their source into files that are not Dolby Vision.
  if (incompatible[profile] === codec) return String(profile);
  return compatibility === 0 && declaring[profile]?.includes(codec) === true ? `${profile}.0` : undefined;
}

/**
 * The stream with the transfer function of its base layer, which some leave to the record. HLG may also be declared as
 * the function of SDR that receivers without HLG show it with.
 */
export function withBaseLayer<Video extends Stream>(video: Video): Video {
  const transfer = transfers[video.dolbyVision?.compatibility ?? 0];
  const isOpen = undeclared.has(video.transfer) || (transfer === 'arib-std-b67' && video.transfer === 'bt2020-10');
  return transfer !== undefined && isOpen ? { ...video, transfer } : video;
}
