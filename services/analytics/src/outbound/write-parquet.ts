/** Rows as a Parquet file, compressed by Zstandard, which every engine reads. */
import { zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { columns, type Column, type ColumnType, type EventRow } from '../domain/event-row.ts';

const types = { text: 'STRING', time: 'TIMESTAMP', count: 'INT64', flag: 'BOOLEAN' } as const satisfies Record<
  ColumnType,
  string
>;

/** The file's bytes. */
export function writeParquet(rows: readonly EventRow[]): Buffer {
  const columnData = Object.entries(columns).map(([name, type]) => ({
    name,
    type: types[type],
    nullable: true,
    data: rows.map((row) => valueOf(row[name as Column])),
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
function valueOf(value: EventRow[Column]): string | bigint | boolean | Date | null {
  return typeof value === 'number' ? BigInt(Math.round(value)) : value;
}
