/** JSON of clients: of a body, or of a row of a batch. */
import type { Issue } from '../errors.ts'
import { limits } from '../limits.ts'
import { randomFraction } from './ids.ts'

/**
 * The value of a text, or why it has none. Text with too many values or names is not parsed. Deep nesting, which would overflow the stack of recursive
 * functions, and `__proto__` are found before other code uses the value.
 */
export function parseJson(
  text: string,
): { value: unknown; problem?: undefined } | { value?: undefined; problem: Issue } {
  const tooMany = tooManyIn(text)
  if (tooMany !== undefined) return { problem: { path: '', message: `must have at most ${tooMany}` } }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: { path: '', message: `must be valid JSON. ${error instanceof Error ? error.message : ''}` } }
  }
  const problem = structureProblem(value)
  return problem === undefined ? { value } : { problem }
}

function structureProblem(value: unknown): Issue | undefined {
  let level = [value].filter(isObject)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= limits.jsonDepthMax)
      return { path: '', message: `must have at most ${limits.jsonDepthMax} nested levels` }
    const next: object[] = []
    for (const at of level) {
      if (Object.hasOwn(at, '__proto__')) return { path: '__proto__', message: 'is not an allowed name' }
      for (const value of Object.values(at)) if (isObject(value)) next.push(value)
    }
    level = next
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/**
 * Values or names, if there are too many. To parse a megabyte of empty lists takes a hundred times as long as a megabyte of text, and so do tens of thousands of
 * different names. Equal names cost little: rows of a table have them.
 */
function tooManyIn(json: string): string | undefined {
  const { jsonValuesMax, jsonNamesMax } = limits
  if (json.length <= jsonNamesMax) return undefined
  const names = createNameCount()
  let values = 1
  let isText = false
  let hash = 0
  let start = 0
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i)
    if (code === quote) {
      isText = !isText
      if (isText) [hash, start] = [0, i]
    } else if (isText) {
      if (i - start <= hashedCharsMax) hash = mixed(hash, code === backslash ? json.charCodeAt(i + 1) + 65_536 : code)
      if (code === backslash) i += 1
    } else if (code === comma || code === bracket || code === brace) values += 1
    else if (code === colon) names.add(hash)
  }
  if (values > jsonValuesMax) return `${jsonValuesMax.toLocaleString('en')} values`
  if (names.count() > jsonNamesMax) return `${jsonNamesMax.toLocaleString('en')} different names of fields`
  return undefined
}

/** Different for each process, so that no one can choose names with equal hashes. Odd. */
const hashFactor = Math.floor(randomFraction() * 2 ** 31) * 2 + 1

/** Longer names are few: a megabyte has at most `jsonNamesMax` of them. */
const hashedCharsMax = 50

function mixed(hash: number, code: number): number {
  const product = Math.imul(hash ^ code, hashFactor)
  return product ^ (product >>> 15)
}

const hashBits = 20

/** Counts different hashes by the bits that they set: a little too few of many. */
function createNameCount() {
  const bits = new Uint8Array(2 ** (hashBits - 3))
  let count = 0
  return {
    count: () => count,
    add(hash: number) {
      const place = hash >>> (32 - hashBits)
      const [at, bit] = [place >>> 3, 1 << (place & 7)]
      if (((bits[at] as number) & bit) !== 0) return
      bits[at] = (bits[at] as number) | bit
      count += 1
    },
  }
}

const [quote, backslash, comma, bracket, brace, colon] = Buffer.from('"\\,[{:')
