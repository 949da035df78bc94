/**
 * Usage: node scripts/glyph-coverage.ts
 *
 * Writes the list of the characters that the bundled fonts have, for warnings of missing ones. Run it after a change of a font
 * package: src/imaging/vector/missing-glyphs.test.ts compares the versions in the list with those of the packages. It takes
 * about ten seconds, so it is not a part of `npm run derive`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { formatCoverage } from '../src/imaging/vector/coverage.ts'
import { charactersOf } from '../src/imaging/vector/font-characters.ts'
import { packagedFiles } from '../src/imaging/vector/packaged-fonts.ts'

const covered = new Set<number>()
const packages = new Set<string>()
for (const { path, fontPackage, declares } of await packagedFiles()) {
  packages.add(fontPackage)
  for (const codePoint of charactersOf(await readFile(path))) if (declares(codePoint)) covered.add(codePoint)
}
const comments = ['Derived by scripts/glyph-coverage.ts from:', ...[...packages].sort()].map((line) => `# ${line}\n`)
const file = new URL('../src/imaging/vector/glyph-coverage.txt', import.meta.url)
await writeFile(file, `${comments.join('')}${formatCoverage(covered)}`)
process.stdout.write(`${covered.size} characters\n`)
