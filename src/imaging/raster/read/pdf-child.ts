/**
 * A separate program: draws one page of a PDF from standard input as pixels on standard output, and is killed if it takes
 * too long or too much memory. PDFium is WebAssembly without files, network and JavaScript, so a PDF reaches nothing but
 * its own memory. Arguments: pixelsMax, sidePixelsMax, seconds, whether the pixels are wanted (1) or only their size (0),
 * the page (from 1), its dpi, and either a scale and two zeros, or 0 and the width and height to fit into, of which one
 * may be 0. Output: width and height (32 bits each, little-endian), then RGB pixels. One line of JSON on standard error
 * (`PdfReport`) has the reason of a failure, or the fonts that are missing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import type { PdfReport } from './pdf.ts'

const [pixelsMax = 1, sidePixelsMax = 1, seconds = 1, wanted = 1, number = 1, dpi = 1, factor = 1, wide = 0, high = 0] =
  process.argv.slice(2).map(Number)

// Ends if the parent process is gone. A timer of this thread would wait for PDFium.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${seconds * 1_000})`, { eval: true }).unref()

try {
  // If memory runs out, the system kills this process first, not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux.
}

/** From fpdfview.h and fpdf_formfill.h. */
const bgr = 2
const annotations = 0x01
const redFirst = 0x10
const white = 0xffffffff
const lockedErrors = [4, 5]

const charsMax = 20_000
const namesMax = 5

try {
  const file = await buffer(process.stdin)
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))
  const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer })
  pdfium.PDFiumExt_Init()
  draw(pdfium, file)
} catch (error) {
  fail({ message: error instanceof Error ? error.message : String(error) })
}

function draw(pdfium: WrappedPdfiumModule, file: Buffer): void {
  // The types of the package lack the memory.
  const memory = pdfium.pdfium as typeof pdfium.pdfium & { HEAPU8: Uint8Array<ArrayBuffer> }
  const fileAt = memory.wasmExports.malloc(file.length)
  memory.HEAPU8.set(file, fileAt)
  const document = pdfium.FPDF_LoadMemDocument(fileAt, file.length, '')
  if (document === 0) fail({ isLocked: lockedErrors.includes(pdfium.FPDF_GetLastError()) })
  const pages = pdfium.FPDF_GetPageCount(document)
  if (number > pages) fail({ pages })
  const page = pdfium.FPDF_LoadPage(document, number - 1)
  if (page === 0) fail({ message: 'the page is invalid' })
  const { width, height } = sizeOf(pdfium, page)
  if (width > sidePixelsMax || height > sidePixelsMax || width * height > pixelsMax) fail({ width, height })

  const pixelsAt = memory.wasmExports.malloc(width * height * 3)
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bgr, pixelsAt, width * 3)
  if (pixelsAt === 0 || bitmap === 0) fail({ message: 'no memory for the pixels' })
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
  // Forms draw the values of their fields.
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo())
  pdfium.FORM_OnAfterLoadPage(page, form)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, annotations | redFirst)
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, annotations | redFirst)

  const missingFonts = wanted === 1 ? missingFontsOf(pdfium, page) : []
  if (missingFonts.length > 0) report({ missingFonts })
  const head = Buffer.alloc(8)
  head.writeUInt32LE(width, 0)
  head.writeUInt32LE(height, 4)
  process.stdout.write(head)
  // The memory may have moved.
  const pixels = Buffer.from(memory.HEAPU8.buffer, pixelsAt, width * height * 3)
  process.stdout.write(wanted === 1 ? pixels : '', end)
}

/** After the rotation of the page. */
function sizeOf(pdfium: WrappedPdfiumModule, page: number): { width: number; height: number } {
  const natural = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)].map((points) =>
    Math.max(1, Math.round((points * dpi) / 72)),
  )
  const [width = 1, height = 1] = natural
  const scale = factor || Math.min(wide > 0 ? wide / width : Infinity, high > 0 ? high / height : Infinity)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Fonts that the file doesn't contain, used for letters that their substitutes lack. */
function missingFontsOf(pdfium: WrappedPdfiumModule, page: number): string[] {
  const text = pdfium.FPDFText_LoadPage(page)
  const count = Math.min(pdfium.FPDFText_CountChars(text), charsMax)
  const isMissing = new Map<number, boolean>()
  const names = new Set<string>()
  for (let index = 0; index < count && names.size < namesMax; index += 1) {
    if (hasSubstitute(pdfium.FPDFText_GetUnicode(text, index))) continue
    const font = pdfium.FPDFTextObj_GetFont(pdfium.FPDFText_GetTextObject(text, index))
    if (font === 0 || isMissing.has(font)) continue
    const name = nameOf(pdfium, font)
    const missing = pdfium.FPDFFont_GetIsEmbedded(font) === 0 && !/symbol|dingbats/i.test(name)
    isMissing.set(font, missing)
    if (missing) names.add(name)
  }
  return [...names]
}

/** PDFium draws a missing font with one that has the Latin letters of Europe and punctuation. */
function hasSubstitute(codePoint: number): boolean {
  if (codePoint <= 0x24f || codePoint > 0x10ffff) return true
  const char = String.fromCodePoint(codePoint)
  return /\p{Script=Common}/u.test(char) || !/[\p{L}\p{M}]/u.test(char)
}

function nameOf(pdfium: WrappedPdfiumModule, font: number): string {
  const { wasmExports, UTF8ToString } = pdfium.pdfium
  const bytesMax = 128
  const at = wasmExports.malloc(bytesMax)
  const length = pdfium.FPDFFont_GetBaseFontName(font, at, bytesMax)
  const name = length > 0 && length <= bytesMax ? UTF8ToString(at) : ''
  wasmExports.free(at)
  return name.replaceAll(/[^\p{L}\p{N} ,.+_-]/gu, '') || 'a font without a name'
}

function report(message: PdfReport): void {
  writeFileSync(2, `${JSON.stringify(message)}\n`)
}

function fail(message: PdfReport): never {
  report(message)
  return end()
}

/** Not process.exit(): see svg-child.ts. */
function end(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('still here')
}
