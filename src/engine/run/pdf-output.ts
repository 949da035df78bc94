/** The file of an output that is a PDF: a page for each image, and the images of a list in their order. */
import pMap from 'p-map'
import { orAbort } from '../../domain/abortable.ts'
import { elapsedSince } from '../../domain/clock.ts'
import { combinedOrigin } from '../../domain/images/origin.ts'
import type { PdfSettings } from '../../domain/workflows/outputs.ts'
import { layoutPage } from '../../domain/workflows/page-layout.ts'
import { failure } from '../../errors.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { limits } from '../../limits.ts'
import { identifyPdf, pdfSettingsOf } from '../cache/file-keys.ts'
import type { PlannedOutput } from '../plan/plan.ts'
import { imagesOf } from '../plan/step-result.ts'
import type { EncodedPage, RunFile } from './output-ports.ts'
import { findOut, type InSlot, type OutputRun, portsOf } from './output-run.ts'
import { pixelsFor } from './pixel-budget.ts'

/** The images of this number of nodes are in memory together. */
const nodesAtOnce = 2

export async function makePdf(
  planned: PlannedOutput,
  run: OutputRun,
  inSlot: InSlot,
): Promise<{ name: string | undefined; file: RunFile }> {
  const { scheduler, files, reuse, startMs, context, share, oneAtATime } = run
  const { settings, identities } = await findOut(planned, run)
  const pdfSettings = pdfSettingsOf(settings)
  const { name } = settings
  files.count(1)
  const identity = identifyPdf(pdfSettings, identities, reuse?.keyContext)
  const nodes = [...new Set(planned.output.nodes)]
  const hit = (await files.find([identity])).get(identity.key ?? '')
  const cached = hit && (await files.take(hit))
  const stored = cached ?? (await oneAtATime(() => files.resume(identity)))
  if (stored) {
    for (const node of nodes) scheduler.release(node, cached ? 'cache' : 'resumed')
    return { name, file: stored }
  }
  let isTainted = false
  const origins: ImageValue['origin'][] = []
  /** The memory of the pages until they are bound. */
  const held: (() => void)[] = []
  let count = 0
  const pagesOfNode = async (node: string): Promise<EncodedPage[]> => {
    const result = await orAbort(scheduler.resultOf(node), context.signal)
    isTainted ||= scheduler.isTainted(node) || result.warnings !== undefined
    const images = imagesOf(result)
    count += images.length * planned.output.nodes.filter((page) => page === node).length
    if (count > limits.outputPagesMax)
      throw failure(
        'limit_exceeded',
        `The PDF has more than ${limits.outputPagesMax} pages, the maximum. Pass fewer items, or make several outputs.`,
      )
    origins.push(...images.map(({ origin }) => origin))
    const pages = await inSlot(async () => {
      const encoded: EncodedPage[] = []
      for (const image of images) {
        const page = await encodePage(image, pdfSettings, run)
        encoded.push(page)
        // Like images, so that the limit of an execution is for all pages together.
        held.push(await share.reserve(pixelsFor(page.bytes.length), context.signal))
      }
      return encoded
    })
    scheduler.release(node, 'cache')
    return pages
  }
  const encoded = await pMap(nodes, pagesOfNode, { concurrency: nodesAtOnce, stopOnError: true })
  const pages = planned.output.nodes.flatMap((node) => encoded[nodes.indexOf(node)] ?? [])
  const [first] = pages
  if (first === undefined)
    throw failure('input_invalid', 'The PDF has no page: all its nodes were skipped or returned empty lists.')
  const bytes = await bind(pages, combinedOrigin(origins), run)
  for (const release of held) release()
  const { key } = identity
  const cacheable =
    key === undefined || isTainted ? {} : { cacheable: { keys: [key], durationMs: elapsedSince(startMs) } }
  const { width, height } = first.page.pixels
  const origin = combinedOrigin(origins)
  const file = { bytes, format: 'pdf' as const, width, height, origin, pages: pages.length, ...cacheable }
  const release = share.hold(bytes.length)
  return { name, file: await files.add(file, identity, false).finally(release) }
}

async function encodePage(image: ImageValue, settings: PdfSettings, run: OutputRun): Promise<EncodedPage> {
  const { context, share, activity, files } = run
  const page = layoutPage(settings, image)
  const width = Math.min(image.width, page.imagePixels)
  const pixels = width * Math.max(1, Math.round((image.height * width) / image.width))
  files.count(0, pixels)
  const room = await share.reserve(width < image.width ? pixels : 0, context.signal)
  try {
    return await orAbort(
      activity.working(() => portsOf(run).encodePage(image, page, settings, context)),
      context.signal,
    )
  } finally {
    room()
  }
}

/** The file that the pages become is in memory, and before that the pages once more. */
async function bind(pages: readonly EncodedPage[], origin: ImageValue['origin'], run: OutputRun): Promise<Buffer> {
  const { context, share } = run
  const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0)
  const release = await share.reserveBytes(2 * bytes, context.signal)
  try {
    return await portsOf(run).bindPages(pages, origin)
  } finally {
    release()
  }
}
