/** A TIFF around rows that already exist (TIFF 6.0): nothing is encoded. */

export interface TiffOptions {
  width: number
  height: number
  /** Bits of one sample; big-endian. */
  bits: number
  isFloat: boolean
  samples: number
  /** Whether the last sample is alpha, which the colors aren't multiplied with. */
  hasAlpha: boolean
  photometric: number
  compression: number
  data: Buffer
  /** The lengths of the rows in `data`: all of the first sample, then all of the next one. */
  rowBytes: ArrayLike<number>
  /** 256 values of red, of green and of blue. */
  palette?: Buffer | undefined
  icc?: Buffer | undefined
  xmp?: Buffer | undefined
  iptc?: Buffer | undefined
  /** Pixels per inch. */
  density?: number | undefined
}

export const photometric = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, separated: 5 }
export const compression = { none: 1, packBits: 32_773 }

interface Tag {
  id: number
  type: keyof typeof typeIds
  count: number
  data: Buffer
}

const typeIds = { byte: 1, short: 3, long: 4, rational: 5, undefined: 7 }

export function tiffOf(options: TiffOptions): Buffer {
  const { width, height, bits, isFloat, samples, hasAlpha, data, rowBytes, palette, icc, xmp, iptc, density } = options
  const offsets = Buffer.alloc(rowBytes.length * 4)
  const tags: Tag[] = [
    longs(256, [width]),
    longs(257, [height]),
    shorts(258, Array(samples).fill(bits)),
    shorts(259, [options.compression]),
    shorts(262, [options.photometric]),
    { id: 273, type: 'long', count: rowBytes.length, data: offsets },
    shorts(277, [samples]),
    // Each row is a strip, and each sample has its own rows.
    longs(278, [1]),
    longs(279, rowBytes),
    ...(density === undefined ? [] : [rational(282, density), rational(283, density)]),
    // Separate planes. libvips reads no bits from a single one.
    shorts(284, [samples > 1 ? 2 : 1]),
    shorts(296, [2]),
    ...(palette
      ? [
          shorts(
            320,
            [...palette].map((value) => value * 257),
          ),
        ]
      : []),
    ...(hasAlpha ? [shorts(338, [2])] : []),
    shorts(339, Array(samples).fill(isFloat ? 3 : 1)),
    ...(xmp ? [bytes(700, 'byte', xmp)] : []),
    ...(iptc ? [bytes(33_723, 'undefined', iptc)] : []),
    ...(icc ? [bytes(34_675, 'undefined', icc)] : []),
  ]
  const directory = Buffer.alloc(2 + tags.length * 12 + 4)
  directory.writeUInt16BE(tags.length, 0)
  const values: Buffer[] = []
  let end = head.length + directory.length
  for (const [index, { id, type, count, data: value }] of tags.entries()) {
    const at = 2 + index * 12
    directory.writeUInt16BE(id, at)
    directory.writeUInt16BE(typeIds[type], at + 2)
    directory.writeUInt32BE(count, at + 4)
    if (value.length <= 4) {
      value.copy(directory, at + 8)
      continue
    }
    directory.writeUInt32BE(end, at + 8)
    // Values start at even positions.
    values.push(value, Buffer.alloc(value.length % 2))
    end += value.length + (value.length % 2)
  }
  // A single offset is in the directory.
  const inPlace = rowBytes.length === 1 ? directory.subarray(2 + 5 * 12 + 8) : offsets
  for (let row = 0, at = end; row < rowBytes.length; row += 1) {
    inPlace.writeUInt32BE(at, row * 4)
    at += rowBytes[row] ?? 0
  }
  return Buffer.concat([head, directory, ...values, data])
}

/** Big-endian; the directory follows. */
const head = Buffer.from('MM\0*\0\0\0\x08', 'latin1')

function shorts(id: number, numbers: number[]): Tag {
  const data = Buffer.alloc(numbers.length * 2)
  for (const [index, number] of numbers.entries()) data.writeUInt16BE(number, index * 2)
  return { id, type: 'short', count: numbers.length, data }
}

function longs(id: number, numbers: ArrayLike<number>): Tag {
  const data = Buffer.alloc(numbers.length * 4)
  for (let index = 0; index < numbers.length; index += 1) data.writeUInt32BE(numbers[index] ?? 0, index * 4)
  return { id, type: 'long', count: numbers.length, data }
}

function rational(id: number, value: number): Tag {
  const data = Buffer.alloc(8)
  data.writeUInt32BE(Math.round(value * 1_000), 0)
  data.writeUInt32BE(1_000, 4)
  return { id, type: 'rational', count: 1, data }
}

function bytes(id: number, type: 'byte' | 'undefined', data: Buffer): Tag {
  return { id, type, count: data.length, data }
}
