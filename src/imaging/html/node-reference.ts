/** References to images of other nodes: `node:photo`, or `node:photos/2` for the third image of a list. */
import { didYouMean } from '../../../shared/suggest.ts'
import { list } from '../../../shared/text.ts'
import { placeholder } from './mask.ts'

/** The nodes that are connected, in order; undefined if they are not known. */
export type Wired = readonly string[] | undefined

export interface NodeReference {
  node: string
  /** Index of an image of a list, from 0. */
  index: number
}

/** Undefined if it is not a reference. */
export function nodeReference(text: string): NodeReference | undefined {
  const [, node, index] = /^node:([^/\s]{1,200})(?:\/(\d{1,6}|[^/]*\ue000[^/]*))?$/.exec(text.trim()) ?? []
  return node === undefined ? undefined : { node, index: Number(index ?? 0) || 0 }
}

/** A reference to a node that isn't connected. One with a placeholder is checked when its template is rendered. */
export function referenceProblem(text: string, wired: Wired): string | undefined {
  const reference = nodeReference(text)
  if (reference === undefined || wired === undefined || text.includes(placeholder)) return undefined
  const { node } = reference
  if (wired.includes(node)) return undefined
  const hint =
    wired.length === 0 ? 'No node is connected.' : didYouMean(node, wired) || `Connected: ${list([...wired])}.`
  return `"node:${node}" is not connected to the input "images". ${hint} Connect the node "${node}", or name another one.`
}
