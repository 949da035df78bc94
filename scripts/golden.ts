/**
 * Usage: npm run golden -- --update <operation>...
 * npm run golden -- --update all
 *
 * Renders the golden images of the named operations again from their examples. Look at them before you commit them.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { fileOf, goldens, render, toPng } from '../test/golden/render.ts'
import { writeOperationPictures } from './operation-pictures.ts'

const { values, positionals } = parseArgs({ options: { update: { type: 'boolean' } }, allowPositionals: true })
const operationIds = new Set(goldens().map(({ operation }) => operation.id))
const selected = new Set(positionals.includes('all') ? operationIds : positionals)
const unknown = [...selected].filter((id) => !operationIds.has(id))

if (!values.update || selected.size === 0 || unknown.length > 0) {
  process.stderr.write(
    unknown.length > 0
      ? `Unknown operation: ${unknown.join(', ')}. There are: ${[...operationIds].join(', ')}\n`
      : 'Usage: npm run golden -- --update <operation>...   (or: --update all)\n',
  )
  process.exit(2)
}

for (const id of selected) await rm(new URL(`../test/golden/${id}/`, import.meta.url), { recursive: true, force: true })
for (const golden of goldens()) {
  if (!selected.has(golden.operation.id)) continue
  const file = fileOf(golden.name)
  await mkdir(new URL('.', file), { recursive: true })
  await writeFile(file, await toPng(await render(golden)))
  process.stdout.write(`test/golden/${golden.name}.png\n`)
}
await writeOperationPictures()
