/**
 * Checks the colour profile of a file before its pixels are converted. A profile can be a program: a chain of curves, matrices and tables in
 * floating point (ICC.1:2022, 10.16, `multiProcessElementsType`), which runs for each pixel. Elements can share their data, so a few bytes are
 * enough for each, and nothing interrupts the conversion of a strip of pixels.
 */
import { failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'

/**
 * Throws `limit_exceeded` if a chain takes far more time or memory than those that programs write, and `input_invalid` if it can't be read. Other
 * damage is left to the decoder.
 */
export function checkProfile(icc: Buffer | undefined): void {
  if (icc === undefined || icc.length < headerBytes + 4) return
  for (const tag of tagsOf(icc)) {
    if (tag.toString('latin1', 0, 4) !== 'mpet') continue
    try {
      checkChain(tag)
    } catch (error) {
      if (error instanceof RangeError) throw broken(error)
      throw error
    }
  }
}

const headerBytes = 128
/** The decoder rejects a profile with more. */
const tagsMax = 100
const tagBytes = 12

/** From the start of each tag, to the end of the profile: the decoder ignores the lengths. */
function* tagsOf(icc: Buffer): Generator<Buffer> {
  const count = Math.min(icc.readUInt32BE(headerBytes), tagsMax)
  for (
    let at = headerBytes + 4;
    at < headerBytes + 4 + count * tagBytes && at + tagBytes <= icc.length;
    at += tagBytes
  ) {
    yield icc.subarray(icc.readUInt32BE(at + 4))
  }
}

/** The sums over the elements of a chain. */
interface Cost {
  steps: number
  tableBytes: number
}

/** For an element itself, next to which a multiplication is cheap. */
const elementSteps = 32

function checkChain(chain: Buffer): void {
  const cost = { steps: 0, tableBytes: 0 }
  const count = chain.readUInt32BE(12)
  for (let at = 0; at < count; at += 1) {
    add(cost, { steps: elementSteps })
    const element = chain.subarray(chain.readUInt32BE(16 + at * 8))
    const type = element.toString('latin1', 0, 4)
    if (type === 'matf') add(cost, { steps: inputsOf(element) * outputsOf(element) })
    else if (type === 'clut') addTable(cost, element)
    else if (type === 'cvst') addCurves(cost, element)
  }
}

function inputsOf(element: Buffer): number {
  return element.readUInt16BE(8)
}

function outputsOf(element: Buffer): number {
  return element.readUInt16BE(10)
}

/** Interpolated between the corners of a cell. */
function addTable(cost: Cost, element: Buffer): void {
  const inputs = inputsOf(element)
  add(cost, { steps: 2 ** inputs })
  const points = element.subarray(12, 12 + inputs).reduce((product, side) => product * side, 1)
  add(cost, { tableBytes: points * outputsOf(element) * floatBytes })
}

const floatBytes = 4

/** The segment of a value is searched from one end. */
function addCurves(cost: Cost, element: Buffer): void {
  for (let at = 0; at < inputsOf(element); at += 1) {
    const curve = element.subarray(element.readUInt32BE(12 + at * 8))
    const segments = curve.readUInt16BE(8)
    add(cost, { steps: Math.max(1, segments) })
    let start = 12 + Math.max(0, segments - 1) * floatBytes
    for (let segment = 0; segment < segments; segment += 1) {
      if (curve.toString('latin1', start, start + 4) === 'samf') {
        const samples = curve.readUInt32BE(start + 8) * floatBytes
        add(cost, { tableBytes: samples })
        start += 12 + samples
      } else start += 12 + (parameters[curve.readUInt16BE(start + 8)] ?? 0) * floatBytes
    }
  }
}

/** Of the types of formulas. */
const parameters = [4, 5, 5]

function add(cost: Cost, { steps = 0, tableBytes = 0 }: Partial<Cost>): void {
  cost.steps += steps
  cost.tableBytes += tableBytes
  if (cost.steps <= limits.profileStepsMax && cost.tableBytes <= limits.profileTableBytesMax) return
  throw failure(
    'limit_exceeded',
    `The colour profile of the image takes too long to apply: it has more than ${limits.profileStepsMax} steps, or tables of more than ${limits.profileTableBytesMax} bytes. Convert the image to sRGB.`,
  )
}

function broken(cause: Error) {
  return failure(
    'input_invalid',
    'The colour profile of the image is corrupt: an element of it ends too early. Convert the image to sRGB.',
    { cause },
  )
}
