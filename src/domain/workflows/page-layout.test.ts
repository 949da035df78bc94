import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutPage } from './page-layout.ts'

const rounded = (value: object) =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'number' ? Math.round(each) : each))

test('without a page size, the page is the image at the density, and the margin around it', () => {
  assert.deepEqual(rounded(layoutPage({}, { width: 600, height: 300 })), {
    ...{ width: 144, height: 72, pixels: { width: 600, height: 300 } },
    ...{ image: { x: 0, y: 0, width: 144, height: 72 }, imagePixels: 600 },
  })
  const inch = layoutPage({ density: 100, margin: 25.4 }, { width: 200, height: 100 })
  assert.deepEqual(rounded(inch), {
    ...{ width: 288, height: 216, pixels: { width: 400, height: 300 } },
    ...{ image: { x: 72, y: 72, width: 144, height: 72 }, imagePixels: 200 },
  })
})

test('the image is centred on the page, as large as fits inside the margin', () => {
  const page = layoutPage({ pageSize: 'A4', margin: 10, density: 300 }, { width: 400, height: 400 })
  assert.deepEqual(rounded(page), {
    ...{ width: 595, height: 842, pixels: { width: 2_480, height: 3_508 } },
    ...{ image: { x: 28, y: 152, width: 539, height: 539 }, imagePixels: 2_244 },
  })
})

test('a page turns to its image, unless the orientation is set; an own size stays as it is', () => {
  const [wide, high] = [
    { width: 300, height: 200 },
    { width: 200, height: 300 },
  ]
  const sizeOf = (...[settings, image]: Parameters<typeof layoutPage>) => {
    const { width, height } = rounded(layoutPage(settings, image))
    return [width, height]
  }
  assert.deepEqual(sizeOf({ pageSize: 'Letter' }, wide), [792, 612])
  assert.deepEqual(sizeOf({ pageSize: 'Letter' }, high), [612, 792])
  assert.deepEqual(sizeOf({ pageSize: 'Letter', orientation: 'portrait' }, wide), [612, 792])
  assert.deepEqual(sizeOf({ pageSize: 'Letter', orientation: 'landscape' }, high), [792, 612])
  assert.deepEqual(sizeOf({ pageWidth: 25.4, pageHeight: 50.8 }, wide), [72, 144])
})
