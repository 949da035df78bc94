/** The few CBOR types (RFC 8949) that a COSE signature needs. */

const major = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const

export const cborNull = Buffer.from([0xf6])

export function cborInteger(value: number): Buffer {
  return value < 0 ? head(major.negative, -1 - value) : head(major.unsigned, value)
}

export function cborBytes(value: Uint8Array): Buffer {
  return Buffer.concat([head(major.bytes, value.length), value])
}

export function cborText(value: string): Buffer {
  return Buffer.concat([head(major.text, Buffer.byteLength(value)), Buffer.from(value)])
}

export function cborArray(items: readonly Buffer[]): Buffer {
  return Buffer.concat([head(major.array, items.length), ...items])
}

/** A map with the entries in their order. */
export function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([head(major.map, entries.length), ...entries.flat()])
}

export function cborTag(tag: number, value: Buffer): Buffer {
  return Buffer.concat([head(major.tag, tag), value])
}

/** The first bytes of a value in the shortest form, as deterministic encoding requires (RFC 8949, 4.2.1). */
function head(kind: number, value: number): Buffer {
  const first = kind << 5
  if (value < 24) return Buffer.from([first | value])
  if (value <= 0xff) return Buffer.from([first | 24, value])
  const bytes = Buffer.alloc(value <= 0xffff ? 3 : 5)
  bytes[0] = first | (value <= 0xffff ? 25 : 26)
  bytes.writeUIntBE(value, 1, bytes.length - 1)
  return bytes
}
