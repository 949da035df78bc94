import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanFileName } from './images.ts'

describe("an uploaded file's own name", () => {
  for (const [given, kept] of [
    ['photo.jpg', 'photo.jpg'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\photo.jpg', 'photo.jpg'],
    ['a\r\nSet-Cookie: x=1.png', 'aSet-Cookie: x=1.png'],
    ['фото \u202egnp.exe', 'фото gnp.exe'],
    ['..', ''],
    ['', ''],
  ] as const) {
    it(`${JSON.stringify(given)} is kept as ${JSON.stringify(kept)}`, () => assert.equal(cleanFileName(given), kept))
  }
  it('is cut to the length of a name', () => assert.equal(cleanFileName('x'.repeat(1_000)).length, 255))
})
