import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withMemoryLimit } from './memory-limit.ts'

const header = Buffer.from('0061736d01000000', 'hex')
/** A custom section of 200 bytes, whose length takes two bytes. */
const custom = Buffer.concat([Buffer.from([0, 0xc8, 0x01, 1, 0x78]), Buffer.alloc(198)])

it('a module without a maximum gets one, and other sections stay', () => {
  const module = Buffer.concat([header, custom, Buffer.from([5, 3, 1, 0, 50]), custom])
  const limited = withMemoryLimit(module, 16_384)
  assert.deepEqual(limited, Buffer.concat([header, custom, Buffer.from([5, 6, 1, 1, 50, 0x80, 0x80, 0x01]), custom]))
})

it('a module with a maximum, or without a memory, is an error', () => {
  assert.throws(() => withMemoryLimit(Buffer.concat([header, Buffer.from([5, 4, 1, 1, 1, 2])]), 9), /without a maximum/)
  assert.throws(() => withMemoryLimit(Buffer.concat([header, custom]), 9), /without a maximum/)
})
