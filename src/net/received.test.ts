import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limitReceived } from './received.ts'

/** A socket whose data is pushed by the test, and the parts that its reader gets. */
function received(bytesMax: number, read = () => {}) {
  const socket = new Readable({ read }) as unknown as Socket
  socket.on('error', () => {})
  limitReceived(socket, bytesMax)
  const parts: Buffer[] = []
  socket.on('readable', () => {
    for (let part = socket.read(); part !== null; part = socket.read()) parts.push(part)
  })
  return { socket, parts, ended: new Promise((resolve) => socket.on('end', resolve)) }
}

const linesOf = (part: Buffer) => part.filter((byte) => byte === 10).length

test('everything arrives in order, and the end after it', async () => {
  const { socket, parts, ended } = received(1_000_000)
  const sent = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251))
  for (let at = 0; at < sent.length; at += 50_000) socket.push(sent.subarray(at, at + 50_000))
  socket.push(null)
  await ended
  assert.ok(Buffer.concat(parts).equals(sent))
})

test('lines are read in small parts, because the parser does not stop inside one', async () => {
  const { socket, parts, ended } = received(1_000_000)
  socket.push(Buffer.from('a: b\r\n'.repeat(10_000)))
  socket.push(null)
  await ended
  assert.ok(Math.max(...parts.map(linesOf)) <= 64)
  assert.equal(Buffer.concat(parts).length, 60_000)
})

test('a connection that is destroyed is not read any more', async () => {
  const { socket, parts } = received(1_000_000)
  socket.once('readable', () => socket.destroy())
  socket.push(Buffer.from('a: b\r\n'.repeat(10_000)))
  await new Promise((resolve) => socket.on('close', resolve))
  await nextTurn()
  assert.ok(linesOf(Buffer.concat(parts)) <= 64)
})

test('no more is read from the network until all parts were read', async () => {
  const readsBefore: number[] = []
  const { socket, parts, ended } = received(1_000_000, () => readsBefore.push(Buffer.concat(parts).length))
  await nextTurn()
  socket.push(Buffer.from('a: b\r\n'.repeat(10_000)))
  socket.push(Buffer.from('a: b\r\n'.repeat(10_000)))
  while (Buffer.concat(parts).length < 120_000) await nextTurn()
  socket.push(null)
  await ended
  assert.ok(readsBefore.length >= 2, String(readsBefore))
  assert.ok(
    readsBefore.every((bytes) => bytes === 0 || bytes >= 120_000 - 384),
    String(readsBefore),
  )
})
