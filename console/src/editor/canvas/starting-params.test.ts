import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startingParams } from './starting-params.ts'

test('a crop, a canvas and corners start from the size of their image, so that no number has to be typed', () => {
  const start = (id: string) => startingParams({ id, group: 'geometry', params: {}, examples: [] } as never, size)
  const size = { width: 800, height: 603 }
  assert.deepEqual(start('crop'), { x: 80, y: 60, width: 640, height: 483 })
  assert.deepEqual(start('extend'), { top: 60, right: 60, bottom: 60, left: 60 })
  const { corners } = start('perspective') ?? {}
  assert.deepEqual((corners as Record<string, unknown>).bottomRight, { x: 800, y: 603 })
  const gradient = { id: 'gradient', group: 'source', params: { required: ['width', 'from'] }, examples: [] } as never
  assert.deepEqual(startingParams(gradient, size, true), { ...size, from: '#0000', to: '#000b' })
  assert.equal(startingParams({ id: 'crop', group: 'geometry', params: {}, examples: [] } as never), undefined)
})
