import { file, multipart, multipartType } from '../../harness/multipart.ts'
import { pngInterlaced } from '../../harness/pictures.ts'
import { deliveryUrl, type NewSigningKey } from '../../harness/signed-urls.ts'
import type { Image } from '../../harness/types.ts'
import { type Attack, repeat } from '../load.ts'
import { bodyOf } from '../setup.ts'

/** Clients without a key: one signed URL in a page of A makes each of its readers a client. */
export const deliverySizes: Attack = {
  name: '100 delivery URLs at a time, each for a new size of an image with 3,000 x 3,000 pixels, 16 bits, interlaced',
  async start({ a }) {
    const body = multipart([file(pngInterlaced(3_000, 3_000))])
    const image = bodyOf<Image>(await a.send('POST', '/storage/upload', { bytes: { type: multipartType, body } }))
    const key = bodyOf<NewSigningKey>(await a.send('POST', '/signing-keys', { json: {} }))
    return repeat(100, (n, signal) => a.get(deliveryUrl(key, `${image.id}.webp`, { w: `${n + 1}` }), signal))
  },
}
