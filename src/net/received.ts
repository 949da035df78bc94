/**
 * Limits on the work of a response. The parser takes about a microsecond for each piece of a body, for each informational response, and for some hundred
 * bytes of anything else, and hostile hosts send nothing but these.
 */
import type { Socket } from 'node:net'
import { limits } from '../limits.ts'

export class BodyTooLarge extends Error {
  constructor() {
    super('the body is larger than allowed')
    this.name = 'BodyTooLarge'
  }
}

/** Far more pieces, informational responses or bytes than the body needs. */
export class ResponseWasteful extends Error {
  constructor() {
    super('the response has far more bytes or pieces than its body needs')
    this.name = 'ResponseWasteful'
  }
}

/** Headers, informational responses and what arrives after the body. */
const otherBytesMax = 262_144
/** Overhead of the smallest pieces is 3 %. */
const overhead = 1 / 16
/**
 * Maximum of a part that is parsed in one piece. The parser doesn't stop at the line that makes the headers or trailers
 * too long, and each further line takes up to 0.1 ms.
 */
const partBytesMax = 16_384
const partLinesMax = 64
const newline = 10

/**
 * Passes on what the socket receives in small parts. Closes the connection if that is far more than a body of `bytesMax` needs, such as endless
 * white space, trailers or extensions of chunks.
 */
export function limitReceived(socket: Socket, bytesMax: number): void {
  const receivedMax = bytesMax * (1 + overhead) + otherBytesMax
  const push = socket.push.bind(socket)
  /** Null: the end. */
  const waiting: (Buffer | null)[] = []
  let isPassing = false
  let received = 0

  function passNext(): void {
    const part = waiting.shift()
    isPassing = part !== undefined && !socket.destroyed
    if (part === undefined || socket.destroyed) return
    push(part)
    // As Node does at the end of a connection: `end` is emitted although no more is read.
    if (part === null) socket.read(0)
    process.nextTick(passNext)
  }

  socket.push = (chunk: Buffer | null) => {
    received += chunk?.length ?? 0
    if (received > receivedMax) {
      socket.destroy(new ResponseWasteful())
      return false
    }
    waiting.push(...(chunk === null ? [null] : partsOf(chunk)))
    if (!isPassing) {
      isPassing = true
      process.nextTick(passNext)
    }
    return false
  }

  // Otherwise parts that wait would fill the memory.
  const readMore = socket._read.bind(socket)
  socket._read = (size) => {
    if (waiting.length === 0) readMore(size)
  }
}

function partsOf(chunk: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  while (start < chunk.length) {
    let end = Math.min(start + partBytesMax, chunk.length)
    let lines = 0
    for (let at = chunk.indexOf(newline, start); at >= 0 && at < end; at = chunk.indexOf(newline, at + 1)) {
      lines += 1
      if (lines === partLinesMax) end = at + 1
    }
    parts.push(chunk.subarray(start, end))
    start = end
  }
  return parts
}

/** Counts informational responses. Returns an error for one too many. */
export function createInformational(): () => Error | undefined {
  let count = 0
  return () => {
    count += 1
    return count > limits.informationalResponsesMax ? new ResponseWasteful() : undefined
  }
}

/** Receives the body of one response, at most `bytesMax` bytes. */
export function createBody(bytesMax: number, bytesExpected: number) {
  const collector = createCollector(bytesMax, bytesExpected)
  let pieces = 0
  let bytes = 0
  return {
    /** Returns an error if the piece is not accepted. */
    add(piece: Uint8Array): Error | undefined {
      pieces += 1
      bytes += piece.length
      if (pieces > limits.receivedChunksMax && bytes < pieces * limits.receivedChunkBytesMin)
        return new ResponseWasteful()
      return collector.add(piece) ? undefined : new BodyTooLarge()
    },
    /** Adds as many of these bytes as are still accepted. */
    addSome(piece: Uint8Array): void {
      collector.add(piece.subarray(0, bytesMax - collector.bytes().length))
    },
    bytes: collector.bytes,
  }
}

/** A larger body has the memory of the largest one. Pages that are never written take none, and a copy of many megabytes takes some milliseconds. */
const copiedBytesMax = 1_048_576

/**
 * A body that comes in pieces, bounded. They are copied into one growing buffer: keeping them would cost a hundred bytes of
 * memory per byte sent one by one.
 */
function createCollector(bytesMax: number, bytesExpected: number) {
  let buffer = Buffer.allocUnsafeSlow(bytesExpected)
  let length = 0
  return {
    /** False when that would be too much. */
    add(chunk: Uint8Array): boolean {
      const needed = length + chunk.length
      if (needed > bytesMax) return false
      if (needed > buffer.length) {
        const size =
          needed > copiedBytesMax ? bytesMax : Math.min(bytesMax, Math.max(needed, buffer.length * 2, 65_536))
        const grown = Buffer.allocUnsafeSlow(size)
        buffer.copy(grown, 0, 0, length)
        buffer = grown
      }
      buffer.set(chunk, length)
      length = needed
      return true
    },
    bytes: () => buffer.subarray(0, length),
  }
}
