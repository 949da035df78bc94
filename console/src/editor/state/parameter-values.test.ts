import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { imagesOf, withoutImages } from './parameter-values.ts'

const [one, two] = ['1', '2'].map((digit) => `img_${digit.repeat(28)}`) as [string, string]

describe('images among the values of the run form', () => {
  test('are those of single images and of lists, each once', () => {
    const values = {
      photo: one,
      list: `${one}\n ${two} `,
      url: 'https://example.com/img_1.png',
      text: 'img_',
      width: 7,
    }
    assert.deepEqual(imagesOf(values), [one, two])
    assert.deepEqual(imagesOf({}), [])
  })

  test('can be left out, and all other values stay', () => {
    const values = { photo: one, list: `${one}\n${two}`, text: `about ${one}`, width: 7 }
    assert.deepEqual(withoutImages(values, new Set([one])), { list: two, text: `about ${one}`, width: 7 })
    assert.deepEqual(withoutImages(values, new Set()), values)
  })
})
