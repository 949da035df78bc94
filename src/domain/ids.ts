/** Chance, in one place: ids of records, and the text of API keys and secrets. */
import { randomFillSync, randomInt } from 'node:crypto'

/** Crockford's base32 in lower case: in ASCII order, so that ids sort as their numbers do (as in ULID). */
const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export type IdKind =
  | 'wf'
  | 'exec'
  | 'img'
  | 'font'
  | 'proj'
  | 'acct'
  | 'key'
  | 'skey'
  | 'der'
  | 'req'
  | 'step'
  | 'prev'
  | 'call'
  | 'wrk'
  | 'batch'
  | 'whe'
  | 'whd'
  | 'evt'
  | 'aud'

let lastMs = 0
let countInMs = 0

/**
 * A new id: `img_` + 28 characters. 48 bits of milliseconds, 12 bits that count within one millisecond of this process,
 * 80 random bits: ids sort by creation time and can't be guessed.
 */
export function newId(kind: IdKind, nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs
    countInMs = 0
  } else if (++countInMs === 4096) {
    lastMs += 1
    countInMs = 0
  }
  const head = (BigInt(lastMs) << 12n) | BigInt(countInMs)
  return `${kind}_${encode(head, 12)}${encode(BigInt(`0x${randomHex()}`), 16)}`
}

/** `length` characters of 0-9A-Za-z, each drawn evenly: 5.95 bits a character. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join('')
}

/** Random bytes as base64. */
export function randomBase64(bytes: number): string {
  return randomFillSync(Buffer.alloc(bytes)).toString('base64')
}

/** A random number from 0 to less than 1, drawn evenly, for waits that should not be the same everywhere. */
export function randomFraction(): number {
  return randomInt(2 ** 32) / 2 ** 32
}

const bytesPerId = 10
/** Random bytes for many ids: a call of the generator costs more than the bytes. */
const chance = Buffer.alloc(bytesPerId * 400)
let spent = chance.length

function randomHex(): string {
  if (spent === chance.length) {
    randomFillSync(chance)
    spent = 0
  }
  spent += bytesPerId
  return chance.toString('hex', spent - bytesPerId, spent)
}

function encode(value: bigint, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest >>= 5n) text = base32[Number(rest & 31n)] + text
  return text
}
