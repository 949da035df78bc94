/** Names of files in an archive, which are valid on every system and differ also without regard to case. */

/** Reserved by Windows, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const charsMax = 150

/** `taken`: names of other files. `row` makes a name unique that another key has already. */
export function createFileNames(taken: readonly string[]): (key: string, extension: string, row: number) => string {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  return (key, extension, row) => {
    const base = cleaned(key)
    const name = [`${base}.${extension}`, `${base}-${row}.${extension}`, `row-${row}-${base}.${extension}`].find(
      (candidate) => !used.has(candidate.toLowerCase()),
    )
    const unique = name ?? `row-${row}.${extension}`
    used.add(unique.toLowerCase())
    return unique
  }
}

function cleaned(key: string): string {
  const text = key
    .normalize('NFC')
    .replaceAll(/[\p{C}<>:"/\\|?*]/gu, '_')
    .slice(0, charsMax)
    .replace(/^[.\s]+|[.\s]+$/gu, '_')
  const name = text.isWellFormed() ? text : text.toWellFormed()
  return reserved.test(name) ? `_${name}` : name
}
