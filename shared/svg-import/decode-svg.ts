/** The text of an SVG file: decompressed, and decoded from its encoding. */
import { encodingOfXml } from '../text-encoding.ts'
import { SvgProblem, svgImportLimits } from './svg-problem.ts'

/** Maximum of bytes: in UTF-16, a character has two bytes. */
const bytesMax = 2 * svgImportLimits.charsMax

/** Throws `SvgProblem` if the file is too large, or not text. `bytes`: SVG, or SVGZ, which is SVG in gzip. */
export async function decodeSvg(bytes: Uint8Array): Promise<string> {
  if (bytes.length > bytesMax) throw tooLarge()
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? await decompressed(bytes) : bytes
  const encoding = encodingOfXml(plain)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(plain)
  } catch {
    throw new SvgProblem(`The file is not text in the encoding ${encoding}. Save the SVG in UTF-8.`)
  }
}

async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    const file = new Blob([new Uint8Array(bytes)]).stream()
    const reader = file.pipeThrough(new DecompressionStream('gzip')).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length
      if (length > bytesMax) throw tooLarge()
      parts.push(next.value)
    }
  } catch (error) {
    if (error instanceof SvgProblem) throw error
    throw new SvgProblem('The file is compressed (SVGZ), but damaged. Save it as SVG again.')
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

function tooLarge(): SvgProblem {
  return new SvgProblem(`The SVG has more than ${bytesMax} bytes, the maximum. Simplify it, or embed smaller images.`)
}
