/** Which steps hand their picture on unfinished, to be done in one call of sharp with the step that reads it. */
import type { Stage } from '../../imaging/types.ts'
import { wiresOfOne } from '../check/lists.ts'
import type { PlannedStep } from './planned-step.ts'

/**
 * Node -> the node that goes on with its picture; the output's, when it is one stage itself, goes on in the encoding. A step
 * is fused with the one after it when both are one stage of sharp, nobody else reads the picture, and the order in which
 * sharp works lets both be done at once. Whether the picture has alpha is not known yet: where that forbids it, the reader
 * cuts, and the pixels are the same either way.
 */
export function fuse(steps: readonly PlannedStep[], output: string): ReadonlyMap<string, string> {
  const byNode = new Map(steps.map((step) => [step.node.id, step]))
  const fused = new Map<string, string>()
  /** The stages that are done in the call of which this node is the last. */
  const calls = new Map<string, Stage[]>()
  for (const step of steps) {
    const { id } = step.node
    const stage = stageOf(step)
    if (stage === undefined) continue
    const [source = ''] = wiresOfOne(step.node)
    const before = fused.get(source) === id ? (calls.get(source) ?? []) : []
    const call = [...before, stage]
    calls.set(id, call)
    const readers = steps.filter((each) => each.action !== 'unneeded' && each.node.needs.includes(id))
    if (id === output && readers.length === 0) fused.set(id, id)
    const [reader] = readers
    if (reader === undefined || readers.length > 1 || id === output) continue
    const next = byNode.get(reader.node.id)
    if (next && reads(next, id) && stageOf(next)?.follows(call, false)) fused.set(id, next.node.id)
  }
  return fused
}

function stageOf({ node, action, params }: PlannedStep): Stage | undefined {
  if (action !== 'run' || params === undefined || node.each) return undefined
  return node.operation.stage?.(params as never)
}

/** By its one wire, and by no template besides, which would need the result to be there. */
function reads({ node }: PlannedStep, id: string): boolean {
  const wires = Object.values(node.inputs).flat()
  return wires.length === 1 && wires[0] === id && !node.params.references.some((each) => each.kind === 'value')
}
