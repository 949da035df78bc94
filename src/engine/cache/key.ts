/** What results are known by: hashes of all that they are made of. */
import { hash } from 'node:crypto'
import type { ReadyModel } from '../../domain/model.ts'
import type { EncodeSettings } from '../../domain/output.ts'
import type { List } from '../plan/resolve-step.ts'

/**
 * `key` is the same only where every pixel and value is; undefined where that is never so: an operation that rolls dice, a
 * node with `cache: false`, and all that follows from one. `task` is what was to be done: it says nothing of the bytes behind
 * a URL, and is there for every step. By it, what a failed execution has finished is found again.
 */
export interface Identity {
  key: string | undefined
  task: string
  /** Of a list. */
  list?: List
}

/** What a step has instead of a picture when it was skipped with nothing to hand on. */
export const nothing: Identity = { key: 'nothing', task: 'nothing' }

export interface Ingredients {
  operation: string
  version: number
  /** Of each run; null where an item is skipped. */
  params: unknown[]
  isList: boolean
  /** By socket; the order of sockets says nothing, that of the wires of one does. */
  inputs: Record<string, Identity[]>
  /** What the fonts of the account are; undefined where it reads none. */
  fonts: unknown
  models: readonly string[]
  /** The models that are asked in turn, for each run; undefined where nobody is asked. */
  chains?: readonly (readonly string[])[]
}

export interface KeyIngredients extends Omit<Ingredients, 'chains'> {
  /** As `chains`, of those that can be asked now: where another comes to be there, it is asked. */
  ready?: readonly (readonly ReadyModel[])[]
  /** What makes pictures here: libraries and processor. */
  fingerprint: string
}

/** `params`: with the hash of what they hold in place of the names of sources. Undefined where an input has no key. */
export function keyOf(ingredients: KeyIngredients): string | undefined {
  const inputs = mapInputs(ingredients.inputs, ({ key }) => key)
  if (Object.values(inputs).flat().includes(undefined)) return undefined
  return hashOf({ ...ingredients, inputs })
}

/** `node`: two that do the same may roll other dice. */
export function taskOf(node: string, ingredients: Ingredients): string {
  return hashOf({ node, ...ingredients, inputs: mapInputs(ingredients.inputs, ({ task }) => task) })
}

/** The bytes that a picture is encoded to. */
export function outputKeyOf({ key }: Identity, settings: EncodeSettings, fingerprint: string): string | undefined {
  return key === undefined ? undefined : hashOf({ output: key, settings, fingerprint })
}

/** Of what templates read of a result, without its images. */
export function valuesKeyOf(key: string): string {
  return `values ${key}`
}

/** Of a list that is handed on where one image is expected: its first. */
export function firstOf({ key, task }: Identity): Identity {
  return { key: key === undefined ? undefined : hashOf({ first: key }), task: hashOf({ first: task }) }
}

export function hashOf(value: unknown): string {
  return hash('sha256', canonical(value))
}

/** JSON with the keys of objects in one order, so that the same value has one text. What is undefined is left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

/** Lists are told apart from single images: the same picture stands elsewhere in what they make. */
function mapInputs(
  inputs: Record<string, Identity[]>,
  pick: (identity: Identity) => string | undefined,
): Record<string, (string | undefined)[]> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, each]) => [
      name,
      each.map((identity) => {
        const id = pick(identity)
        return id !== undefined && identity.list ? `list ${id}` : id
      }),
    ]),
  )
}
