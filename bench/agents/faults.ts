/**
 * Documents with one seeded fault each. A kind finds the places of a document where it can occur, and spoils one of them.
 * The repair gets none of this: it reads the answer of the validation alone.
 */
import type { TSchema } from 'typebox'
import { catalogue } from '../../src/operations/index.ts'
import { type Document, edited, setAt, textsIn, valueAt } from './document.ts'

export interface Fault {
  kind: string
  original: Document
  document: Document
  /** The path of a value that was lost: any valid value there is right. Without it, only the original is. */
  lost?: string[]
}

/** Returns a number from 0 to below 1. */
export type Random = () => number

/** A linear congruential generator (Numerical Recipes), so that each run has the same faults. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Spoiled = Omit<Fault, 'kind' | 'original'>
type Kind = (document: Document, random: Random) => Spoiled[]

interface Node {
  type: string
  inputs?: Record<string, string | string[]>
  params?: Record<string, unknown>
}

/** One fault of a kind in a document; undefined if the document has no place for it. */
export function seed(kind: string, original: Document, random: Random): Fault | undefined {
  const places = kinds[kind]?.(original, random) ?? []
  const spoiled = places[Math.floor(random() * places.length)]
  return spoiled && { kind, original, ...spoiled }
}

const value = (original: Document, keys: string[], next: unknown): Spoiled => {
  const document = structuredClone(original)
  setAt(document, keys, next)
  return { document }
}
const lost = (spoiled: Spoiled, keys: string[]): Spoiled => ({ ...spoiled, lost: keys })
const renamed = (original: Document, keys: string[], name: string): Spoiled => {
  const holder = valueAt(original, keys.slice(0, -1)) as Document
  const entries = Object.entries(holder).map(([key, each]): [string, unknown] => [
    key === keys.at(-1) ? name : key,
    each,
  ])
  if (keys.length === 1) return { document: Object.fromEntries(entries) }
  return value(original, keys.slice(0, -1), Object.fromEntries(entries))
}

const nodesOf = (document: Document) => Object.entries(document.nodes as Record<string, Node>)
const declarationsOf = (document: Document) => (document.parameters ?? []) as Record<string, unknown>[]

interface Param {
  keys: string[]
  value: unknown
  schema: TSchema & { enum?: string[]; minimum?: number; maximum?: number; type?: string; format?: string }
  isRequired: boolean
}

function* paramsOf(document: Document): Generator<Param> {
  for (const [id, { type, params = {} }] of nodesOf(document)) {
    const { properties = {}, required = [] } = (catalogue.get(type)?.params ?? {}) as {
      properties?: Record<string, TSchema>
      required?: string[]
    }
    for (const [name, each] of Object.entries(params))
      yield {
        keys: ['nodes', id, 'params', name],
        value: each,
        schema: properties[name] as Param['schema'],
        isRequired:
          required.includes(name) && (properties[name] as { default?: unknown } | undefined)?.default === undefined,
      }
  }
}

function* wiresOf(document: Document) {
  for (const [id, { type, inputs = {} }] of nodesOf(document))
    for (const [name, source] of Object.entries(inputs))
      for (const [at, each] of [source].flat().entries())
        yield {
          id,
          source: each,
          keys: ['nodes', id, 'inputs', name, ...(Array.isArray(source) ? [String(at)] : [])],
          isRequired: catalogue.get(type)?.inputs[name]?.required === true && !Array.isArray(source),
        }
}

const templatesOf = (document: Document) =>
  [...textsIn(document.nodes, ['nodes']), ...textsIn(document.output, ['output'])].filter(({ text }) =>
    /\{[{%]/.test(text),
  )

/** A name with a typing error. */
function typo(name: string, random: Random): string {
  const at = 1 + Math.floor(random() * (name.length - 1))
  const letter = String.fromCharCode(97 + Math.floor(random() * 26))
  const made = [
    name.slice(0, at) + name.slice(at + 1),
    name.slice(0, at) + name.charAt(at) + name.slice(at),
    name.slice(0, at) + letter + name.slice(at + 1),
    name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1),
  ][Math.floor(random() * 4)]
  return made === undefined || made === name || made === '' ? `${name}x` : made
}

const isLong = (name: string) => name.length > 2

/** Spoils the words that a pattern finds in the templates; the word is its first group. */
const inTemplates =
  (pattern: RegExp): Kind =>
  (document, random) =>
    templatesOf(document).flatMap(({ keys, text }) =>
      [...text.matchAll(pattern)]
        .filter(([, word = '']) => isLong(word))
        .map((match) => {
          const [, word = ''] = match
          const at = match.index + match[0].lastIndexOf(word)
          return value(document, keys, `${text.slice(0, at)}${typo(word, random)}${text.slice(at + word.length)}`)
        }),
    )

const parameterNames = (document: Document) =>
  declarationsOf(document)
    .map(({ name }) => String(name))
    .filter(isLong)

export const kinds: Record<string, Kind> = {
  'misspelt operation': (document, random) =>
    nodesOf(document).map(([id, { type }]) => value(document, ['nodes', id, 'type'], typo(type, random))),
  'misspelt param': (document, random) =>
    [...paramsOf(document)].flatMap(({ keys }) =>
      isLong(keys[3] ?? '') ? [renamed(document, keys, typo(keys[3] ?? '', random))] : [],
    ),
  'misspelt input': (document, random) =>
    [...wiresOf(document)].map(({ keys }) => renamed(document, keys.slice(0, 4), typo(keys[3] ?? '', random))),
  'misspelt field of a node': (document, random) =>
    nodesOf(document).flatMap(([id, node]) =>
      Object.keys(node).map((field) => renamed(document, ['nodes', id, field], typo(field, random))),
    ),
  'misspelt field of the document': (document, random) =>
    ['nodes', 'output', 'parameters'].flatMap((field) =>
      document[field] ? [renamed(document, [field], typo(field, random))] : [],
    ),
  'misspelt setting of the output': (document, random) =>
    Object.keys(document.output as Document).map((field) => renamed(document, ['output', field], typo(field, random))),
  'misspelt field of a declaration': (document, random) =>
    declarationsOf(document).flatMap((declaration, i) =>
      Object.keys(declaration).map((field) => renamed(document, ['parameters', `${i}`, field], typo(field, random))),
    ),
  'misspelt parameter in a template': (document, random) => {
    const names = parameterNames(document)
    return names.length === 0
      ? []
      : inTemplates(new RegExp(`\\{\\{-?\\s*(${names.join('|')})\\b`, 'g'))(document, random)
  },
  'misspelt filter': inTemplates(/\|\s*([a-z_]+)/g),
  'misspelt tag': inTemplates(/\{%-?\s*([a-z]+)/g),
  'misspelt node in a template': inTemplates(/\bnodes\.([a-z][a-z0-9_-]*)/g),
  'misspelt value of a node': inTemplates(/\bnodes\.[a-z][a-z0-9_-]*\.([a-zA-Z]+)/g),
  'misspelt node in a wire': (document, random) =>
    [...wiresOf(document)].flatMap(({ keys, source }) =>
      isLong(source) ? [value(document, keys, typo(source, random))] : [],
    ),
  'misspelt node of the output': (document, random) => {
    const { node } = document.output as { node: string }
    return isLong(node) ? [value(document, ['output', 'node'], typo(node, random))] : []
  },
  'other node of the output': (document) => [value(document, ['output', 'node'], 'result')],
  'misspelt option': (document, random) =>
    [...paramsOf(document)].flatMap(({ keys, value: each, schema }) =>
      schema.enum && typeof each === 'string' && schema.enum.includes(each)
        ? [value(document, keys, typo(each, random))]
        : [],
    ),
  'misspelt format of the output': (document, random) => {
    const { format } = document.output as { format?: string }
    return format === undefined || format.includes('{')
      ? []
      : [value(document, ['output', 'format'], typo(format, random))]
  },
  'misspelt type of a parameter': (document, random) =>
    declarationsOf(document).flatMap(({ type, format }, i) => [
      value(document, ['parameters', `${i}`, 'type'], typo(String(type), random)),
      ...(format === undefined
        ? []
        : [value(document, ['parameters', `${i}`, 'format'], typo(String(format), random))]),
    ]),
  'misspelt colour': (document, random) =>
    [...paramsOf(document)].flatMap(({ keys, value: each }) =>
      typeof each === 'string' && /^[a-z]{3,}$/.test(each) && keys[3]?.toLowerCase().includes('color')
        ? [value(document, keys, typo(each, random))]
        : [],
    ),
  'number as text': (document) =>
    [...paramsOf(document)].flatMap(({ keys, value: each }) =>
      typeof each === 'number' ? [value(document, keys, `${each}`)] : [],
    ),
  'number with a unit': (document) =>
    [...paramsOf(document)].flatMap(({ keys, value: each }) =>
      typeof each === 'number' ? [value(document, keys, `${each}px`)] : [],
    ),
  'boolean as text': (document) =>
    [...paramsOf(document)].flatMap(({ keys, value: each }) =>
      typeof each === 'boolean' ? [value(document, keys, `${each}`)] : [],
    ),
  'wire as a list': (document) =>
    [...wiresOf(document)].flatMap(({ keys, source, isRequired }) =>
      isRequired && keys[3] !== 'images' ? [value(document, keys, [source])] : [],
    ),
  'out of range': (document) =>
    [...paramsOf(document)].flatMap(({ keys, value: each, schema }) => {
      if (typeof each !== 'number') return []
      const { minimum, maximum } = schema
      const next = [...(minimum === undefined ? [] : [minimum - 7]), ...(maximum === undefined ? [] : [maximum * 3])]
      return next.map((number) => lost(value(document, keys, number), keys))
    }),
  'fraction for a whole number': (document) =>
    [...paramsOf(document)].flatMap(({ keys, value: each, schema }) =>
      typeof each === 'number' && schema.type === 'integer' ? [value(document, keys, each + 0.25)] : [],
    ),
  'missing wire': (document) =>
    [...wiresOf(document)].flatMap(({ keys, isRequired }) => (isRequired ? [value(document, keys, null)] : [])),
  'cycle of two nodes': (document) => {
    const wires = [...wiresOf(document)]
    return wires.flatMap(({ id, keys }) =>
      wires
        .filter(({ source, id: reader }) => source === id && reader !== id)
        .map(({ id: reader }) => value(document, keys, reader)),
    )
  },
  'wire to itself': (document) => [...wiresOf(document)].map(({ id, keys }) => value(document, keys, id)),
  'missing param': (document) =>
    [...paramsOf(document)].flatMap(({ keys, isRequired }) =>
      isRequired ? [lost(value(document, keys, null), keys)] : [],
    ),
  'missing node of the output': (document) => [value(document, ['output', 'node'], null)],
  'missing output': (document) => [lost(value(document, ['output'], null), ['output'])],
  'missing name': (document) => [lost(value(document, ['name'], null), ['name'])],
  'missing brace': (document) =>
    templatesOf(document).flatMap(({ keys, text }) =>
      [...text.matchAll(/\}\}|%\}/g)].flatMap(({ index }) => [
        value(document, keys, text.slice(0, index + 1) + text.slice(index + 2)),
      ]),
    ),
  'missing end of a block': (document) =>
    templatesOf(document).flatMap(({ keys, text }) => {
      const end = /\{%-?\s*end(if|for|case|unless)\s*-?%\}$/.exec(text)
      return end ? [value(document, keys, text.slice(0, end.index))] : []
    }),
  'pipe too many': (document) =>
    templatesOf(document).flatMap(({ keys, text }) =>
      text.includes('|') ? [value(document, keys, text.replace('|', '| |'))] : [],
    ),
  'default of another type': (document) =>
    declarationsOf(document).flatMap(({ type, default: preset }, i) => {
      const keys = ['parameters', `${i}`, 'default']
      if (type === 'number' && typeof preset === 'number') return [value(document, keys, `${preset}`)]
      return []
    }),
  'default out of range': (document) =>
    declarationsOf(document).flatMap(({ type, maximum, default: preset }, i) => {
      const keys = ['parameters', `${i}`, 'default']
      return type === 'number' && typeof maximum === 'number' && preset !== undefined
        ? [lost(value(document, keys, maximum * 2), keys)]
        : []
    }),
  'unknown image': (document) =>
    declarationsOf(document).flatMap(({ format, default: preset }, i) => {
      const keys = ['parameters', `${i}`, 'default']
      return format === 'image' && typeof preset === 'string' ? [lost(value(document, keys, 'photo.jpg'), keys)] : []
    }),
  'unknown field': (document) => [
    value(document, ['version'], 2),
    ...nodesOf(document).map(([id]) => value(document, ['nodes', id, 'label'], 'A node')),
    ...nodesOf(document).map(([id]) =>
      value(document, ['nodes', id, 'params'], { ...(valueAt(document, ['nodes', id, 'params']) as object), zzz: 1 }),
    ),
  ],
}

/** Whether the repaired document is right: the original, or any other value where the fault lost it. */
export function isRight({ original, lost: keys }: Fault, repaired: Document): boolean {
  const same = (one: Document, other: Document) => canonical(one) === canonical(other)
  if (same(original, repaired)) return true
  if (keys === undefined) return false
  const path = keys.join('.')
  return same(edited(original, { [path]: null }), edited(repaired, { [path]: null }))
}

/** JSON with sorted names: their order means nothing. */
function canonical(part: unknown): string {
  return JSON.stringify(part, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
