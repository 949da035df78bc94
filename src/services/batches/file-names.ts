/** Names of files in an archive, which are valid on every system and differ also without regard to case. */

/** Reserved by Windows, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
/** Most file systems accept 255 bytes, with the number and the extension. */
const bytesMax = 200

/** `taken`: names of other files. `row` makes a name unique that another key has already. */
export function createFileNames(taken: readonly string[]): (key: string, extension: string, row: number) => string {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  return (key, extension, row) => {
    const base = cleaned(key)
    const name = [`${base}.${extension}`, `${base}-${row}.${extension}`, `row-${row}-${base}.${extension}`].find(
      (candidate) => !used.has(candidate.toLowerCase()),
    )
    let unique = name ?? `row-${row}.${extension}`
    // The names of many outputs can be cut off.
    for (let i = 2; used.has(unique.toLowerCase()); i++) unique = `row-${row}-${i}.${extension}`
    used.add(unique.toLowerCase())
    return unique
  }
}

function cleaned(key: string): string {
  const bytes = Buffer.from(key.normalize('NFC').replaceAll(/[\p{C}<>:"/\\|?*]/gu, '_'))
  const text = bytes.subarray(0, bytesMax).toString()
  // The end of the last character may be cut off.
  const whole = bytes.length > bytesMax ? text.replace(/\ufffd$/u, '') : text
  const name = whole.replace(/^[.\s]+|[.\s]+$/gu, '_')
  return reserved.test(name) ? `_${name}` : name
}
