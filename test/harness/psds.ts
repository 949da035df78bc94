/** PSD and PSB files (Adobe Photoshop File Formats Specification, 2019), also invalid ones. */

export interface PsdOptions {
  width: number
  height: number
  /** 0 bitmap, 1 grayscale, 2 indexed, 3 RGB, 4 CMYK, 7 multichannel, 8 duotone, 9 Lab. */
  mode?: number
  depth?: number
  /** The rows of each channel, without padding. */
  channels: Buffer[]
  isLarge?: boolean
  /** 0 for plain rows, 1 for PackBits. */
  compression?: number
  /** Negative if the first channel after the colors is the transparency. */
  layers?: number
  /** Whether the layers are in a tagged block, as in files with 16 or 32 bits. */
  isTagged?: boolean
  /** Bytes of layers that are skipped. */
  layerBytes?: number
  palette?: Buffer
  resources?: Record<number, Buffer>
}

export function psdOf(options: PsdOptions): Buffer {
  const { width, height, channels, mode = 3, depth = 8, isLarge = false, compression = 0 } = options
  const head = Buffer.alloc(26)
  head.write('8BPS', 0, 'latin1')
  head.writeUInt16BE(isLarge ? 2 : 1, 4)
  head.writeUInt16BE(channels.length, 12)
  head.writeUInt32BE(height, 14)
  head.writeUInt32BE(width, 18)
  head.writeUInt16BE(depth, 22)
  head.writeUInt16BE(mode, 24)
  const resources = Object.entries(options.resources ?? {}).map(([id, data]) => {
    const header = Buffer.from('8BIM\0\0\0\0', 'latin1')
    header.writeUInt16BE(Number(id), 4)
    return Buffer.concat([header, sized(data), Buffer.alloc(data.length % 2)])
  })
  return Buffer.concat([
    head,
    sized(options.palette ?? Buffer.alloc(0)),
    sized(Buffer.concat(resources)),
    sized(layersOf(options), isLarge),
    number16(compression),
    ...(compression === 1 ? packed(options) : channels),
  ])
}

function layersOf({ layers, isTagged, isLarge = false, layerBytes = 0, depth }: PsdOptions): Buffer {
  if (layers === undefined) return Buffer.alloc(0)
  const info = Buffer.concat([number16(layers & 0xffff), Buffer.alloc(layerBytes)])
  if (!isTagged) return Buffer.concat([sized(info, isLarge), Buffer.alloc(4)])
  const key = Buffer.from(`8BIM${depth === 32 ? 'Lr32' : 'Lr16'}`, 'latin1')
  return Buffer.concat([Buffer.alloc(isLarge ? 8 : 4), Buffer.alloc(4), key, sized(info, isLarge)])
}

/** Rows as literal bytes of at most 128, except rows of one byte, which are repeated. */
function packed({ channels, height, isLarge }: PsdOptions): Buffer[] {
  const rows = channels.flatMap((channel) => {
    const length = channel.length / height
    return Array.from({ length: height }, (_, y) => pack(channel.subarray(y * length, (y + 1) * length)))
  })
  return [...rows.map(({ length }) => (isLarge ? number32(length) : number16(length))), ...rows]
}

function pack(row: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < row.length; at += 128) {
    const piece = row.subarray(at, at + 128)
    const isSame = piece.length > 1 && piece.every((value) => value === piece[0])
    parts.push(isSame ? Buffer.from([257 - piece.length, piece[0] ?? 0]) : Buffer.from([piece.length - 1, ...piece]))
  }
  return Buffer.concat(parts)
}

function sized(data: Buffer, isLong = false): Buffer {
  return Buffer.concat([...(isLong ? [number32(0)] : []), number32(data.length), data])
}

function number16(value: number): Buffer {
  const out = Buffer.alloc(2)
  out.writeUInt16BE(value)
  return out
}

function number32(value: number): Buffer {
  const out = Buffer.alloc(4)
  out.writeUInt32BE(value)
  return out
}
