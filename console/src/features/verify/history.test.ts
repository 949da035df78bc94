import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HistoryImage, historyOf, imagesIn } from './history.ts'
import { action, manifest, part, sourceType } from './test-manifests.ts'

const generated = action('created', { ...sourceType('trainedAlgorithmicMedia'), softwareAgent: 'openai/gpt-image-1' })

test('a manifest is a tree of images, and each opened image is before the placed ones', () => {
  const inner = manifest({ ingredients: [part('leaf.png')] })
  const root = historyOf(
    manifest({ title: 'old.png', ingredients: [part('logo.png'), part('photo.jpg', inner, 'parentOf')] }),
    'card.png',
  )
  assert.deepEqual(
    imagesIn(root).map(({ id, title, relationship }) => [id, title, relationship]),
    [
      ['0', 'card.png', undefined],
      ['0.0', 'photo.jpg', 'parentOf'],
      ['0.0.0', 'leaf.png', 'componentOf'],
      ['0.1', 'logo.png', 'componentOf'],
    ],
  )
  assert.equal(root.ingredients[0]?.credentials, inner)
  assert.equal(root.ingredients[1]?.credentials, null)
})

const origins: [name: string, image: HistoryImage, origin: HistoryImage['origin'], models: string[]][] = [
  [
    'no AI model',
    historyOf(manifest({ actions: [action('created', sourceType('digitalCreation'))] }), ''),
    undefined,
    [],
  ],
  [
    'only generated pixels',
    historyOf(manifest({ actions: [generated, action('resized')] }), ''),
    'generated',
    ['openai/gpt-image-1'],
  ],
  [
    'a generated ingredient',
    historyOf(manifest({ ingredients: [part('', manifest({ actions: [generated] }))] }), ''),
    'composite',
    [],
  ],
  [
    'generated pixels on a photo',
    historyOf(manifest({ actions: [generated], ingredients: [part('photo.jpg')] }), ''),
    'composite',
    ['openai/gpt-image-1'],
  ],
  [
    'a synthetic composite of another program',
    historyOf(manifest({ actions: [action('edited', sourceType('compositeSynthetic'))] }), ''),
    'composite',
    [],
  ],
  [
    'a program without AI',
    historyOf(manifest({ actions: [action('edited', { softwareAgent: 'Editor 2.0' })] }), ''),
    undefined,
    [],
  ],
]
for (const [name, image, origin, models] of origins)
  test(`origin and models of ${name}`, () => assert.deepEqual([image.origin, image.models], [origin, models]))
