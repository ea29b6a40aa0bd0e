/** Rows as a Parquet file, compressed by Zstandard, which every engine reads. */
import { zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import type { ColumnType } from '../domain/event-row.ts';

const types = { text: 'STRING', time: 'TIMESTAMP', count: 'INT64', flag: 'BOOLEAN' } as const satisfies Record<
  ColumnType,
  string
>;

type Value = string | number | boolean | Date | null;

/** The file's bytes. */
export function writeParquet<C extends string>(
  columns: Readonly<Record<C, ColumnType>>,
  rows: readonly Readonly<Record<C, Value>>[],
): Buffer {
  const columnData = (Object.entries(columns) as [C, ColumnType][]).map(([name, type]) => ({
    name,
    type: types[type],
    nullable: true,
    data: rows.map((row) => valueOf(row[name])),
  }));
  const bytes = parquetWriteBuffer({
    columnData,
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    createdBy: 'vds-analytics',
  });
  return Buffer.from(bytes);
}

/** Whole numbers of 64 bits are BigInts in Parquet. */
function valueOf(value: Value): string | bigint | boolean | Date | null {
  return typeof value === 'number' ? BigInt(Math.round(value)) : value;
}
