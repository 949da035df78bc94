/**
 * East Asian fonts, with thousands of glyphs in a hundred files each. The canvas tries all families of a text in their order for each part of
 * it, which takes milliseconds with hundreds of them. So the characters of these fonts are measured and drawn with only the families that have them.
 */
import { hasDirection, visualOrder } from './bidi.ts'

const large = '\\u2e80-\\u9fff\\uac00-\\ud7a3\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const one = new RegExp(`[${large}]`, 'u')
const each = new RegExp(`[${large}]`, 'gu')
/** A character with its marks, or other text. */
const parts = new RegExp(`[${large}]\\p{M}*|[^${large}]+`, 'gu')

/** The different large characters of a text. */
export function largeIn(text: string): Set<string> {
  return new Set(text.match(each))
}

export function countLarge(text: string): number {
  return text.match(each)?.length ?? 0
}

/** Characters of large fonts with their marks, and the texts between them. */
export function partsOf(text: string): { text: string; isLarge: boolean }[] {
  return Array.from(text.match(parts) ?? [], (part) => ({ text: part, isLarge: one.test(part) }))
}

/** Names of families for a canvas font list, best first. */
export interface Families {
  /** Names of fonts for all characters, or, if there is a function, for those that are not large. */
  names: string[]
  /** Names of fonts for a large character with its marks. */
  namesOfLarge?: ((part: string) => string[]) | undefined
}

/** More take measurably longer than a part for each character. */
const familiesMax = 8

/** `covered` are the characters that a family is for; undefined for those of any other script. The first one defines the line. */
export function familiesOf(faces: { name: string; covered?: number[] | undefined }[]): Families {
  if (faces.length <= familiesMax) return { names: faces.map(({ name }) => name) }
  const namesOf = new Map<string, string[]>()
  const names = faces.flatMap(({ name, covered }, index) => {
    let isForOthers = index === 0 || covered === undefined
    for (const codePoint of covered ?? []) {
      const char = String.fromCodePoint(codePoint)
      if (!one.test(char)) isForOthers = true
      else namesOf.set(char, [...(namesOf.get(char) ?? []), name])
    }
    return isForOthers ? [name] : []
  })
  /** The same array for all characters with the same families. */
  const lists = new Map<string, string[]>()
  return {
    names,
    namesOfLarge(part) {
      const own = Array.from(part, (char) => namesOf.get(char) ?? [])
      const all = [...new Set([...own.flat(), ...(own.every((list) => list.length > 0) ? [] : names)])]
      const list = lists.get(all.join()) ?? all
      lists.set(list.join(), list)
      return list
    },
  }
}

/** The same, and another family before them. */
export function after(first: string, { names, namesOfLarge }: Families): Families {
  return {
    names: [first, ...names],
    namesOfLarge: namesOfLarge && ((part) => [first, ...namesOfLarge(part)]),
  }
}

/** Drawn in one call. */
export interface Span {
  text: string
  names: string[]
  rightToLeft: boolean
}

/** Text from left to right in spans, each with few families. Large characters are one span each: they have no kerning. */
export function spansOf(text: string, { names, namesOfLarge }: Families, rightToLeft = false): Span[] {
  if (namesOfLarge === undefined || !one.test(text)) return [{ text, names, rightToLeft }]
  const runs = partsOf(text).map(({ text, isLarge }) => ({ text, style: isLarge ? namesOfLarge(text) : names }))
  const inOrder = rightToLeft || hasDirection.test(text) ? visualOrder(runs, rightToLeft) : runs
  return inOrder.map((run) => ({ rightToLeft, ...run, names: run.style }))
}
