/** Connections between nodes, and to outputs. */
import type { Reference } from '../../../shared/template/template.ts'
import type { Operation } from '../../operations/define.ts'
import type { CheckedNode, CheckedOutput } from './checked-workflow.ts'

/** Only templates read the nodes of an operation without an image. */
export function givesImage({ outputs }: Operation): boolean {
  return outputs.image !== undefined
}

/** The node whose image a skipped node passes on: that of its first wire, if it has one. */
export function passedOn({ operation, inputs }: Pick<CheckedNode, 'operation' | 'inputs'>): string[] {
  return givesImage(operation) ? Object.values(inputs).flat().slice(0, 1) : []
}

/** The names that the templates of a node read. */
export function referencesOf({ params, each, when }: Pick<CheckedNode, 'params' | 'each' | 'when'>): Reference[] {
  return [...params.references, ...(each?.references ?? []), ...(typeof when === 'boolean' ? [] : when.references)]
}

/** The nodes whose values the templates name, each once. */
export function namedNodes(references: readonly Reference[]): string[] {
  return [...new Set(references.flatMap((reference) => (reference.kind === 'value' ? [reference.node] : [])))]
}

/** The nodes whose values the settings of the outputs name, each once. */
export function outputValues({ outputs }: { outputs: readonly CheckedOutput[] }): string[] {
  return namedNodes(outputs.flatMap(({ settings }) => settings.references))
}

/** The nodes whose images or values the outputs read, each once. */
export function readByOutputs(workflow: { outputs: readonly CheckedOutput[] }): string[] {
  return [...new Set([...workflow.outputs.flatMap(({ nodes }) => nodes), ...outputValues(workflow)])]
}
