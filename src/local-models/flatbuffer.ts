/**
 * Reads a FlatBuffer (https://flatbuffers.dev/internals/): tables of fields, addressed by their number in the schema.
 */

export interface Table {
  /** A number of 8 or 32 bits; omitted fields are 0. */
  byte(field: number): number
  int(field: number): number
  text(field: number): string
  ints(field: number): number[]
  bytes(field: number): Buffer
  tables(field: number): Table[]
  table(field: number): Table | undefined
}

export function rootOf(buffer: Buffer): Table {
  return tableAt(buffer, buffer.readUInt32LE(0))
}

function tableAt(buffer: Buffer, at: number): Table {
  const index = at - buffer.readInt32LE(at)
  const indexBytes = buffer.readUInt16LE(index)
  const positionOf = (field: number) => {
    const entry = 4 + 2 * field
    const offset = entry < indexBytes ? buffer.readUInt16LE(index + entry) : 0
    return offset === 0 ? undefined : at + offset
  }
  /** Vectors, strings and tables are stored elsewhere: the field contains the offset. */
  const target = (field: number) => {
    const from = positionOf(field)
    return from === undefined ? undefined : from + buffer.readUInt32LE(from)
  }
  const vector = (field: number, itemBytes: number) => {
    const from = target(field)
    return from === undefined
      ? Buffer.alloc(0)
      : buffer.subarray(from + 4, from + 4 + buffer.readUInt32LE(from) * itemBytes)
  }
  const read = (field: number, how: (from: number) => number) => {
    const from = positionOf(field)
    return from === undefined ? 0 : how(from)
  }
  return {
    byte: (field) => read(field, (from) => buffer.readInt8(from)),
    int: (field) => read(field, (from) => buffer.readInt32LE(from)),
    text: (field) => vector(field, 1).toString(),
    bytes: (field) => vector(field, 1),
    ints(field) {
      const items = vector(field, 4)
      return Array.from({ length: items.length / 4 }, (_, item) => items.readInt32LE(4 * item))
    },
    tables(field) {
      const from = target(field)
      if (from === undefined) return []
      return Array.from({ length: buffer.readUInt32LE(from) }, (_, item) => {
        const entry = from + 4 + 4 * item
        return tableAt(buffer, entry + buffer.readUInt32LE(entry))
      })
    },
    table(field) {
      const from = target(field)
      return from === undefined ? undefined : tableAt(buffer, from)
    },
  }
}
