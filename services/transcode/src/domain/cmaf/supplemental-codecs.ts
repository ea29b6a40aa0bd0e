/** What players with Dolby Vision get from a copied rendition beyond its base layer, which all others show. */
import { childBoxes, findBox } from './boxes.ts';

/** Brands of base layers that are HDR10 and HLG (Dolby Vision Streams Within the HLS Format, profile 8). */
const brands: Readonly<Record<number, string>> = { 1: 'db1p', 4: 'db4h' };
const PROFILE = 8;

/**
 * SUPPLEMENTAL-CODECS (draft-pantos-hls-rfc8216bis), such as `dvh1.08.01/db1p`, from the sample description's
 * configuration record (Dolby Vision Streams Within the ISO Base Media File Format §3.2).
 * @param init `ftyp` and `moov`
 * @returns undefined without a record, and of one with another base layer
 */
export function supplementalCodecsOf(init: Buffer): string | undefined {
  const table = findBox(init, 'moov/trak/mdia/minf/stbl/stsd');
  const [entry] = table ? childBoxes(init, table.body + 8, table.end) : [];
  if (entry?.type !== 'hvc1') return undefined;
  const record = findBox(init, 'dvvC', entry.body + 78, entry.end);
  if (!record || record.end - record.body < 5) return undefined;
  const fields = init.readUInt16BE(record.body + 2);
  const brand = brands[init.readUInt8(record.body + 4) >> 4];
  const level = String((fields >> 3) & 63).padStart(2, '0');
  return fields >> 9 === PROFILE && brand !== undefined ? `dvh1.0${PROFILE}.${level}/${brand}` : undefined;
}
