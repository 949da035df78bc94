/** The URLs of this service. */
import type { Config } from '../config/config.ts'
import type { ServiceUrlStore } from '../domain/service-url.ts'

/** URLs have no slash at the end. */
export interface Urls {
  service(): string
  api(): string
  images(): string
  /** All URLs below which images of this service are, now or when no `IMAGES_URL` was set. */
  ofImages(): Promise<string[]>
  /** Sets the URL that clients use, known once the port is. Commands and workers read it from the database. */
  set(url: string): Promise<void>
}

export async function openUrls(
  config: Pick<Config, 'publicUrl' | 'imagesUrl' | 'host' | 'port'>,
  store: ServiceUrlStore,
): Promise<Urls> {
  let publicUrl = config.publicUrl ?? (await store.find()) ?? `http://${config.host}:${config.port}`
  let isSettled = config.publicUrl !== undefined
  const images = () => config.imagesUrl ?? `${publicUrl}/images`
  return {
    service: () => publicUrl,
    api: () => `${publicUrl}/v1`,
    images,
    async ofImages() {
      if (!isSettled) publicUrl = (await store.find()) ?? publicUrl
      return [...new Set([`${publicUrl}/images`, images()])]
    },
    async set(url) {
      publicUrl = url
      isSettled = true
      await store.keep(url)
    },
  }
}
