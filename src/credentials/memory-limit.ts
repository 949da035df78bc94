/** Limits the memory of a WebAssembly module that declares no maximum. */

const headerBytes = 8
const memorySection = 5

/**
 * The module with a maximum for its memory, in pages of 64 KiB. Without a maximum, it can grow to 4 GiB, and neither Node nor
 * `resourceLimits` of a worker can limit it. Throws an Error if it doesn't define one memory, or has a maximum.
 * Format: https://webassembly.github.io/spec/core/binary/modules.html
 */
export function withMemoryLimit(module: Buffer, pagesMax: number): Buffer {
  for (let at = headerBytes; at < module.length; ) {
    const size = readNumber(module, at + 1)
    const end = size.end + size.value
    if (module[at] === memorySection) {
      const [count, hasMaximum] = [module[size.end], module[size.end + 1]]
      if (count !== 1 || hasMaximum !== 0) break
      const minimum = readNumber(module, size.end + 2)
      const content = Buffer.concat([Buffer.from([1, 1]), leb128(minimum.value), leb128(pagesMax)])
      const section = Buffer.concat([Buffer.from([memorySection]), leb128(content.length), content])
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)])
    }
    at = end
  }
  throw new Error('the module does not define one memory without a maximum')
}

/** An unsigned number in LEB128, and where it ends. */
function readNumber(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0
  for (let at = start, factor = 1; ; at++, factor *= 128) {
    const byte = bytes.readUInt8(at)
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return { value, end: at + 1 }
  }
}

function leb128(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) | 0x80)
  }
}
