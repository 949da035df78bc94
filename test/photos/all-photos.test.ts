/** Smart crops of labelled photos keep more of the subjects than `attention`, the measure of libvips. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labels, mean, measurePhotos, type Row, sizes, tableOf } from './crops.ts'

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

function gainOf(rows: readonly Row[]): number {
  return mean(rows.map(({ kept }) => kept.subject - kept.attention))
}
