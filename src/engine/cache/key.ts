/** Cache keys: hashes of everything that a result depends on. */
import { hash } from 'node:crypto'
import { stringify } from 'safe-stable-stringify'
import type { ReadyModel } from '../../domain/models/model.ts'
import type { List } from '../plan/resolve-step.ts'

/**
 * `key`: equal keys mean equal pixels and values. Undefined for a step that is not deterministic, a node with `cache: false`, and
 * all steps after them. `task`: the work itself, without the bytes behind URLs. Every step has one, and resumed executions find
 * checkpoints by it.
 */
export interface Identity {
  key: string | undefined
  task: string
  /** Set for a list. */
  list?: List
}

/** The identity of a skipped step without an image. */
export const nothing: Identity = { key: 'nothing', task: 'nothing' }

export interface Ingredients {
  operation: string
  version: number
  /** The params of each run; null for a skipped item. */
  params: unknown[]
  isList: boolean
  /** Sources by socket. The order of sockets doesn't matter, the order of the wires of one socket does. */
  inputs: Record<string, Identity[]>
  /** The fonts of the account; undefined if the step uses none. */
  fonts: unknown
  models: readonly string[]
  /** Nodes of the wires of named sockets. Undefined for other operations, whose keys stay the same. */
  wires?: Readonly<Record<string, readonly string[]>>
  packages?: readonly string[]
  /** The chain of models of each run; undefined if it calls no model. */
  chains?: readonly (readonly string[])[]
}

export interface KeyIngredients extends Omit<Ingredients, 'chains'> {
  /** Models of `chains` that can be called now: another available model means another key. */
  ready?: readonly (readonly ReadyModel[])[]
  /** Identifies the libraries and the processor. */
  fingerprint: string
}

/** `params`: with the hashes of the contents in place of the names of sources. Undefined if an input has no key. */
export function keyOf(ingredients: KeyIngredients): string | undefined {
  const inputs = mapInputs(ingredients.inputs, ({ key }) => key)
  if (Object.values(inputs).flat().includes(undefined)) return undefined
  return hashOf({ ...ingredients, inputs })
}

/** `node`: two equal nodes that are not deterministic have different results. */
export function taskOf(node: string, ingredients: Ingredients): string {
  return hashOf({ node, ...ingredients, inputs: mapInputs(ingredients.inputs, ({ task }) => task) })
}

/** The key of an encoded file. `signing`: what its signature depends on. */
export function outputKeyOf(
  { key }: Identity,
  settings: object,
  { fingerprint, signing }: { fingerprint: string; signing?: string | undefined },
): string | undefined {
  return key === undefined ? undefined : hashOf({ output: key, settings, fingerprint, signing })
}

/** The task of an encoded file. Next to the tasks of steps, it can't be the same as one of them. */
export function outputTaskOf({ task }: Identity, settings: object): string {
  return hashOf({ output: task, settings })
}

/** The identity of the pages of a PDF. The identity of a list is that of all its images. */
export function pagesOf(nodes: readonly Identity[]): Identity {
  const keys = nodes.map(({ key, list }) => (list && key !== undefined ? `list ${key}` : key))
  return {
    key: keys.includes(undefined) ? undefined : hashOf({ pages: keys }),
    task: hashOf({ pages: nodes.map(({ task, list }) => (list ? `list ${task}` : task)) }),
  }
}

/** The key of the placeholder of an image. */
export function placeholderKeyOf({ key }: Identity, { fingerprint }: { fingerprint: string }) {
  return key === undefined ? undefined : hashOf({ placeholder: key, fingerprint })
}

/** The key of the values of a result, without its images. */
export function valuesKeyOf(key: string): string {
  return `values ${key}`
}

/** The identity of the first image of a list, for a socket that accepts one image. */
export function firstOf({ key, task }: Identity): Identity {
  return { key: key === undefined ? undefined : hashOf({ first: key }), task: hashOf({ first: task }) }
}

/** Hash of JSON with sorted object keys, so that equal values have equal hashes. Undefined fields are left out. */
export function hashOf(value: unknown): string {
  return hash('sha256', stringify(value) ?? '')
}

/** A list and a single image have different keys, because the result differs. */
function mapInputs(
  inputs: Record<string, Identity[]>,
  pick: (identity: Identity) => string | undefined,
): Record<string, (string | undefined)[]> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, identities]) => [
      name,
      identities.map((identity) => {
        const id = pick(identity)
        return id !== undefined && identity.list ? `list ${id}` : id
      }),
    ]),
  )
}
