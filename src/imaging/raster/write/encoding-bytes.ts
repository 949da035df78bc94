/** Memory that an encoder needs while it runs, in addition to its input pixels. */
import type { Effort, EncodeSettings, OutputFormat } from '../../../domain/workflows/output.ts'

/** Bytes per pixel. `transparent`: whether the file has an alpha channel. Measured as in `read/decoding-bytes.ts`. */
export function encodingBytes(format: OutputFormat, settings: EncodeSettings, transparent: boolean): number {
  const { effort = 'medium', lossless, progressive } = settings
  switch (format) {
    case 'webp':
      if (lossless) return effort === 'low' ? 22 : 39
      return transparent ? lossyWebp.transparent[effort] : lossyWebp.opaque[effort]
    case 'avif':
      return transparent ? 55 : 36
    case 'gif':
      return 15
    case 'jpeg':
      // All coefficients, because the best code is computed before any is written.
      return 7
    case 'png':
      // A palette is computed from the entire image.
      return lossless === false || progressive ? 8 : 1
    case 'tiff':
      return 1
  }
}

const lossyWebp: Record<'opaque' | 'transparent', Record<Effort, number>> = {
  opaque: { low: 6, medium: 6, high: 17 },
  transparent: { low: 21, medium: 26, high: 36 },
}
