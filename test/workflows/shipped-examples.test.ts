/** The workflows that the first start creates. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { isOfRelease } from '../../src/app/first-start.ts'
import { replaceImagePaths } from '../../src/cli/image-paths.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import type { CheckedWorkflow } from '../../src/engine/check/checked-workflow.ts'
import { planExecution } from '../../src/engine/plan/plan.ts'
import { catalogue } from '../../src/operations/index.ts'

const folder = new URL('../../examples/workflows/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
const check = createChecker(catalogue)

/** Nodes with model calls of an execution. */
async function askingNodes(file: string, parameters: Record<string, unknown> = {}): Promise<string[]> {
  const { slug: _, ...document } = parse(readFileSync(new URL(file, folder), 'utf8'))
  await replaceImagePaths(document, async () => `img_${'0'.repeat(28)}`)
  const { workflow, issues } = check(document)
  assert.equal(issues, undefined, `${file}: ${JSON.stringify(issues)}`)
  const { plan, issues: wrong } = planExecution(workflow as CheckedWorkflow, parameters)
  assert.equal(wrong, undefined, `${file}: ${JSON.stringify(wrong)}`)
  const run = plan?.steps.filter(({ action }) => action === 'run' || action === 'decide') ?? []
  return run.filter(({ node }) => node.operation.usesModel !== undefined).map(({ node }) => node.id)
}

test('every example can be executed unchanged, without a model call', async () => {
  assert.ok(files.length >= 16, `found ${files.length}`)
  for (const file of files) assert.deepEqual(await askingNodes(file), [], file)
})

test('examples with models call them if a parameter requests it', async () => {
  const painted = await askingNodes('product-scene.yaml', { scene: 'wet slate', cutter: 'selfie' })
  assert.deepEqual(painted.sort(), ['cut', 'painted'])
  assert.deepEqual((await askingNodes('social-card.yaml', { caption: '' })).sort(), ['seen', 'words'])
})

test('the first start stores an example of the release without a check as it would store it with one', async () => {
  const recorded = files.filter((file) => isOfRelease(file, readFileSync(new URL(file, folder))))
  assert.ok(recorded.length >= 15, `found ${recorded.length}`)
  for (const file of recorded) {
    const { slug: _, ...document } = parse(readFileSync(new URL(file, folder), 'utf8'))
    await replaceImagePaths(document, async () => `img_${'0'.repeat(28)}`)
    assert.deepEqual(check(document).workflow?.document, document, file)
  }
})

test('the first start checks an example that differs from the release, and one whose check depends on the settings', () => {
  const read = (file: string) => readFileSync(new URL(file, folder))
  assert.equal(isOfRelease('meme.yaml', read('meme.yaml')), true)
  assert.equal(isOfRelease('meme.yaml', Buffer.concat([read('meme.yaml'), Buffer.from('\n')])), false)
  assert.equal(isOfRelease('another.yaml', read('meme.yaml')), false)
  assert.equal(isOfRelease('product-scene.yaml', read('product-scene.yaml')), false)
})

test('every example has a section in the guide', () => {
  const guide = readFileSync(new URL('../../docs/guide/examples.md', import.meta.url), 'utf8')
  for (const file of files) assert.ok(guide.includes(`(../../examples/workflows/${file})`), file)
})
