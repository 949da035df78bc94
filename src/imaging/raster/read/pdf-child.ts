/**
 * A program of a process pool: draws a page of a PDF. PDFium is WebAssembly without files, network and JavaScript, so a PDF reaches
 * nothing but its own memory. Its memory never shrinks, and each job has another one.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import { Fault, failure } from '../../../errors.ts'
import { serveJobs } from '../../../processes/pool-program.ts'
import { checkSize } from '../size.ts'
import { factorOf, type Size } from './drawing.ts'
import type { DrawnPage, PdfJob } from './pdf.ts'

/** Constants from fpdfview.h and fpdf_formfill.h. */
const bgr = 2
const annotations = 0x01
const redFirst = 0x10
const white = 0xffffffff
const lockedErrors = [4, 5]

const charsMax = 20_000
const namesMax = 5

const wasm = new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')))).buffer

serveJobs<PdfJob, DrawnPage>(async (job) => {
  try {
    const pdfium = await init({ wasmBinary: wasm })
    pdfium.PDFiumExt_Init()
    return draw(pdfium, job)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw corrupt(error)
  }
})

function draw(pdfium: WrappedPdfiumModule, { bytes, page: wanted, scale, pixelsMax, wantsPixels }: PdfJob): DrawnPage {
  // The types of the package lack the memory.
  const memory = pdfium.pdfium as typeof pdfium.pdfium & { HEAPU8: Uint8Array<ArrayBuffer> }
  const fileAt = memory.wasmExports.malloc(bytes.length)
  memory.HEAPU8.set(bytes, fileAt)
  const document = pdfium.FPDF_LoadMemDocument(fileAt, bytes.length, '')
  if (document === 0 && lockedErrors.includes(pdfium.FPDF_GetLastError())) {
    throw failure('input_invalid', 'The PDF is protected by a password. Export it without a password.')
  }
  if (document === 0) throw corrupt()
  const pages = pdfium.FPDF_GetPageCount(document)
  if (pages === 0) throw failure('input_invalid', 'The PDF has no pages. Export it again.')
  if (wanted.number > pages) {
    throw failure(
      'input_invalid',
      `The PDF has no page ${wanted.number}: it has ${pages} ${pages === 1 ? 'page' : 'pages'}.`,
    )
  }
  const page = pdfium.FPDF_LoadPage(document, wanted.number - 1)
  if (page === 0) throw corrupt('the page is invalid')
  const natural = sizeOf(pdfium, page, wanted.dpi)
  const factor = factorOf(scale, natural)
  const width = Math.max(1, Math.round(natural.width * factor))
  const height = Math.max(1, Math.round(natural.height * factor))
  checkSize(width, height, pixelsMax)

  const pixelsAt = memory.wasmExports.malloc(width * height * 3)
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bgr, pixelsAt, width * 3)
  if (pixelsAt === 0 || bitmap === 0) throw corrupt('no memory for the pixels')
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white)
  // Forms draw the values of their fields.
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo())
  pdfium.FORM_OnAfterLoadPage(page, form)
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, annotations | redFirst)
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, annotations | redFirst)
  if (!wantsPixels) return { width, height, missingFonts: [] }
  const missingFonts = missingFontsOf(pdfium, page)
  // The memory may have moved.
  return { width, height, missingFonts, data: Buffer.from(memory.HEAPU8.buffer, pixelsAt, width * height * 3) }
}

/** Size after the rotation of the page. */
function sizeOf(pdfium: WrappedPdfiumModule, page: number, dpi: number): Size {
  const [width = 1, height = 1] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)].map((points) =>
    Math.max(1, Math.round((points * dpi) / 72)),
  )
  return { width, height }
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

function corrupt(cause?: unknown) {
  return failure('input_invalid', "The PDF is corrupt: it can't be drawn. Export it again.", { cause })
}
