/** The sources of `image` nodes: an image id, a URL of this service, or an http(s) URL. */

import { hash } from 'node:crypto'
import { show } from '../../../shared/text.ts'
import { liveAccountOf } from '../../domain/accounts/twin.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import type { CredentialState } from '../../domain/credentials/credential-state.ts'
import type { CredentialFacts, CredentialsOptions } from '../../domain/credentials/credentials.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import { BlobMissing, type BlobStore, type Image, type ImageStore, imageFormats } from '../../domain/images/image.ts'
import type { Origin } from '../../domain/images/origin.ts'
import { failure } from '../../errors.ts'
import { limits } from '../../limits.ts'

export interface Sources {
  /** Reads the bytes for an execution of this account. Throws `workflow_failed` with the reason. */
  open(accountId: string, source: string, signal: AbortSignal, options?: OpenOptions): Promise<SourceFile>
  /** Identifies the bytes and the recorded origin, if they are known without reading the bytes. */
  identify(accountId: string, source: string): Promise<string | undefined>
  /** Whether it is a URL of another host. */
  isForeign(source: string): Promise<boolean>
  /** The sources that are an image id or URL of this service without an image. Reads no bytes. */
  missing(accountId: string, sources: readonly string[]): Promise<Set<string>>
}

export interface OpenOptions {
  /** Awaited before reading, with the maximum size. */
  reserve?: ((bytes: number) => Promise<void>) | undefined
  /** Runs the download of a URL of another host. */
  whileDownloading?<Value>(work: () => Promise<Value>): Promise<Value>
}

/** The bytes of a source, and the recorded origin of a stored image. */
export interface SourceFile {
  bytes: Buffer
  /** Hash in hex. */
  sha256: string
  imageId?: string
  origin?: Origin
  credentials?: CredentialState
}

interface Dependencies {
  images: ImageStore
  blobs: BlobStore
  /** Downloads a URL of another host. */
  download(url: string, signal: AbortSignal): Promise<Buffer>
  /** The most downloads of one account at the same time. */
  downloadsMax: number
  /** The most bytes of a download. */
  bytesMax: number
  /** The Content Credentials of downloaded bytes, and the origin that they state. */
  credentialsOf(bytes: Buffer, options: CredentialsOptions): Promise<CredentialFacts>
  /** The prefixes of this service's image URLs: `PUBLIC_URL/images`, and `IMAGES_URL` if it is set. */
  ownUrls(): Promise<string[]>
}

export function createSources({
  images,
  blobs,
  download,
  downloadsMax,
  bytesMax,
  credentialsOf,
  ownUrls,
}: Dependencies): Sources {
  const downloads = createFairQueue({ perAccount: downloadsMax })

  async function read(image: Image, { reserve }: OpenOptions): Promise<SourceFile> {
    await reserve?.(image.size)
    try {
      const bytes = await blobs.read(blobKeyOf(image))
      const { id: imageId, sha256, origin, credentials } = image
      return { bytes, sha256, imageId, ...(origin && { origin }), ...(credentials && { credentials }) }
    } catch (error) {
      if (error instanceof BlobMissing) throw missing(image.id)
      throw error
    }
  }

  /** The URL is enough to read it: its id can't be guessed. A private image can only be read by its account. */
  async function findByUrl(accountId: string, source: string, prefix: string): Promise<Image | undefined> {
    const { id, extension } = nameInUrl(source, prefix)
    const image = await images.findPublic(id)
    return image && isReadable(image, accountId) && imageFormats[image.format].extension === extension
      ? image
      : undefined
  }

  /** A test key reads the images of the live account, which its workflows and brand values name. */
  async function find(accountId: string, id: string): Promise<Image | undefined> {
    const live = liveAccountOf(accountId)
    return (await images.find(accountId, id)) ?? (live === accountId ? undefined : images.find(live, id))
  }

  const ownPrefix = async (source: string) => (await ownUrls()).find((prefix) => source.startsWith(`${prefix}/`))

  return {
    async identify(accountId, given) {
      const source = given.trim()
      if (source.startsWith('img_')) return identityOf(await find(accountId, source))
      const prefix = await ownPrefix(source)
      return prefix === undefined ? undefined : identityOf(await findByUrl(accountId, source, prefix))
    },

    async isForeign(given) {
      const source = given.trim()
      return /^https?:\/\//i.test(source) && (await ownPrefix(source)) === undefined
    },

    async missing(accountId, sources) {
      const prefixes = await ownUrls()
      const names = new Map<string, StoredName>()
      for (const source of sources) {
        const name = storedName(source.trim(), prefixes)
        if (name) names.set(source, name)
      }
      const found = new Map(
        (await images.findAll([...names.values()].map(({ id }) => id))).map((image) => [image.id, image]),
      )
      const isFound = ({ id, extension }: StoredName) => {
        const image = found.get(id)
        if (image === undefined) return false
        if (extension === undefined) return isOf(image, accountId)
        return isReadable(image, accountId) && imageFormats[image.format].extension === extension
      }
      return new Set([...names].filter(([, name]) => !isFound(name)).map(([source]) => source))
    },

    async open(accountId, given, signal, options = {}) {
      // A URL doesn't include the spaces around it.
      const source = given.trim()
      if (source === '')
        throw failure('input_invalid', 'The source is empty. Pass an image id (img_...) or an http(s) URL.')
      if (source.startsWith('img_')) {
        const image = await find(accountId, source)
        if (image === undefined) throw missing(source)
        return read(image, options)
      }
      if (source.length > limits.urlCharsMax)
        throw failure(
          'input_invalid',
          `The source must have at most ${limits.urlCharsMax} characters, not ${source.length}.`,
        )
      if (!/^https?:\/\//i.test(source)) {
        throw failure(
          'input_invalid',
          `The source must be an image id (img_...) or an http(s) URL, not ${show(source)}.`,
        )
      }
      const prefix = await ownPrefix(source)
      if (prefix === undefined) {
        const { reserve, whileDownloading = (work) => work() } = options
        const inQueue = () =>
          downloads.run({ account: accountId, signal }, async () => {
            await reserve?.(bytesMax)
            return download(source, signal)
          })
        const bytes = await whileDownloading(inQueue)
        const credentials = await credentialsOf(bytes, { account: accountId, signal })
        return { bytes, sha256: hash('sha256', bytes), ...credentials }
      }
      const image = await findByUrl(accountId, source, prefix)
      if (image === undefined) throw missing(source)
      return read(image, options)
    },
  }
}

function isReadable(image: Image, byAccountId: string): boolean {
  return !image.requiresSignature || isOf(image, byAccountId)
}

function isOf({ accountId }: Image, byAccountId: string): boolean {
  return accountId === byAccountId || accountId === liveAccountOf(byAccountId)
}

interface StoredName {
  id: string
  /** Set for URLs: anyone with the URL may read the image. */
  extension?: string
}

/** Undefined: not an image of this service. */
function storedName(source: string, prefixes: readonly string[]): StoredName | undefined {
  if (source.startsWith('img_')) return { id: source }
  const prefix = prefixes.find((ownUrl) => source.startsWith(`${ownUrl}/`))
  return prefix === undefined ? undefined : nameInUrl(source, prefix)
}

function nameInUrl(source: string, prefix: string): Required<StoredName> {
  const [id = '', extension = ''] = source.slice(prefix.length + 1).split(/[.?#]/)
  return { id, extension }
}

/** The origin is not in the bytes if marking is disabled. */
function identityOf(image: Image | undefined): string | undefined {
  return image?.origin ? `${image.sha256} ${image.origin}` : image?.sha256
}

function missing(source: string) {
  return failure(
    'input_not_found',
    `Image ${show(source)} was not found. It may have been deleted, or belong to another account.`,
  )
}
