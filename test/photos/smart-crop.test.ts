/** Smart crops of labelled photos keep more of the subjects than `attention`, the measure of libvips. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { stopModels } from '../../src/local-models/runner.ts'
import { noModels } from '../../src/local-models/test-models.ts'
import { areaOf, areaOfBox, keptShare, labels, mean, measurePhotos, type Row, sizes, tableOf } from './crops.ts'

after(stopModels)

test('subject keeps more of subjects and heads than attention, also of photos that its constants were chosen without', async (t) => {
  const rows = await measurePhotos()
  const table = tableOf(rows)
  t.diagnostic(`share of the labelled boxes that is kept:\n${table}`)
  const photos = Object.keys(labels)
  assert.ok(photos.length >= 20)
  assert.ok(photos.filter((photo) => labels[photo]?.heldOut).length >= 8)
  for (const heldOut of [false, true]) {
    const part = rows.filter((row) => row.heldOut === heldOut)
    assert.ok(gainOf(part) > 0.05, table)
    const heads = part.flatMap((row) => row.heads ?? [])
    assert.ok(mean(heads.map(({ subject, attention }) => subject - attention)) > 0.03, table)
  }
  for (const { name } of sizes) assert.ok(gainOf(rows.filter(({ size }) => size === name)) > 0.03, `${name}\n${table}`)
  const losses = photos.filter((photo) => gainOf(rows.filter((row) => row.photo === photo)) < -0.01)
  assert.ok(losses.length <= photos.length / 5, `${losses}`)
  for (const photo of losses) assert.ok(gainOf(rows.filter((row) => row.photo === photo)) > -0.12, photo)
})

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

function gainOf(rows: readonly Row[]): number {
  return mean(rows.map(({ kept }) => kept.subject - kept.attention))
}
