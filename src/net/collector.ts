/** A larger body has the memory of the largest one. Pages that are never written take none, and a copy of many megabytes takes some milliseconds. */
const copiedBytesMax = 1_048_576

/**
 * A body that comes in pieces, bounded. They are copied into one growing buffer: keeping them would cost a hundred bytes of
 * memory per byte sent one by one.
 */
export function createCollector(bytesMax: number, bytesExpected: number) {
  let buffer = Buffer.allocUnsafeSlow(bytesExpected)
  let length = 0
  return {
    /** False when that would be too much. */
    add(chunk: Uint8Array): boolean {
      const needed = length + chunk.length
      if (needed > bytesMax) return false
      if (needed > buffer.length) {
        const size =
          needed > copiedBytesMax ? bytesMax : Math.min(bytesMax, Math.max(needed, buffer.length * 2, 65_536))
        const grown = Buffer.allocUnsafeSlow(size)
        buffer.copy(grown, 0, 0, length)
        buffer = grown
      }
      buffer.set(chunk, length)
      length = needed
      return true
    },
    bytes: () => buffer.subarray(0, length),
  }
}
