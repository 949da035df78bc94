/**
 * Checks a font before it is accepted. Fonts are programs for FreeType and HarfBuzz, so an untrusted font is first
 * drawn completely in a separate process, which contains any damage. Fonts that pass are used in other separate processes.
 */
import { open, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FontFormat, InspectedFont } from '../../domain/font.ts'
import { Fault, failure, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { elapsedSecondsMax, runChild } from '../raster/child.ts'
import { inUploadTurn, type JobContext } from '../raster/jobs.ts'
import { type ChildMemory, inUsualMemory } from '../raster/usual-memory.ts'

/** The account, and its share of the memory. */
export interface FontInspection extends Pick<JobContext, 'account' | 'reserve'> {
  signal?: AbortSignal | undefined
}

/**
 * Throws `invalid_request` if the file is not exactly one font, is damaged, too large, or cannot be drawn. Draws it when it is the
 * account's turn; until then, its bytes are not in memory.
 */
export async function inspectFont(file: string, { signal, ...options }: FontInspection = {}): Promise<InspectedFont> {
  try {
    const format = await formatOf(file)
    const context: JobContext = {
      ...options,
      signal: signal ?? new AbortController().signal,
      secondsLeft: () => elapsedSecondsMax(limits.fontSeconds),
    }
    return await inUploadTurn(context, async (turn) => {
      const bytes = await readFile(file)
      checkUnpacked(bytes, format)
      return { format, ...(await draw(bytes, turn)) }
    })
  } catch (error) {
    if (signal?.aborted || !(error instanceof Fault)) throw error
    throw Object.assign(invalidRequest([{ path: 'file', message: error.message }]), { cause: error })
  }
}

/** OpenType 1.9, "Organization of an OpenType font"; WOFF2, 4.1. */
const formats: Record<string, FontFormat> = {
  '00010000': 'ttf',
  '74727565': 'ttf',
  '4f54544f': 'otf',
  '774f4632': 'woff2',
}
const others: Record<string, string> = {
  '74746366': 'The file is a collection of fonts. Upload its fonts one by one.',
  '774f4646': 'The file is a WOFF 1 font. Upload it as WOFF2, TTF or OTF.',
}

async function formatOf(file: string): Promise<FontFormat> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    if (size > limits.fontBytesMax)
      throw failure('limit_exceeded', `The font has ${size} bytes; the maximum is ${limits.fontBytesMax}.`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    const magic = buffer.toString('hex', 0, bytesRead)
    const format = formats[magic]
    if (format === undefined)
      throw failure('input_invalid', others[magic] ?? 'The file is not a font in a supported format (TTF, OTF, WOFF2).')
    return format
  } finally {
    await handle.close()
  }
}

/** WOFF2, 4.1: totalSfntSize, for which decoders allocate memory. */
function checkUnpacked(bytes: Buffer, format: FontFormat): void {
  if (format !== 'woff2' || bytes.length < 20) return
  const unpacked = bytes.readUInt32BE(16)
  if (unpacked > limits.fontUnpackedBytesMax)
    throw failure(
      'limit_exceeded',
      `The uncompressed font has ${unpacked} bytes; the maximum is ${limits.fontUnpackedBytesMax}.`,
    )
}

/** Length of JSON with one short name and the characters in it. */
const factsBytesMax = 4_096 + limits.fontCharactersBytesMax

const program = fileURLToPath(new URL('./font-child.ts', import.meta.url))

/** Counts as long: it can take all of its seconds. */
async function draw(bytes: Buffer, turn: JobContext): Promise<Omit<InspectedFont, 'format'>> {
  const bounds = {
    usualBytes: limits.htmlUsualMemoryBytes,
    bytesMax: limits.fontMemoryBytesMax,
    fault: () => failure('limit_exceeded', 'Drawing the font exceeded the memory limit.'),
  }
  return inUsualMemory(turn, bounds, (memory) => drawWithin(memory, bytes, turn.signal))
}

async function drawWithin(
  memory: ChildMemory,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Omit<InspectedFont, 'format'>> {
  const { output, problem } = await runChild({
    program,
    args: [elapsedSecondsMax(limits.fontSeconds) + 1, limits.fontCharactersBytesMax],
    input: bytes,
    seconds: limits.fontSeconds,
    ...memory,
    signal,
    outputBytes: () => factsBytesMax,
    tooLong: (seconds) => failure('limit_exceeded', `Drawing the font took longer than ${seconds} s, the maximum.`),
  })
  try {
    return JSON.parse(output.toString()) as Omit<InspectedFont, 'format'>
  } catch {
    throw failure('input_invalid', refusalIn(problem) ?? "The font is corrupt: it can't be drawn.", {
      cause: problem,
    })
  }
}

/** Messages of the child for the uploader of the font. */
function refusalIn(problem: string): string | undefined {
  const line = problem.split('\n').find((text) => text.startsWith('{"refused":'))
  return line === undefined ? undefined : (JSON.parse(line) as { refused: string }).refused
}
