/** The documents that the console offers for a new workflow. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { WorkflowDocument } from '../../console/src/api/workflow-document.ts'
import { categories } from '../../console/src/features/gallery/templates/categories.ts'
import { takesPhoto, withPhoto } from '../../console/src/features/gallery/templates/photo.ts'
import { readWorkflow } from '../../src/cli/workflow-files.ts'
import { createChecker } from '../../src/engine/check/check.ts'
import { catalogue } from '../../src/operations/index.ts'

const folder = new URL('../../examples/workflows/', import.meta.url)
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.yaml') ? file.slice(0, -5) : []))
const documents = new Map(
  await Promise.all(
    names.map(async (name) => {
      const { document } = await readWorkflow(fileURLToPath(new URL(`${name}.yaml`, folder)))
      return [name, document as WorkflowDocument] as const
    }),
  ),
)
const read = (name: string) => documents.get(name) ?? assert.fail(name)
const check = createChecker(catalogue)
const photo = 'img_06h24df0d800x6v5f4n6q1dz0g12'

test('every example is a template of one category', () => {
  assert.deepEqual(Object.values(categories).flat().toSorted(), names.toSorted())
})

test('every template can be published unchanged, with and without a photo', () => {
  for (const name of names) {
    for (const imageId of [undefined, photo]) {
      const document = withPhoto(read(name), imageId)
      const { workflow, issues } = check(document)
      assert.equal(issues, undefined, `${name}: ${JSON.stringify(issues)}`)
      assert.ok(workflow, name)
      assert.equal(JSON.stringify(document).includes('../'), false, name)
    }
  }
})

test('a photo replaces the sample photos of a template, and only them', () => {
  const template = read('link-preview-card')
  assert.equal(takesPhoto(template), true)
  assert.equal(takesPhoto(read('quote-card')), false)
  const { parameters = [] } = withPhoto(template, photo)
  const before = template.parameters ?? []
  assert.equal(parameters.find(({ name }) => name === 'photo')?.default, photo)
  assert.deepEqual(
    parameters.filter(({ name }) => name !== 'photo'),
    before.filter(({ name }) => name !== 'photo'),
  )
  const without = withPhoto(template, undefined).parameters?.find(({ name }) => name === 'photo')
  assert.deepEqual([without?.default, without?.required], [undefined, true])
})
