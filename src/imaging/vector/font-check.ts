/**
 * Checks a font before it is accepted. Fonts are programs for FreeType and HarfBuzz, so an untrusted font is first
 * drawn completely in a separate process, which contains any damage. Fonts that pass are used in other separate processes.
 */
import { open, readFile } from 'node:fs/promises'
import type { FontFormat, InspectedFont } from '../../domain/accounts/font.ts'
import { Fault, failure, invalidRequest, MachineBusy } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createProcessPool } from '../../processes/process-pool.ts'
import { inUploadTurn, type JobContext, runJob } from '../raster/jobs.ts'

/** The account, and its share of the memory. */
export interface FontInspection extends Pick<JobContext, 'account' | 'reserve' | 'processes'> {
  signal?: AbortSignal | undefined
}

/**
 * Throws `invalid_request` if the file is not exactly one font, is damaged, too large, or cannot be drawn. Draws it when it is the
 * account's turn; until then, its bytes are not in memory.
 */
export async function inspectFont(file: string, { signal, ...options }: FontInspection): Promise<InspectedFont> {
  try {
    const format = await formatOf(file)
    const context: JobContext = {
      ...options,
      signal: signal ?? new AbortController().signal,
      secondsLeft: () => Number.POSITIVE_INFINITY,
    }
    return await inUploadTurn(context, async (turn) => {
      const bytes = await readFile(file)
      checkUnpacked(bytes, format)
      const facts = await pool.run({ bytes, charactersBytesMax: limits.fontCharactersBytesMax }, turn)
      return { format, ...facts }
    })
  } catch (error) {
    if (signal?.aborted || !(error instanceof Fault) || error instanceof MachineBusy) throw error
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

export interface FontJob {
  bytes: Buffer
  charactersBytesMax: number
}

/** Each process draws one font, because the library keeps it. */
const pool = createProcessPool<FontJob, Omit<InspectedFont, 'format'>, JobContext>({
  program: new URL('./font-child.ts', import.meta.url),
  schedule: runJob,
  seconds: limits.fontSeconds,
  memoryBytes: (_, isSecondTry) => (isSecondTry ? limits.fontMemoryBytesMax : limits.htmlUsualMemoryBytes),
  idleBytesMax: -1,
  tooLong: (seconds) =>
    failure('limit_exceeded', `Drawing the font took longer than ${seconds} s of CPU time, the maximum.`),
  tooLarge: () => failure('limit_exceeded', 'Drawing the font exceeded the memory limit.'),
  ended: (cause) => failure('input_invalid', "The font is corrupt: it can't be drawn.", { cause }),
})
