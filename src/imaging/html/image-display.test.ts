import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'css-tree/dist/csstree.esm'
import { imageDisplay, imageRulesOf } from './image-display.ts'

const names = (own: string[], outer: string[] = []) => ({ own: new Set(['img', ...own]), outer: new Set(outer) })
const displayIn = (css: string, image: ReturnType<typeof names>) =>
  imageDisplay(image, imageRulesOf(parse(css)), undefined)

test('a rule changes only images that it may select', () => {
  assert.equal(displayIn('img{height:100%}', names([])), 'block')
  assert.equal(displayIn('.hero img{height:100%}', names([], ['body', '.hero'])), 'block')
  assert.equal(displayIn('.hero img{height:100%}', names([], ['body', '.other'])), 'inline')
  assert.equal(displayIn('.hero > .photo{filter:blur(1px)}', names(['.photo'], ['.hero'])), 'inline-block')
  assert.equal(displayIn('.hero > .photo{filter:blur(1px)}', names(['.logo'], ['.hero'])), 'inline')
  assert.equal(displayIn('h1 + img{height:100%}', names([], ['body'])), 'block')
})
