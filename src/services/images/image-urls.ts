/** URLs of stored images in responses: plain, or signed by the service if the image is private. */
import type { Account } from '../../domain/accounts/account.ts'
import { blobKeyOf } from '../../domain/blob-key.ts'
import type { Clock } from '../../domain/clock.ts'
import { signUrl } from '../../domain/delivery/signed-url.ts'
import type { Image } from '../../domain/images/image.ts'
import { limits } from '../../limits.ts'

export interface ImageUrls {
  /** Signed if the image requires it. Of an output, which is known by its id alone, also if the account has other private images. */
  url(image: Pick<Image, 'id' | 'format'> & Partial<Pick<Image, 'accountId' | 'requiresSignature'>>): string
  /** A small WebP, signed. Undefined for an account without a secret. */
  thumbnailUrl(image: Pick<Image, 'id'>): string | undefined
  /** The same for an output, which anyone can see at its public path if no image of the account is private. */
  outputThumbnailUrl(image: Pick<Image, 'id'>): string | undefined
}

type Owner = Pick<Account, 'id' | 'urlSecret' | 'hasPrivateImages'>

interface Dependencies {
  clock: Clock
  /** `PUBLIC_URL`. */
  serviceUrl(): string
  /** The prefix of image URLs: `PUBLIC_URL/images`, or `IMAGES_URL`. */
  imagesUrl(): string
}

const thumbnail = { w: String(limits.previewSidePixels), h: String(limits.previewSidePixels), q: '75' }

export function createImageUrls({ clock, serviceUrl, imagesUrl }: Dependencies): (owner: Owner) => ImageUrls {
  return ({ id: keyId, urlSecret, hasPrivateImages }) => {
    const sign = (path: string, parameters: Record<string, string>) =>
      urlSecret === undefined
        ? undefined
        : `${serviceUrl()}${signUrl({ path, parameters, expires: expiryOf(clock.now()), keyId }, urlSecret)}`
    const thumbnailUrl: ImageUrls['thumbnailUrl'] = ({ id }) => sign(`/i/${id}.webp`, thumbnail)
    return {
      url(image) {
        const mayBePrivate = image.accountId === undefined ? hasPrivateImages : image.requiresSignature
        return (mayBePrivate && sign(`/images/${blobKeyOf(image)}`, {})) || `${imagesUrl()}/${blobKeyOf(image)}`
      },
      thumbnailUrl,
      outputThumbnailUrl: (image) => (hasPrivateImages ? thumbnailUrl(image) : undefined),
    }
  }
}

/** Unix seconds. The same for a whole day, so that browsers find the URL in their cache: valid for one to two days. */
function expiryOf(nowMs: number): number {
  const seconds = limits.signedImageUrlSeconds
  return (Math.floor(nowMs / 1_000 / seconds) + 2) * seconds
}
