import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { didYouMean, similarNames } from './suggest.ts'

const operations = ['blur', 'crop', 'grid', 'remove-background', 'resize', 'smart-crop', 'text', 'trim']

describe('suggestions for a mistyped name', () => {
  it('suggests the name with the fewest edits', () => {
    assert.deepEqual(similarNames('crp', operations), ['crop'])
    assert.deepEqual(similarNames('reszie', operations), ['resize'])
    assert.deepEqual(similarNames('remove_backgroud', operations), ['remove-background'])
  })

  it('counts two swapped characters as one edit', () => {
    assert.deepEqual(similarNames('widht', ['width', 'height', 'color']), ['width'])
    assert.deepEqual(similarNames('corp', operations), ['crop'])
    assert.deepEqual(similarNames('htiwd', ['width']), [])
  })

  it('ignores case and separators', () => {
    assert.deepEqual(similarNames('removeBackground', operations), ['remove-background'])
    assert.deepEqual(similarNames('aspect_ratio', ['aspect', 'aspectRatio']), ['aspectRatio'])
  })

  it('suggests a name that contains the mistyped one, or is contained in it', () => {
    assert.deepEqual(similarNames('background', operations), ['remove-background'])
    assert.deepEqual(similarNames('gaussian-blur', operations), ['blur'])
  })

  it('suggests nothing for a name that is close to no known one', () => {
    for (const name of ['', 'x', 'sharpen-all', 'constructor', '日本'])
      assert.deepEqual(similarNames(name, operations), [])
    assert.deepEqual(similarNames('crop', []), [])
  })

  it('suggests at most three names, all equally close', () => {
    assert.deepEqual(similarNames('node1', ['node2', 'node3', 'node4', 'node5', 'mode22']), ['node2', 'node3', 'node4'])
  })

  it('is written as a question', () => {
    assert.equal(didYouMean('crp', operations), 'Did you mean "crop"?')
    assert.equal(didYouMean('node1', ['node2', 'node3']), 'Did you mean "node2" or "node3"?')
    assert.equal(didYouMean('node1', ['node2', 'node3', 'node4']), 'Did you mean "node2", "node3" or "node4"?')
    assert.equal(didYouMean('xyz', operations), '')
  })

  it('reads only a bounded number of known names, and compares no long ones', () => {
    let read = 0
    function* endless() {
      for (;;) {
        read += 1
        yield `name${read}`
      }
    }
    assert.deepEqual(similarNames('zzzzzzzz', endless()), [])
    assert.ok(read < 10_000)
    assert.deepEqual(similarNames('crop'.repeat(25_000), operations), [])
    assert.deepEqual(similarNames('crop', ['crop'.repeat(25_000)]), [])
  })
})
