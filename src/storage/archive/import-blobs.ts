import { blobKeyPattern } from '../../domain/blob-key.ts'
import type { BlobStore, StagedBlob } from '../../domain/images/image.ts'
import { refusal } from '../../errors.ts'
import { type ArchiveEntry, type Checks, damaged, sha256 } from './archive.ts'
import { type BlobFacts, blobLine, groupOfBlob } from './blob-facts.ts'
import { textOf } from './import-text.ts'

/** Blobs that are stored at the same time: a store on the network has a delay for each. */
const underWayMax = 16

interface Stored {
  sums: Checks['blobs']
  /** The first entry that is neither a blob nor a list. */
  entry: ArchiveEntry | undefined
}

/** Stores each blob under its key, reads it back and compares it, and compares all blobs with the lists in the archive. */
export async function storeBlobs(
  entries: AsyncGenerator<ArchiveEntry, void>,
  blobs: BlobStore,
  onStored: (more: { blobs: number; bytes: number }) => void,
): Promise<Stored> {
  const sums = { images: newSum(), fonts: newSum(), provider_calls: newSum() }
  const underWay = new Set<Promise<void>>()
  let failed: { error: unknown } | undefined
  /** Blobs since the last list. */
  let unlisted: string[] = []

  async function store(blob: BlobFacts, staged: StagedBlob): Promise<void> {
    await staged.commit(blob.key)
    onStored({ blobs: 1, bytes: blob.bytes })
    await requireStored(blobs, blob)
  }

  try {
    for (;;) {
      const entry = (await entries.next()).value ?? undefined
      if (entry === undefined || !entry.name.startsWith('blobs/')) {
        if (unlisted.length > 0) throw damaged('the last list of hashes is missing')
        await Promise.all(underWay)
        if (failed !== undefined) throw failed.error
        return { sums: Object.fromEntries(Object.entries(sums).map(([group, sum]) => [group, finished(sum)])), entry }
      }
      if (entry.name.endsWith('.sha256')) {
        requireListed((await textOf(entry)).text, unlisted, entry.name)
        unlisted = []
        continue
      }
      const key = entry.name.slice('blobs/'.length)
      if (!blobKeyPattern.test(key)) throw damaged(`${entry.name} is not the name of a blob`)
      const staged = await blobs.stage(entry.content, { bytesMax: entry.bytes })
      const blob = { key, bytes: staged.bytes, hash: staged.sha256 }
      unlisted.push(`${blob.hash}  ${entry.name}`)
      add(sums[groupOfBlob(key)], blob)
      const storing = store(blob, staged)
        .catch((error) => {
          failed ??= { error }
        })
        .finally(() => underWay.delete(storing))
      underWay.add(storing)
      if (underWay.size >= underWayMax) await Promise.race(underWay)
      if (failed !== undefined) throw failed.error
    }
  } finally {
    await Promise.all(underWay)
  }
}

function newSum() {
  return { count: 0, bytes: 0, hash: sha256() }
}

function add(sum: ReturnType<typeof newSum>, blob: BlobFacts): void {
  sum.count += 1
  sum.bytes += blob.bytes
  sum.hash.update(blobLine(blob))
}

function finished({ count, bytes, hash }: ReturnType<typeof newSum>) {
  return { count, bytes, sha256: hash.digest('hex') }
}

/** `list` is what was written, `found` what was read. */
function requireListed(list: string, found: string[], name: string): void {
  const written = list.split('\n').filter((line) => line !== '')
  for (const [i, line] of found.entries()) {
    const [, file = ''] = line.split('  ')
    if (line !== written[i]) throw damaged(`${file} or ${name} was changed`)
  }
  if (found.length !== written.length)
    throw damaged(`${name} lists ${written.length} blobs, and ${found.length} precede it`)
}

async function requireStored(blobs: BlobStore, { key, bytes, hash }: BlobFacts): Promise<void> {
  const found = sha256()
  let count = 0
  for await (const chunk of await blobs.open(key)) {
    found.update(chunk)
    count += chunk.byteLength
  }
  if (count !== bytes || found.digest('hex') !== hash) {
    throw refusal(`The storage returns other bytes for ${key} than were stored. Check the storage, then import again.`)
  }
}
