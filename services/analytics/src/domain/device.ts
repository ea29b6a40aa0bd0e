/** What is kept of a User-Agent. */
export type Device = { readonly type: string; readonly os: string; readonly browser: string };

/** A parser's findings; each may be absent. */
export type ParsedAgent = {
  readonly deviceType?: string | undefined;
  readonly os?: string | undefined;
  readonly browser?: string | undefined;
};

const types: Readonly<Record<string, string>> = {
  mobile: 'phone',
  tablet: 'tablet',
  smarttv: 'tv',
  console: 'console',
  wearable: 'other',
  embedded: 'other',
  xr: 'other',
};
/** Players that are no browser, by a part of their User-Agent; the operating system tells the rest. */
const players: readonly (readonly [part: RegExp, name: string])[] = [
  [/AppleCoreMedia/i, 'AVPlayer'],
  [/ExoPlayer|Media3/i, 'ExoPlayer'],
];

/** '' in a field that the agent does not tell. */
export function deviceOf(userAgent: string, { deviceType, os = '', browser = '' }: ParsedAgent): Device {
  if (userAgent === '') return { type: '', os: '', browser: '' };
  const player = players.find(([part]) => part.test(userAgent))?.[1];
  const isTelevision = /Web0S|Tizen|AppleTV|CrKey|SMART-TV|BRAVIA/i.test(userAgent);
  const type = isTelevision ? 'tv' : (types[deviceType ?? ''] ?? (os === '' ? '' : 'desktop'));
  return { type, os, browser: player ?? browser };
}
