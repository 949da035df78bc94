import { file, multipart, multipartType } from '../../harness/multipart.ts'
import { pngInterlaced } from '../../harness/pictures.ts'
import { type Attack, repeat } from '../load.ts'

/** Security review, 5: libvips decodes an interlaced PNG in memory, 784 MB of this one, and takes 4 s of a core. */
export const largeUploads: Attack = {
  name: '12 uploads of a PNG of 762 KB with 9,900 x 9,900 pixels, 16 bits, interlaced',
  async start({ a }) {
    const body = multipart([file(pngInterlaced(9_900, 9_900))])
    return repeat(12, (_n, signal) =>
      a.send('POST', '/storage/upload', { bytes: { type: multipartType, body }, signal }),
    )
  },
}
