/** The files of an execution in storage, and the image records that they get at its end. */
import { blobKeyOf } from '../domain/blob-key.ts'
import type { Clock } from '../domain/clock.ts'
import type { Execution, ExecutionOutput, NamedExecutionOutput, OutputFile } from '../domain/executions/execution.ts'
import { newId } from '../domain/ids.ts'
import { type BlobStore, type Image, type ImageFormat, imageFormats } from '../domain/images/image.ts'
import { persist } from '../domain/persist.ts'
import type { StoredFile, StoredImage } from '../engine/cache/ports.ts'
import type { RunOutputs } from '../engine/run/make-outputs.ts'
import type { RunFile, RunNamedOutput } from '../engine/run/output-ports.ts'
import { cleanFileName } from '../services/images/images.ts'

export interface OutputStorage {
  /** Makes the bytes durable under the key of a new image. No record refers to them yet. */
  store(file: { bytes: Buffer; format: ImageFormat }): Promise<StoredImage>
  /** Removes files that no record will refer to. If that fails, the sweep removes them, and reports errors of the store. */
  discard(files: readonly Pick<StoredFile, 'id' | 'format'>[]): Promise<void>
}

export function createOutputStorage(blobs: BlobStore, clock: Clock, signal: AbortSignal): OutputStorage {
  return {
    async store({ bytes, format }) {
      const id = newId('img', clock.now())
      const write = async () => {
        const { bytes: size, sha256 } = await blobs.put(blobKeyOf({ id, format }), bytes)
        return { id, size, sha256 }
      }
      return persist(write, signal)
    },

    async discard(files) {
      for (const file of files) await blobs.remove(blobKeyOf(file)).catch(() => undefined)
    },
  }
}

interface About {
  execution: Pick<Execution, 'id' | 'accountId'>
  projectId: string | null
  /** Name for files. */
  workflowName: string | undefined
  now: number
}

interface StoredRunFile {
  image: Image
  file: RunFile
}

export interface OutputImages {
  /** Image of the primary output. */
  image: Image
  otherImages: Image[]
  output: ExecutionOutput
  /** Undefined if the workflow has no `outputs`. */
  outputs: NamedExecutionOutput[] | undefined
  /** The image of each file. */
  files: StoredRunFile[]
}

/** Stores the bytes that are not stored yet. */
export async function imagesOf(
  { output, outputs }: RunOutputs,
  store: OutputStorage['store'],
  about: About,
): Promise<OutputImages> {
  const imageOf = async (file: RunFile, name: string | undefined): Promise<StoredRunFile> => {
    const { format, width, height, origin, credentials } = file
    const stored = file.stored ?? (await store(file))
    const image: Image = {
      id: stored.id,
      accountId: about.execution.accountId,
      projectId: about.projectId,
      name: outputName(name ?? about.workflowName, format),
      format,
      size: stored.size,
      width,
      height,
      sha256: stored.sha256,
      origin: origin ?? null,
      credentials: credentials ?? null,
      executionId: about.execution.id,
      createdAt: about.now,
    }
    return { image, file }
  }
  const primary = await imageOf(output, output.name)
  const files = [primary]
  const named: NamedExecutionOutput[] = []
  for (const encoded of outputs) {
    const stored: StoredRunFile[] = []
    for (const file of encoded.files) stored.push(await imageOf(file, nameOfFile(encoded, file, about)))
    files.push(...stored)
    named.push(namedOutput(encoded, stored))
  }
  return {
    image: primary.image,
    otherImages: files.slice(1).map(({ image }) => image),
    output: outputFile(primary.image),
    outputs: named.length > 0 ? named : undefined,
    files,
  }
}

function namedOutput(
  { output: name, isSet, placeholder }: RunNamedOutput,
  files: StoredRunFile[],
): NamedExecutionOutput {
  // The widest file of the last format: every client can show it.
  const last = files.at(-1)
  if (last === undefined) throw new Error(`the output ${name} has no file`)
  const { pages } = last.file
  return {
    name,
    ...sizedFile(last.image),
    ...(isSet && { files: files.map(({ image }) => sizedFile(image)), ...placeholder }),
    ...(pages !== undefined && { pages }),
  }
}

function outputFile({ id, width, height, format, origin }: Image): OutputFile {
  return { imageId: id, width, height, format, ...(origin && { origin }) }
}

function sizedFile(image: Image): OutputFile & { size: number } {
  return { ...outputFile(image), size: image.size }
}

/** `Launch card hero 960`, or the name in the settings with the width of a file in a set. */
function nameOfFile({ output, isSet, name }: RunNamedOutput, { width }: RunFile, { workflowName }: About): string {
  const base = name === undefined ? `${workflowName ?? ''} ${output}`.trim() : withoutExtension(name)
  return isSet ? `${base} ${width}` : (name ?? base)
}

const extensions = Object.values(imageFormats).map(({ extension }) => `.${extension}`)

function withoutExtension(name: string): string {
  const found = extensions.find((extension) => name.toLowerCase().endsWith(extension))
  return found === undefined ? name : name.slice(0, -found.length)
}

/** `Launch card` to `Launch card.webp`. A name with the extension is left as it is. */
function outputName(name: string | undefined, format: ImageFormat): string {
  const extension = `.${imageFormats[format].extension}`
  const base = cleanFileName(name?.replaceAll(/[\\/]/g, '-')) || 'image'
  return base.toLowerCase().endsWith(extension) ? base : `${base}${extension}`
}
