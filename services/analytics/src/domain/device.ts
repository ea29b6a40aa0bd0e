/** What is kept of a User-Agent. */
export type Device = { readonly type: string; readonly os: string; readonly browser: string };

/** A parser's findings; each may be absent. */
export type ParsedAgent = {
  readonly deviceType?: string | undefined;
  readonly os?: string | undefined;
  readonly browser?: string | undefined;
};

const types: Readonly<Record<string, string>> = {
  ...{ mobile: 'phone', tablet: 'tablet', smarttv: 'tv', console: 'console', wearable: 'wearable', xr: 'xr' },
  embedded: 'other',
};
type Known = readonly [part: RegExp, type: string, os?: string];
/** Devices in front of a sofa, by a part of their User-Agent, before what the parser says; '' leaves the system to it. */
const known: readonly Known[] = [
  [/PlayStation/i, 'console', 'PlayStation'],
  [/Xbox/i, 'console', 'Xbox'],
  [/Nintendo/i, 'console', 'Nintendo'],
  [/OculusBrowser|Quest [23]|VisionOS|Vision Pro/i, 'xr'],
  [/Tesla\/|QtCarBrowser|Android Automotive|CarPlay/i, 'car'],
  // Boxes and sticks beside a television, of whatever make that is.
  [/Apple ?TV|tvOS/i, 'set_top_box', 'tvOS'],
  [/Roku(?!.*\bTV\b)/i, 'set_top_box', 'Roku OS'],
  [/CrKey(?!.*(Android TV|SmartTV))/i, 'set_top_box', 'Chromecast'],
  [/\bAFT(?!.*\bTV Edition\b)\w+/, 'set_top_box', 'Fire OS'],
  [/SHIELD|MiBOX|MIBOX|Mi ?Box|Nexus Player|ADT-\d|\bonn\b.*4K/i, 'set_top_box', 'Android TV'],
  [
    /\bSTB\b|set-?top|Freebox|Humax|Amino|DIRECTV|Comcast|Sky(?:Q|_STB)|TiVo|Liberty ?Global|KPN_|Arris|Technicolor/i,
    'set_top_box',
  ],
  [/Roku/i, 'tv', 'Roku OS'],
  [/Web0S|webOS.*TV|NetCast/i, 'tv', 'webOS'],
  [/Tizen.*(TV|SMART)|SMART-TV.*Tizen|Maple/i, 'tv', 'Tizen'],
  [/VIDAA|Hisense/i, 'tv', 'VIDAA'],
  [/BRAVIA|Android TV|Google TV|\bAFT/i, 'tv', 'Android TV'],
  [/SMART-?TV|HbbTV|Viera|PhilipsTV|NetTV|InettvBrowser|\bDTV\b|Aquos/i, 'tv'],
  // An Android without `Mobile` is a tablet, as Chrome says it.
  [/Android(?!.*(Mobile|ExoPlayer|Media3|Dalvik|okhttp))/i, 'tablet', 'Android'],
];
/** Players that are no browser, by a part of their User-Agent; the operating system tells the rest. */
const players: readonly (readonly [part: RegExp, name: string])[] = [
  [/AppleCoreMedia/i, 'AVPlayer'],
  [/Media3/i, 'Media3'],
  [/ExoPlayer/i, 'ExoPlayer'],
  [/Roku/i, 'Roku'],
];

/** '' in a field that the agent does not tell. */
export function deviceOf(userAgent: string, { deviceType, os = '', browser = '' }: ParsedAgent): Device {
  if (userAgent === '') return { type: '', os: '', browser: '' };
  const player = players.find(([part]) => part.test(userAgent))?.[1];
  const [, knownType, knownOs = os] = known.find(([part]) => part.test(userAgent)) ?? [];
  const type = knownType ?? types[deviceType ?? ''] ?? (player === undefined && os !== '' ? 'desktop' : mobileOf(os));
  return { type, os: knownOs, browser: player ?? browser };
}

/** Of a native player that names its system alone. */
function mobileOf(os: string): string {
  return ({ Android: 'phone', iOS: 'phone' } as Readonly<Record<string, string>>)[os] ?? (os === '' ? '' : 'desktop');
}
