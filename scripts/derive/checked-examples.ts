import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { replaceImagePaths } from '../../src/cli/image-paths.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import { catalogue } from '../../src/operations/index.ts'

const folder = new URL('../../examples/workflows/', import.meta.url)

/** SHA-256 of each example that is valid with any settings: it calls no model and uses no other workflow. */
export async function checkedExamples(): Promise<string> {
  const check = createChecker(catalogue)
  const hashes: Record<string, string> = {}
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml'))) {
    const bytes = readFileSync(new URL(file, folder))
    const { slug: _, ...document } = parse(bytes.toString())
    await replaceImagePaths(document, async () => `img_${'0'.repeat(28)}`)
    const { workflow, issues } = check(document)
    if (issues) throw new Error(`${file}: ${JSON.stringify(issues)}`)
    const nodes = [...workflow.nodes.values()]
    if (nodes.some(({ used, operation }) => used || operation.usesModel)) continue
    hashes[file] = createHash('sha256').update(bytes).digest('hex')
  }
  return `${JSON.stringify(hashes, null, 2)}\n`
}
