/** Smart crops of labelled photos. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noModels } from '../../src/local-models/test-models.ts'
import { areaOf, areaOfBox, keptShare, labels } from './crops.ts'

test('a crop of two dogs shows both, or one dog if the area is too low for two', async () => {
  const dogs = labels['dogs.jpg']?.subjects ?? []
  const square = await areaOf('dogs.jpg', { width: 500, height: 500, strategy: 'subject' })
  assert.ok(keptShare(dogs, square) > 0.95, `${square}`)
  const low = await areaOf('dogs.jpg', { width: 1500, height: 500, strategy: 'subject' })
  assert.ok(Math.max(...dogs.map((dog) => keptShare([dog], low))) > 0.9, `${low}`)
})

test('an avatar of one person shows the face, not the body', { skip: noModels }, async () => {
  for (const photo of ['astronaut.jpg', 'didgeridoo.jpg']) {
    const [face] = labels[photo]?.faces ?? []
    assert.ok(face)
    const area = await areaOf(photo, { width: 88, height: 88, strategy: 'faces' })
    assert.equal(keptShare([face], area), 1)
    const share = areaOfBox(face) / areaOfBox(area)
    assert.ok(share > 0.15 && share < 0.5, `${photo}: ${share}`)
    const wider = await areaOf(photo, { width: 88, height: 88, strategy: 'faces', margin: 1.2 })
    assert.ok(areaOfBox(wider) > 1.4 * areaOfBox(area))
  }
})

test('a wide crop of a group shows all faces', { skip: noModels }, async () => {
  for (const photo of ['mariachi.jpg', 'musicians.jpg']) {
    const { faces = [] } = labels[photo] ?? {}
    const area = await areaOf(photo, { width: 360, height: 120, strategy: 'faces' })
    assert.ok(keptShare(faces, area) > 0.9, photo)
  }
})
