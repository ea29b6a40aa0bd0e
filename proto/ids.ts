/** The form of a video's id: a TypeID (https://github.com/jetify-com/typeid), which partners see with `vid_` before it. */

/** Whether it is a video's id without its prefix. A playback id is none: it has 27 characters. */
export function isVideoId(id: string): boolean {
  return /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id);
}
