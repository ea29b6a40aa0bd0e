/**
 * Reading what others have written with care: each reader names the field that is not as it should be. What is wrong in an
 * object stays wrong, as objects never change: trying again cannot help.
 */
import { AppError } from '@vds/chassis/errors';

export type Node = Readonly<Record<string, unknown>>;

/** @param document whose field it is, for the message */
export function readerOf(document: string) {
  const fault = (field: string): AppError =>
    new AppError('INVALID_ARGUMENT', `${document}: ${field} is not as it should be`);
  const textAt = (node: Node, field: string, pattern: RegExp): string => {
    const value = node[field];
    if (typeof value !== 'string' || !pattern.test(value)) throw fault(field);
    return value;
  };
  return {
    fault,
    nodeAt: (node: Node, field: string): Node => {
      const value = node[field];
      if (typeof value !== 'object' || value === null) throw fault(field);
      return value as Node;
    },
    listAt: (node: Node, field: string, most: number): readonly unknown[] => {
      const value = node[field];
      if (!Array.isArray(value) || value.length > most) throw fault(field);
      return value;
    },
    textAt,
    /** A number from `least` on, finite. */
    numberAt: (node: Node, field: string, least = 0): number => {
      const value = node[field];
      if (typeof value !== 'number' || !Number.isFinite(value) || value < least) throw fault(field);
      return value;
    },
    /** A relative path of plain parts, which cannot leave the folder that it is below. */
    pathAt: (node: Node, field: string): string => textAt(node, field, plainPath),
  };
}

const part = '[0-9A-Za-z][0-9A-Za-z._-]{0,127}';
const plainPath = new RegExp(`^${part}(?:/${part}){0,7}$`);
