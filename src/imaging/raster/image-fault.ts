/** Maps the plain text errors of libvips to faults for the caller. */
import { Fault, failure } from '../../errors.ts'

export function imageFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const text = error instanceof Error ? error.message : String(error)
  for (const [pattern, create] of known) if (pattern.test(text)) return create(error)
  return failure(
    'input_invalid',
    'The image could not be read: its data are damaged, or of a kind that is not supported.',
    { cause: error },
  )
}

const known: [RegExp, (cause: unknown) => Fault][] = [
  [
    /exceeds? pixel limit|exceeds limit|too large|too many pixels|out of memory|unable to (malloc|allocate)/i,
    (cause) => failure('limit_exceeded', 'The image has more pixels than are allowed.', { cause }),
  ],
  [/^timeout:|killed for image/i, (cause) => failure('timeout', 'The image work ran past the deadline.', { cause })],
  [
    /unsupported image format|empty|unsupported codec|no known loader|bitstream not supported|not supported/i,
    (cause) => failure('input_invalid', 'This is not an image of a format that is read here.', { cause }),
  ],
  [
    /premature end|truncat|read error|end of file|unexpected end|not enough data|insufficient/i,
    (cause) => failure('input_invalid', 'The image is damaged: its data end too early or do not add up.', { cause }),
  ],
]
