/** Image connections between nodes. */
import type { Operation } from '../../operations/define.ts'
import type { CheckedNode } from './checked-workflow.ts'

/** Only templates read the nodes of an operation without an image. */
export function givesImage({ outputs }: Operation): boolean {
  return outputs.image !== undefined
}

/** The node whose image a skipped node passes on: that of its first wire, if it has one. */
export function passedOn({ operation, inputs }: Pick<CheckedNode, 'operation' | 'inputs'>): string[] {
  return givesImage(operation) ? Object.values(inputs).flat().slice(0, 1) : []
}
