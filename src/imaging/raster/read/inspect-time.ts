/** The CPU time that an image may take to decode, so that others don't wait long for it where it is used. */
import { type Fault, failure } from '../../../errors.ts'
import { limits } from '../../../limits.ts'

/** Seconds for the pixels of all frames. */
export function inspectSecondsOf(pixels: number): number {
  const { inspectSeconds, inspectSecondsMin, imagePixelsMax } = limits
  return inspectSecondsMin + (inspectSeconds - inspectSecondsMin) * Math.min(1, pixels / imagePixelsMax)
}

export function tooLongToDecode(): Fault {
  return failure('limit_exceeded', 'The image took too long to decode. Use a smaller image, or export it again.')
}
