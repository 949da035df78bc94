import type { Account, AccountStore } from '../../domain/accounts/account.ts'
import type { Project, ProjectStore } from '../../domain/accounts/project.ts'
import { QuotaReached, type QuotaStore } from '../../domain/accounts/quota.ts'
import { imageSeconds } from '../../domain/accounts/twin.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import type { BlobRemovalStore } from '../../domain/blob-removal.ts'
import type { Clock } from '../../domain/clock.ts'
import type { DiskSpace } from '../../domain/disk-space.ts'
import { IdempotencyKeyTaken, type IdempotentCreate, type NewIdempotencyRecord } from '../../domain/idempotency.ts'
import { newId } from '../../domain/ids.ts'
import { type DaysByPlan, expiryOf, secondsOfPlan } from '../../domain/images/expiry.ts'
import {
  BlobMissing,
  type BlobStore,
  BlobTooLarge,
  type Image,
  type ImageChange,
  type ImageFacts,
  type ImageFilter,
  type ImageOrder,
  type ImageStore,
  imageFormats,
  type StagedBlob,
} from '../../domain/images/image.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import { invalidRequest, notFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { ImageUrls } from './image-urls.ts'
import { tryDeleteOrphanedBlob } from './orphaned-blobs.ts'
import type { Privacy } from './privacy.ts'
import { unlessDisconnected } from './unless-disconnected.ts'

/** Reads the facts of an image file by decoding it entirely. Throws `invalid_request` if it can't be used. */
export type Inspect = (
  file: string,
  options: { account: string; signal?: AbortSignal | undefined },
) => Promise<ImageFacts>

export interface Images {
  /** Stages bytes up to the limit. Throws `invalid_request` past it. Call `store` or `discard` with the result. */
  stage(source: AsyncIterable<Uint8Array>): Promise<StagedBlob>
  /**
   * Creates an image from staged bytes. With `once`: returns the image that the same request created before. Throws `forbidden` if the account stores
   * its maximum. If it throws, the bytes are removed. `signal`: the caller has gone.
   */
  store(
    accountId: string,
    staged: StagedBlob,
    about: {
      fileName?: string
      name?: string
      projectId?: string
      isPrivate?: boolean
      /** Seconds after which it is removed. Default: the one of its project or plan. `never`: it stays. */
      expiresIn?: number | 'never' | undefined
      once?: IdempotentCreate | undefined
      signal?: AbortSignal
    },
  ): Promise<Image>
  /**
   * The account's image with exactly these bytes that stays until it is deleted, or a new one. `isPassing`: for a parameter; a new one has the default
   * of uploads, and one that stays for half as long is enough. Concurrent callers in one process get the same image. Two
   * processes may each store one, which is harmless.
   */
  storeOnce(
    accountId: string,
    source: Uint8Array | StagedBlob,
    fileName: string,
    options?: { isPassing?: boolean },
  ): Promise<Image>
  find(accountId: string, id: string): Promise<Image>
  list(accountId: string, page: PageRequest, filter: ImageFilter, order?: ImageOrder): Promise<CountedPage<Image>>
  /** Changes the name, the project or the privacy. Throws `invalid_request` if it is to be private and another server has the bytes. */
  update(accountId: string, id: string, change: ImageChange): Promise<Image>
  remove(accountId: string, id: string): Promise<void>
  /** Moves the image to the bin. */
  moveToBin(accountId: string, id: string): Promise<void>
  /** The number of images. */
  count(accountId: string, filter: ImageFilter): Promise<number>
  /** Removes the oldest images, at most `imagesDeletedMax`, or moves them to the bin. A background job removes their bytes. */
  removeSome(
    accountId: string,
    filter: ImageFilter,
    options?: { toBin?: boolean },
  ): Promise<{ count: number; hasMore: boolean }>
  /** The image of `/images/<file>`, for everyone who has the URL. If it requires a signature, the caller has to check it. */
  findPublic(file: string): Promise<Image>
  open(image: Image, range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>
  /** The URLs in responses to this account. */
  urlsOf(owner: Pick<Account, 'id' | 'urlSecret' | 'hasPrivateImages'>): ImageUrls
}

interface Dependencies {
  images: ImageStore
  projects: ProjectStore
  accounts: Pick<AccountStore, 'find'>
  /** Days that uploads stay if neither the request nor the project says it. */
  uploadsKeptDays?: DaysByPlan | undefined
  blobs: BlobStore
  removals: BlobRemovalStore
  inspect: Inspect
  clock: Clock
  uploadBytesMax: number
  urlsOf: Images['urlsOf']
  privacy: Privacy
  quotas: Pick<QuotaStore, 'require'>
  disk: DiskSpace
}

export function createImages({
  images,
  projects,
  accounts,
  uploadsKeptDays,
  blobs,
  removals,
  inspect,
  clock,
  uploadBytesMax,
  urlsOf,
  privacy,
  quotas,
  disk,
}: Dependencies): Images {
  /** The stores of `storeOnce` in progress, by account and hash. */
  const storing = new Map<string, Promise<Image>>()

  async function find(accountId: string, id: string): Promise<Image> {
    const image = await images.find(accountId, id)
    if (image === undefined) throw notFound('image', id)
    return image
  }

  async function stage(source: AsyncIterable<Uint8Array>): Promise<StagedBlob> {
    await disk.require()
    try {
      return await blobs.stage(source, { bytesMax: uploadBytesMax })
    } catch (error) {
      if (error instanceof BlobTooLarge)
        throw invalidRequest([{ path: 'file', message: `must have at most ${uploadBytesMax} bytes` }])
      throw error
    }
  }

  async function store(
    accountId: string,
    staged: StagedBlob,
    { fileName, name, projectId, isPrivate = false, expiresIn, once, signal }: Parameters<Images['store']>[2],
  ): Promise<Image> {
    try {
      if (once?.createdId !== undefined) {
        await staged.discard()
        return await find(accountId, once.createdId)
      }
      // Before the slow inspection. The write checks again.
      await quotas.require(accountId, ['images', 'storageBytes'], clock.now())
      if (isPrivate) privacy.require('private')
      const project = await projectOf(accountId, projectId ?? null)
      const facts = await unlessDisconnected(inspect(staged.path, { account: accountId, signal }), signal)
      const durations =
        expiresIn === 'never' ? [] : [expiresIn ?? project?.uploadsExpireIn ?? (await secondsOf(accountId))]
      const now = clock.now()
      const image: Image = {
        id: newId('img', now),
        accountId,
        projectId: projectId ?? null,
        name: name ?? (cleanFileName(fileName) || `image.${imageFormats[facts.format].extension}`),
        format: facts.format,
        size: staged.bytes,
        width: facts.width,
        height: facts.height,
        sha256: staged.sha256,
        origin: facts.origin ?? (await images.findByHash(accountId, staged.sha256))?.origin ?? null,
        credentials: facts.credentials ?? null,
        ...(isPrivate ? { isPrivate } : {}),
        executionId: null,
        createdAt: now,
        ...expiryOf(
          now,
          imageSeconds(
            accountId,
            durations.find((seconds) => seconds !== undefined),
          ),
        ),
      }
      // Bytes first: a row never refers to missing bytes. After a crash in between, the sweep removes the blob.
      await staged.commit(blobKeyOf(image))
      await create(image, once?.record)
      return isPrivate || projectId !== undefined ? await find(accountId, image.id) : image
    } catch (error) {
      await staged.discard()
      throw error
    }
  }

  async function projectOf(accountId: string, id: string | null): Promise<Project | undefined> {
    if (id === null) return undefined
    const project = await projects.find(accountId, id)
    if (project === undefined) throw notFound('project', id)
    return project
  }

  async function create(image: Image, record: NewIdempotencyRecord | undefined): Promise<void> {
    try {
      await images.create(image, record)
    } catch (error) {
      // After other errors it is not known whether the row was written. The sweep finds out.
      if (error instanceof IdempotencyKeyTaken || error instanceof QuotaReached) await blobs.remove(blobKeyOf(image))
      throw error
    }
  }

  /** The default of the plan. */
  async function secondsOf(accountId: string): Promise<number | undefined> {
    if (uploadsKeptDays === undefined) return undefined
    return secondsOfPlan(uploadsKeptDays, (await accounts.find(accountId))?.plan)
  }

  async function findOrStore(
    accountId: string,
    staged: StagedBlob,
    fileName: string,
    isPassing: boolean,
  ): Promise<Image> {
    const seconds = isPassing ? await secondsOf(accountId) : undefined
    const lastsUntil = seconds === undefined ? 'always' : clock.now() + seconds * 500
    const same = await images.findByHash(accountId, staged.sha256, lastsUntil)
    if (same === undefined) return store(accountId, staged, { fileName, expiresIn: seconds ?? 'never' })
    await staged.discard()
    return same
  }

  return {
    stage,
    store,
    async storeOnce(accountId, source, fileName, { isPassing = false } = {}) {
      const staged = source instanceof Uint8Array ? await stage(chunk(source)) : source
      const key = `${accountId} ${isPassing} ${staged.sha256}`
      const underWay = storing.get(key)
      if (underWay) {
        await staged.discard()
        return underWay
      }
      const stored = findOrStore(accountId, staged, fileName, isPassing).finally(() => storing.delete(key))
      storing.set(key, stored)
      return stored
    },
    find,
    list: (accountId, page, filter, order) => images.list(accountId, page, filter, order),
    count: (accountId, filter) => images.count(accountId, filter),
    removeSome: (accountId, filter, options) =>
      images.removeSome(accountId, filter, limits.imagesDeletedMax, clock.now(), options),
    async update(accountId, id, change) {
      const { projectId, isPrivate } = change
      if (isPrivate) privacy.require('private')
      if (projectId !== undefined) {
        const image = await find(accountId, id)
        const [from, to] = [await projectOf(accountId, image.projectId), await projectOf(accountId, projectId)]
        if (from?.isPrivate && !to?.isPrivate && isPrivate === undefined && !image.isPrivate)
          throw invalidRequest([
            { path: 'private', message: `must be set: project ${from.id} is private, the new one isn't` },
          ])
      }
      if (!(await images.update(accountId, id, change))) throw notFound('image', id)
      return find(accountId, id)
    },
    async moveToBin(accountId, id) {
      const { count } = await images.removeSome(accountId, { ids: [id] }, 1, clock.now(), { toBin: true })
      if (count === 0) throw notFound('image', id)
    },
    async remove(accountId, id) {
      const key = await images.remove(accountId, id, clock.now())
      if (key === undefined) throw notFound('image', id)
      await tryDeleteOrphanedBlob(key, blobs, removals)
    },
    async findPublic(file) {
      const [id = '', extension, more] = file.split('.')
      const image = more === undefined ? await images.findPublic(id) : undefined
      if (image === undefined || imageFormats[image.format].extension !== extension) throw notFound('image', file)
      return image
    },
    async open(image, range) {
      try {
        return await blobs.open(blobKeyOf(image), range)
      } catch (error) {
        // It was deleted between reading the row and the bytes.
        if (error instanceof BlobMissing) throw notFound('image', image.id)
        throw error
      }
    },
    urlsOf,
  }
}

/** The last part of a path, shortened, without characters that could end or forge a header. */
export function cleanFileName(fileName = ''): string {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out
  const plain = base.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return plain === '.' || plain === '..' ? '' : [...plain].slice(0, limits.nameCharsMax).join('')
}

async function* chunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
