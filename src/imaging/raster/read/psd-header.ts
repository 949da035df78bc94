/**
 * The header of a PSD or PSB, and the position of its composite (Adobe Photoshop File Formats Specification, 2019). Layers are
 * skipped, whatever their number and size.
 */
import { failure } from '../../../errors.ts'

export type PsdMode = 'bitmap' | 'grey' | 'indexed' | 'rgb' | 'cmyk'

export interface PsdHeader {
  width: number
  height: number
  /** All channels of the composite: those of the mode, transparency, and selections that someone saved. */
  channels: number
  /** Bits of a sample. */
  depth: 1 | 8 | 16 | 32
  mode: PsdMode
  /** Whether the first channel after those of the mode is the transparency. */
  hasTransparency: boolean
  /** Palette of an indexed image: 256 values of red, of green and of blue. */
  palette?: Buffer
  icc?: Buffer
  xmp?: Buffer
  iptc?: Buffer
  /** Pixels per inch. */
  density?: number
  /** Whether lengths of rows have 4 bytes: a PSB. */
  isLarge: boolean
  /** Position at which the composite starts. */
  compositeAt: number
}

/** The values of the field "color mode". libvips can't read Lab in planes. */
const modes: Record<number, PsdMode> = {
  0: 'bitmap',
  1: 'grey',
  2: 'indexed',
  3: 'rgb',
  4: 'cmyk',
  // The curves of its inks are not documented; the specification says to read it as grey.
  8: 'grey',
}
const depths: Record<PsdMode, number[]> = {
  bitmap: [1],
  grey: [8, 16, 32],
  indexed: [8],
  rgb: [8, 16, 32],
  cmyk: [8, 16],
}

/** Channels of each mode, without transparency. */
export const channelsOf: Record<PsdMode, number> = { bitmap: 1, grey: 1, indexed: 1, rgb: 3, cmyk: 4 }

/** The position and the size come first, so that a file is rejected before anything else of it is read. */
export const psdHeadBytes = 26

export function sizeOfPsd(head: Buffer): { width: number; height: number } {
  if (head.length < psdHeadBytes) throw corrupt()
  return { width: head.readUInt32BE(18), height: head.readUInt32BE(14) }
}

export function readPsdHeader(file: Buffer): PsdHeader {
  const { width, height } = sizeOfPsd(file)
  const version = file.readUInt16BE(4)
  if ((version !== 1 && version !== 2) || width === 0 || height === 0) throw corrupt()
  const channels = file.readUInt16BE(12)
  const depth = file.readUInt16BE(22)
  const mode = modes[file.readUInt16BE(24)]
  if (mode === undefined) throw unsupported('has a color mode that is not supported')
  if (!isDepth(depth) || !depths[mode].includes(depth))
    throw unsupported(`has ${depth} bits per channel in ${names[mode]}`)
  if (channels < channelsOf[mode] || channels > channelsMax) throw corrupt()

  const isLarge = version === 2
  const colors = block(file, psdHeadBytes, false)
  const resources = block(file, colors.end, false)
  const layers = block(file, resources.end, isLarge)
  if (mode === 'indexed' && colors.data.length < 768) throw corrupt()
  return {
    width,
    height,
    channels,
    depth,
    mode,
    hasTransparency: channels > channelsOf[mode] && hasMergedTransparency(layers.data, isLarge),
    ...(mode === 'indexed' && { palette: colors.data.subarray(0, 768) }),
    ...readResources(resources.data),
    isLarge,
    compositeAt: layers.end,
  }
}

const names: Record<PsdMode, string> = {
  bitmap: 'bitmap mode',
  grey: 'grayscale',
  indexed: 'indexed color',
  rgb: 'RGB',
  cmyk: 'CMYK',
}

const channelsMax = 56

/** Photoshop writes some dozens. A file could have millions without content, and the loops over them don't pause. */
const blocksMax = 10_000

function isDepth(depth: number): depth is PsdHeader['depth'] {
  return [1, 8, 16, 32].includes(depth)
}

/** A length of 4 bytes, or 8, and as many bytes of data. */
function block(file: Buffer, at: number, isLong: boolean): { data: Buffer; end: number } {
  const start = at + (isLong ? 8 : 4)
  if (start > file.length) throw corrupt()
  const length = isLong ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at)
  const end = start + length
  if (end > file.length) throw corrupt()
  return { data: file.subarray(start, end), end }
}

/** Ids of `Image Resources`: id -> the field of the header. */
const resourceIds = { iptc: 1028, icc: 1039, xmp: 1060 } as const
const resolutionId = 1005
const versionId = 1057

function readResources(data: Buffer): Pick<PsdHeader, 'icc' | 'xmp' | 'iptc' | 'density'> {
  const found = new Map<number, Buffer>()
  for (let at = 0, count = 1; at + 12 <= data.length; count += 1) {
    if (count > blocksMax) throw corrupt()
    const id = data.readUInt16BE(at + 4)
    const lengthAt = at + 6 + even((data[at + 6] ?? 0) + 1)
    if (lengthAt + 4 > data.length) break
    const start = lengthAt + 4
    const end = start + data.readUInt32BE(lengthAt)
    if (end > data.length) break
    if (!found.has(id)) found.set(id, data.subarray(start, end))
    at = even(end)
  }
  // The field after the version: whether the composite is one.
  if (found.get(versionId)?.[4] === 0) {
    throw failure(
      'input_invalid',
      'The PSD was saved without a composite of its layers. Save it in Photoshop with "Maximize Compatibility".',
    )
  }
  const resources: Pick<PsdHeader, 'icc' | 'xmp' | 'iptc' | 'density'> = {}
  for (const name of ['icc', 'xmp', 'iptc'] as const) {
    const resource = found.get(resourceIds[name])
    if (resource && resource.length > 0) resources[name] = resource
  }
  const resolution = found.get(resolutionId)
  const density = resolution && resolution.length >= 4 ? resolution.readUInt32BE(0) / 65_536 : 0
  return { ...resources, ...(density >= 1 && density < 65_536 && { density }) }
}

/** Layer info, mask info, then tagged blocks. Files with 16 and 32 bits have their layers in such a block. */
function hasMergedTransparency(data: Buffer, isLarge: boolean): boolean {
  if (data.length < 8) return false
  const info = block(data, 0, isLarge)
  if (info.data.length >= 2) return info.data.readInt16BE(0) < 0
  const mask = block(data, info.end, false)
  for (let at = mask.end, count = 1; at + 12 <= data.length; count += 1) {
    if (count > blocksMax) throw corrupt()
    const key = data.toString('latin1', at + 4, at + 8)
    const { data: tagged, end } = block(data, at + 8, isLarge && longKeys.has(key))
    if (transparencyKeys.has(key)) return true
    if (layerKeys.has(key) && tagged.length >= 2) return tagged.readInt16BE(0) < 0
    at = end + (-(end - at) & 3)
  }
  return false
}

const layerKeys = new Set(['Layr', 'Lr16', 'Lr32'])
const transparencyKeys = new Set(['Mtrn', 'Mt16', 'Mt32'])
/** Keys whose length has 8 bytes in a PSB. */
const longKeys = new Set('LMsk Lr16 Lr32 Layr Mt16 Mt32 Mtrn Alph FMsk lnk2 FEid FXid PxSD'.split(' '))

function even(count: number): number {
  return count + (count % 2)
}

export function corrupt() {
  return failure('input_invalid', 'The PSD is corrupt or truncated. Save it again.')
}

function unsupported(problem: string) {
  return failure('input_invalid', `The PSD ${problem}. Convert it to RGB with 8 or 16 bits, or export it as PNG.`)
}
