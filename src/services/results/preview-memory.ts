/** Results and downloads of the last previews of drafts, in the memory of the process that makes them. Nothing is stored. */
import { type CacheBounds, createBoundedCache } from '../../bounded-cache.ts'
import type { StepCache, StoredResult } from '../../engine/cache/ports.ts'
import { imagesOf, type StepResult } from '../../engine/plan/step-result.ts'
import { type PixelBudget, pixelsOf } from '../../engine/run/pixel-budget.ts'
import type { SourceFile, Sources } from '../executions/sources.ts'

export interface PreviewMemory {
  /** Results in memory first, then those that executions have stored, which are only read. */
  cacheOf(accountId: string, stored: StepCache | undefined): StepCache
  /** Sources for an account. A file of another host is downloaded once, and stays the same as long as it is in memory. */
  sourcesOf(accountId: string): Pick<Sources, 'open' | 'identify'>
}

interface Dependencies {
  sources: Pick<Sources, 'open' | 'identify' | 'isForeign'>
  bounds: CacheBounds
  /** Counts the memory. It is released when executions need it. */
  pixels: PixelBudget
  /** Seconds without a use after which all memory is released. */
  idleSeconds: number
}

interface Entry {
  value: StoredResult | SourceFile
  release(): void
}

export function createPreviewMemory({ sources, bounds, pixels, idleSeconds }: Dependencies): PreviewMemory {
  const entries = createBoundedCache<Entry>(bounds, ({ release }) => release())
  const share = pixels.open()
  pixels.onShortage(entries.clear)
  let idle: NodeJS.Timeout | undefined

  function use(): typeof entries {
    clearTimeout(idle)
    idle = setTimeout(entries.clear, idleSeconds * 1_000).unref()
    return entries
  }

  const find = (key: string) => use().get(key)?.value

  function keep(key: string, value: Entry['value'], accountId: string, bytes: number): void {
    use().take(key)?.release()
    use().set(key, { value, release: share.hold(bytes) }, { accountId, bytes })
  }

  const resultKey = (accountId: string, key: string) => `${accountId} result ${key}`
  const fileKey = (accountId: string, url: string) => `${accountId} file ${url.trim()}`
  const fileOf = (accountId: string, source: string) => find(fileKey(accountId, source)) as SourceFile | undefined

  return {
    cacheOf: (accountId, stored) => ({
      async find(keys) {
        const found = new Map<string, StoredResult>()
        for (const key of keys) {
          const entry = find(resultKey(accountId, key)) as StoredResult | undefined
          if (entry) found.set(key, entry)
        }
        const others = keys.filter((key) => !found.has(key))
        if (others.length > 0 && stored) for (const [key, result] of await stored.find(others)) found.set(key, result)
        return found
      },

      remember(key, result, facts) {
        const entry: StoredResult = { facts, result, read: async () => undefined }
        keep(resultKey(accountId, key), entry, accountId, bytesOf(result))
      },

      // Previews are encoded differently from outputs, and stored nowhere.
      findOutputs: async () => new Map(),
      offer: () => undefined,
      keep: async () => undefined,
    }),

    sourcesOf: (accountId) => ({
      async open(_, source, signal, options) {
        const known = fileOf(accountId, source)
        if (known) return known
        const file = await sources.open(accountId, source, signal, options)
        if (await sources.isForeign(source)) keep(fileKey(accountId, source), file, accountId, file.bytes.length)
        return file
      },

      async identify(_, source) {
        return fileOf(accountId, source)?.sha256 ?? (await sources.identify(accountId, source))
      },
    }),
  }
}

/** Bytes of a result with its pixels, also if they are decoded later. */
function bytesOf(result: StepResult): number {
  let bytes = entryBytes
  for (const image of imagesOf(result))
    bytes += pixelsOf(image) * 4 + (image.encoded?.length ?? image.animation?.encoded?.length ?? 0)
  return bytes
}

/** Estimated size of the values of a result. */
const entryBytes = 4_096
