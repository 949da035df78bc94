/** Whether images can be private: only if this service alone has their bytes. */
import { invalidRequest } from '../../errors.ts'

export interface Privacy {
  /** Throws `invalid_request` with this path. */
  require(path: string): void
}

/** `imagesUrl`: `IMAGES_URL`, if it is set. A CDN or bucket there serves images by their names, without a signature. */
export function createPrivacy(imagesUrl: string | undefined): Privacy {
  return {
    require(path) {
      if (imagesUrl === undefined) return
      const message = `can't be true, because another server (${imagesUrl}) serves the images of this service without checking signatures. Ask the operator to unset IMAGES_URL.`
      throw invalidRequest([{ path, message }])
    },
  }
}
