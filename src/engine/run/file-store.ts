/** The files of one run: those of earlier executions, and its own, which stay for an execution that resumes it. */
import { note } from '../../domain/observed.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FileIdentity } from '../cache/file-keys.ts'
import { pack } from '../cache/packed.ts'
import type { Checkpoint, StepReuse, StoredFile, StoredOutput } from '../cache/ports.ts'
import type { NamedOutputPorts, RunFile } from './output-ports.ts'

export interface FileStore {
  /** The cached files, by key. */
  find(files: readonly FileIdentity[]): Promise<ReadonlyMap<string, StoredOutput>>
  /** A copy of a cached file. Undefined if its bytes are gone. */
  take(found: StoredOutput): Promise<RunFile | undefined>
  /** The file as the resumed execution left it. */
  resume(file: FileIdentity): Promise<RunFile | undefined>
  /**
   * Stores a new file, and keeps it if the run fails. `isPrimary`: its bytes stay in memory, unless the execution would keep its slot
   * while they are stored.
   */
  add(file: RunFile & { bytes: Buffer }, identity: FileIdentity, isPrimary: boolean): Promise<RunFile>
  /** Throws if the run has more files, or more pixels in the files of `outputs`, than an execution may make. */
  count(files: number, pixels?: number): void
  /** Files of a failed run as checkpoints, and the bytes that it has stored. */
  left(): { finished: Checkpoint[]; stored: StoredFile[] }
}

interface Options {
  reuse: StepReuse | undefined
  store: NamedOutputPorts['store'] | undefined
  /** Waits until this much memory is available. */
  reserve(bytes: number): Promise<() => void>
}

export function createFileStore({ reuse, store, reserve }: Options): FileStore {
  const finished: Checkpoint[] = []
  const stored: StoredFile[] = []
  let files = 0
  let pixels = 0

  async function save(file: RunFile & { bytes: Buffer }): Promise<RunFile> {
    if (store === undefined) return file
    const { bytes, stored: _, ...facts } = file
    const image = await store({ bytes, format: file.format })
    stored.push({ ...image, format: file.format })
    return { ...facts, stored: image }
  }

  /** Keeps the file, also for the next execution that resumes, if this one fails again. */
  function keep(file: RunFile, { key, task }: FileIdentity): void {
    const checkpoint = task === undefined ? undefined : checkpointOf(file, { key, task })
    if (checkpoint) finished.push(checkpoint)
  }

  return {
    async find(identities) {
      const keys = identities.flatMap(({ key }) => key ?? [])
      if (keys.length === 0 || reuse?.cache === undefined) return new Map()
      const found = await reuse.cache.findOutputs(keys)
      for (const key of keys) note('cacheLookUp', { kind: 'output', isHit: found.has(key) })
      return found
    },

    async take(found) {
      const { format, width, height, origin, credentials, pages } = found
      const taken = await found.take()
      if (taken === undefined) return undefined
      if (taken.stored) stored.push({ ...taken.stored, format })
      return { ...taken, format, width, height, origin, credentials, ...(pages !== undefined && { pages }) }
    },

    async resume({ key, task = '' }) {
      const checkpoint = reuse?.checkpoints?.get(task)
      const facts = checkpoint?.hasImages ? fileFacts(checkpoint.facts) : undefined
      if (checkpoint === undefined || facts === undefined) return undefined
      const { size, ...about } = facts
      const release = await reserve(size)
      try {
        const bytes = (await checkpoint.read())?.subarray(0, size)
        if (bytes?.length !== size) return undefined
        const file = await save({ ...about, bytes })
        keep(file, { key: checkpoint.key ?? key, task })
        return file
      } finally {
        release()
      }
    },

    async add(file, identity, isPrimary) {
      const staysInMemory = isPrimary && file.bytes.length <= limits.unstoredBytesMax
      const saved = staysInMemory ? file : await save(file)
      keep(saved, identity)
      return saved
    },

    count(more, morePixels = 0) {
      files += more
      pixels += morePixels
      if (files > limits.outputFilesMax)
        throw failure(
          'limit_exceeded',
          `The outputs have more than ${limits.outputFilesMax} files, the maximum. Remove widths, formats or outputs.`,
        )
      if (pixels > limits.outputsPixelsMax)
        throw failure(
          'limit_exceeded',
          `The files of "outputs" have more than ${limits.outputsPixelsMax} pixels together, the maximum. Make the images smaller, or remove outputs.`,
        )
    },

    left: () => ({ finished, stored }),
  }
}

/** A file in the form of a step result whose image is the encoded file. */
function checkpointOf(file: RunFile, { key, task }: { key: string | undefined; task: string }): Checkpoint | undefined {
  const { format, width, height, origin, credentials, pages, bytes, stored } = file
  const size = stored?.size ?? bytes?.length ?? 0
  const values = { file: { size, ...(credentials && { credentials }), ...(pages !== undefined && { pages }) } }
  const image = { format, width, height, hasAlpha: false, ...(origin && { origin }) }
  if (bytes) {
    const packed = pack({ image: { ...image, encoded: bytes }, values, skipped: false })
    return packed && { task, key, facts: packed.facts, packed }
  }
  const facts = { skipped: false, values, image: { ...image, encoded: [0, size] as [number, number] } }
  return { task, key, facts, packed: undefined, stored: { ...stored, format } }
}

/** Undefined for the result of a step. */
function fileFacts({
  image,
  values,
}: Checkpoint['facts']): (Omit<RunFile, 'bytes' | 'stored'> & { size: number }) | undefined {
  const { file } = values as { file?: Pick<RunFile, 'credentials' | 'pages'> & { size: number } }
  if (file === undefined || image === undefined || image.format === 'raw') return undefined
  const { format, width, height, origin } = image
  return { format, width, height, origin, ...file }
}
