/** The files of an output that is an image, or a set of images in several widths and formats. */
import { orAbort } from '../../domain/abortable.ts'
import { elapsedSince } from '../../domain/clock.ts'
import type { OutputEncoding } from '../../domain/workflows/output.ts'
import type { NamedOutputSettings } from '../../domain/workflows/outputs.ts'
import type { ImageValue } from '../../imaging/types.ts'
import { type FileIdentity, type FileSettings, fileSettingsOf, identifyFile } from '../cache/file-keys.ts'
import { placeholderKeyOf } from '../cache/key.ts'
import { pack } from '../cache/packed.ts'
import type { PlannedOutput } from '../plan/plan.ts'
import type { EncodedImage, Placeholder, RunFile } from './output-ports.ts'
import { findOut, type InSlot, imageOf, type OutputRun, portsOf } from './output-run.ts'
import { pixelsOf } from './pixel-budget.ts'
import { encodeSigned, isSigned, type SignedOutput } from './sign-output.ts'

export interface ImageFiles {
  settings: NamedOutputSettings
  files: RunFile[]
  /** Placeholder of a set. */
  placeholder: Placeholder | undefined
  /** Warnings about the Content Credentials of new files. */
  warnings: string[]
}

interface PlannedFile extends FileIdentity {
  settings: FileSettings
  file?: RunFile
  /** The file of the set that would be the same, because the image is never enlarged. */
  sameAs?: PlannedFile
}

export async function makeImages(planned: PlannedOutput, run: OutputRun, inSlot: InSlot): Promise<ImageFiles> {
  const { scheduler, context, files, reuse } = run
  const { node, kind } = planned.output
  const { settings, identities } = await findOut(planned, run)
  const [identity] = identities ?? []
  const all = fileSettingsOf(settings).map(
    (fileSettings): PlannedFile => ({
      settings: fileSettings,
      ...identifyFile(fileSettings, identity, reuse?.keyContext),
    }),
  )
  files.count(all.length)
  const from = await takeStored(all, run)
  const placeholderKey = identity && reuse && placeholderKeyOf(identity, reuse.keyContext)
  let placeholder = kind === 'set' ? await storedPlaceholder(placeholderKey, run) : undefined
  const warnings: string[] = []
  if (all.some(isMissing) || (kind === 'set' && placeholder === undefined)) {
    const result = await orAbort(scheduler.resultOf(node), context.signal)
    const image = imageOf(result, node)
    leaveOutSame(all.filter(isMissing), ({ settings: { width } }) => widthOf(width, image.width), all)
    const isTainted = scheduler.isTainted(node) || result.warnings !== undefined
    const making = { run, planned, isTainted, warnings, all }
    const work = byWidth(all, image.width).map(([width, group]) => inSlot(() => makeWidth(image, width, group, making)))
    const held = inSlot(async () => {
      placeholder ??= kind === 'set' ? await makePlaceholder(image, placeholderKey, isTainted, run) : undefined
    })
    await Promise.all([...work, held])
  }
  scheduler.release(node, from)
  return { settings, files: all.flatMap(({ file }) => file ?? []), placeholder, warnings }
}

function isMissing({ file, sameAs }: PlannedFile): boolean {
  return file === undefined && sameAs === undefined
}

/** Takes files from the cache, and from the execution that is resumed. */
async function takeStored(all: PlannedFile[], { files, oneAtATime }: OutputRun): Promise<'cache' | 'resumed'> {
  const found = await files.find(all)
  const hits = all.filter(({ key = '' }) => found.has(key))
  leaveOutSame(hits, ({ key = '' }) => found.get(key)?.width ?? 0)
  let from: 'cache' | 'resumed' = 'cache'
  const take = async (target: PlannedFile) => {
    const hit = found.get(target.key ?? '')
    const taken = hit && (await files.take(hit))
    const file = taken ?? (await oneAtATime(() => files.resume(target)))
    if (file === undefined) return
    target.file = file
    if (taken === undefined) from = 'resumed'
  }
  await Promise.all(all.filter(isMissing).map(take))
  return from
}

/** Keeps one of the files in a format that have the same width. `widthOf`: the width that a file will have. */
function leaveOutSame(
  some: readonly PlannedFile[],
  widthOf: (file: PlannedFile) => number,
  all: readonly PlannedFile[] = [],
): void {
  const nameOf = ({ settings: { encode } }: PlannedFile, width: number) => `${encode.format ?? ''} ${width}`
  const byName = new Map(all.flatMap((file) => (file.file ? [[nameOf(file, file.file.width), file] as const] : [])))
  for (const file of some) {
    const name = nameOf(file, widthOf(file))
    const same = byName.get(name)
    if (same) file.sameAs = same
    else byName.set(name, file)
  }
}

/** Images are never enlarged. */
function widthOf(width: number | undefined, imageWidth: number): number {
  return Math.min(width ?? imageWidth, imageWidth)
}

/** The missing files of each width: they share the scaled image. */
function byWidth(all: readonly PlannedFile[], imageWidth: number): [number, PlannedFile[]][] {
  return [...Map.groupBy(all.filter(isMissing), ({ settings: { width } }) => widthOf(width, imageWidth))]
}

interface Making {
  run: OutputRun
  planned: PlannedOutput
  isTainted: boolean
  warnings: string[]
  all: readonly PlannedFile[]
}

async function makeWidth(image: ImageValue, width: number, group: PlannedFile[], making: Making): Promise<void> {
  const { run, planned } = making
  const { share, context, files } = run
  const height = Math.max(1, Math.round((image.height * width) / image.width))
  const pixels = pixelsOf({ ...image, width, height })
  if (planned.output.name !== undefined) files.count(0, group.length * pixels)
  if (width === image.width) {
    await Promise.all(group.map((file) => makeFile(image, file, making)))
    return
  }
  const room = await share.reserve(pixels, context.signal)
  const scaled = await portsOf(run).scale(image, width, context).finally(room)
  share.keep(scaled)
  try {
    await Promise.all(group.map((file) => makeFile(scaled, file, making)))
  } finally {
    share.drop(scaled)
  }
}

/** Pixels of an image whose file is made and stored on its own. */
const largePixels = 16_000_000

async function makeFile(image: ImageValue, target: PlannedFile, making: Making): Promise<void> {
  const make = () => encodeFile(image, target, making)
  return pixelsOf(image) > largePixels ? making.run.oneAtATime(make) : make()
}

async function encodeFile(image: ImageValue, target: PlannedFile, { run, planned, isTainted, warnings, all }: Making) {
  const { warnings: encodingWarnings = [], ...encoded } = await encode(image, target.settings, planned, run)
  const release = run.share.hold(encoded.bytes.length)
  warnings.push(...encodingWarnings)
  // Such as a missing time stamp: the next execution tries again, and has the warnings of the steps from the step cache.
  const isCacheable = !isTainted && encodingWarnings.length === 0
  const keys = all.flatMap((file) => (file === target || file.sameAs === target ? (file.key ?? []) : []))
  const file = {
    ...encoded,
    origin: image.origin,
    ...(isCacheable && keys.length > 0 && { cacheable: { keys, durationMs: elapsedSince(run.startMs) } }),
  }
  target.file = await run.files.add(file, target, planned.output.name === undefined).finally(release)
}

async function encode(
  image: ImageValue,
  file: FileSettings,
  { output }: PlannedOutput,
  { activity, encode: encodeNow, sign, context }: OutputRun,
): Promise<EncodedImage & Partial<SignedOutput>> {
  const { signal } = context
  const outputContext = { ...context, outputPath: output.at }
  const encodeOnce = (settings: OutputEncoding) =>
    orAbort(
      activity.working(() => encodeNow(image, settings, outputContext)),
      signal,
    )
  if (sign === undefined || !isSigned(file.credentials, image)) return encodeOnce(file.encode)
  return encodeSigned(encodeOnce, file.encode, output.at, (encoded, encodedBytesMax) =>
    orAbort(sign(encoded, image, { output, file, encodedBytesMax }), signal),
  )
}

async function storedPlaceholder(key: string | undefined, { reuse }: OutputRun): Promise<Placeholder | undefined> {
  if (key === undefined || reuse?.cache === undefined) return undefined
  const { color, blurhash } = (await reuse.cache.find([key])).get(key)?.facts.values ?? {}
  return typeof color === 'string' && typeof blurhash === 'string' ? { color, blurhash } : undefined
}

async function makePlaceholder(image: ImageValue, key: string | undefined, isTainted: boolean, run: OutputRun) {
  const { activity, context, reuse, startMs } = run
  const placeholder = await activity.working(() => portsOf(run).placeholder(image, context))
  const packed = pack({ image: undefined, values: { ...placeholder }, skipped: false })
  if (key !== undefined && packed && !isTainted) reuse?.cache?.offer(key, packed, elapsedSince(startMs))
  return placeholder
}
