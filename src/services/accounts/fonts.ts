import type { Font, FontCharacters, FontStore, InspectedFont } from '../../domain/accounts/font.ts'
import type { QuotaStore } from '../../domain/accounts/quota.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import type { Clock } from '../../domain/clock.ts'
import { IdempotencyKeyTaken, type IdempotentCreate, type NewIdempotencyRecord } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import { BlobMissing, type BlobStore, type StagedBlob } from '../../domain/images/image.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import { Fault, failure, invalidRequest, notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { tryDeleteOrphanedBlob } from '../images/orphaned-blobs.ts'
import { unlessDisconnected } from '../images/unless-disconnected.ts'

/** Reads the facts of a font by drawing all its glyphs. Throws `invalid_request` if it can't be used. */
export type InspectFont = (
  file: string,
  options: { account: string; signal?: AbortSignal | undefined },
) => Promise<InspectedFont>

/** A font of the account, with access to its bytes. */
export interface UsableFont extends Font {
  characters(): Promise<FontCharacters>
  read(): Promise<Buffer>
}

export interface Fonts {
  /**
   * Creates a font from staged bytes, named `family` or as in the file. With `once`: returns the font that the same request
   * created before. If it throws, the bytes are removed. `signal`: the caller has gone.
   */
  store(
    accountId: string,
    staged: StagedBlob,
    about: { family?: string; once?: IdempotentCreate | undefined; signal?: AbortSignal },
  ): Promise<Font>
  find(accountId: string, id: string): Promise<Font>
  list(accountId: string, page: PageRequest): Promise<CountedPage<Font>>
  remove(accountId: string, id: string): Promise<void>
  /** All fonts of the account, for the texts of an execution. */
  usable(accountId: string): Promise<UsableFont[]>
}

interface Dependencies {
  fonts: FontStore
  quotas: Pick<QuotaStore, 'require'>
  blobs: BlobStore
  removals: BlobRemovalStore
  inspect: InspectFont
  clock: Clock
}

export function createFonts({ fonts, quotas, blobs, removals, inspect, clock }: Dependencies): Fonts {
  async function read(font: Font): Promise<Buffer> {
    try {
      return await blobs.read(blobKeyOf(font))
    } catch (error) {
      if (error instanceof BlobMissing) throw wasDeleted(font)
      throw error
    }
  }

  async function readCharacters(font: Font): Promise<FontCharacters> {
    const characters = await fonts.characters(font.accountId, font.id)
    if (characters === undefined) throw wasDeleted(font)
    return characters
  }

  async function find(accountId: string, id: string): Promise<Font> {
    const font = await fonts.find(accountId, id)
    if (font === undefined) throw notFound('font', id)
    return font
  }

  async function create(
    font: Font,
    characters: FontCharacters,
    record: NewIdempotencyRecord | undefined,
  ): Promise<void> {
    try {
      await fonts.create(font, characters, record)
    } catch (error) {
      // After other errors it is not known whether the row was written. The sweep finds out.
      if (error instanceof IdempotencyKeyTaken || error instanceof Fault) await blobs.remove(blobKeyOf(font))
      throw error
    }
  }

  return {
    async store(accountId, staged, { family, once, signal }) {
      try {
        if (once?.createdId !== undefined) {
          await staged.discard()
          return await find(accountId, once.createdId)
        }
        if (staged.bytes === 0) throw invalidRequest([{ path: 'file', message: 'is empty' }])
        if (staged.bytes > limits.fontBytesMax)
          throw invalidRequest([{ path: 'file', message: `must have at most ${limits.fontBytesMax} bytes` }])
        // Checked before the slow inspection, and again with the write, because of concurrent uploads.
        await quotas.require(accountId, ['fonts'], clock.now())
        const { characters, ...facts } = await unlessDisconnected(
          inspect(staged.path, { account: accountId, signal }),
          signal,
        )
        const now = clock.now()
        const font: Font = {
          ...facts,
          id: newId('font', now),
          accountId,
          family: family ?? facts.family,
          size: staged.bytes,
          sha256: staged.sha256,
          createdAt: now,
        }
        // Bytes first, as with images.
        await staged.commit(blobKeyOf(font))
        await create(font, characters, once?.record)
        return font
      } catch (error) {
        await staged.discard()
        throw error
      }
    },

    find,
    list: (accountId, page) => fonts.list(accountId, page),

    async remove(accountId, id) {
      const key = await fonts.remove(accountId, id, clock.now())
      if (key === undefined) throw notFound('font', id)
      await tryDeleteOrphanedBlob(key, blobs, removals)
    },

    async usable(accountId) {
      const { items } = await fonts.list(accountId, { limit: limits.fontsMax, offset: 0 })
      return items.map((font) => ({ ...font, read: () => read(font), characters: () => readCharacters(font) }))
    },
  }
}

/** Fault of a font that was deleted between reading its row and its bytes. */
function wasDeleted({ id, family }: Font): Fault {
  return failure('input_not_found', `Font "${id}" (${family}) was deleted. Choose another font.`)
}
