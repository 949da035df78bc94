/** Maps the plain text errors of libvips to faults for the caller. */
import { Fault, failure } from '../../errors.ts'

export function imageFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const text = error instanceof Error ? error.message : String(error)
  for (const [pattern, create] of known) if (pattern.test(text)) return create(error)
  return failure(
    'input_invalid',
    "The image can't be decoded: its data is corrupt, or uses an unsupported feature of the format. Export it again.",
    { cause: error },
  )
}

const known: [RegExp, (cause: unknown) => Fault][] = [
  [
    /exceeds? pixel limit|exceeds limit|too large|too many pixels|out of memory|unable to (malloc|allocate)/i,
    (cause) =>
      failure('limit_exceeded', 'The image exceeds the maximum number of pixels. Use a smaller image.', { cause }),
  ],
  [
    /^timeout:|killed for image/i,
    (cause) => failure('timeout', 'The image operation exceeded the time limit. Use a smaller image.', { cause }),
  ],
  [
    /unsupported image format|empty|unsupported codec|no known loader|bitstream not supported|not supported/i,
    (cause) => failure('input_invalid', 'The file is not an image in a supported format.', { cause }),
  ],
  [
    /premature end|truncat|read error|end of file|unexpected end|not enough data|insufficient/i,
    (cause) => failure('input_invalid', 'The image is corrupt or truncated. Export it again and upload it.', { cause }),
  ],
]
