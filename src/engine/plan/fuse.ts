/** Finds steps whose work is postponed and done in one call of sharp with the step that reads their image. */
import type { Stage } from '../../imaging/types.ts'
import type { CheckedOutput } from '../check/checked-workflow.ts'
import { wiresOfOne } from '../check/lists.ts'
import type { PlannedStep } from './planned-step.ts'

/**
 * Node -> the node that continues with its image. The node of an output that is encoded once, if it is a single stage, is fused with the
 * encoding. A step is
 * fused with the next one if both are one stage of sharp, no other node reads the image, and sharp's order of stages allows
 * both in one call. Whether the image has alpha isn't known yet: if alpha forbids it, the reader starts a new call, with the
 * same pixels.
 */
export function fuse(
  steps: readonly PlannedStep[],
  outputs: readonly Pick<CheckedOutput, 'nodes' | 'kind' | 'settings'>[],
): ReadonlyMap<string, string> {
  const reading = steps.flatMap((reader) =>
    reader.action === 'unneeded' ? [] : reader.node.needs.map((need) => ({ need, reader })),
  )
  const readersOf = Map.groupBy(reading, ({ need }) => need)
  const outputsOf = Map.groupBy(
    outputs.flatMap((output) => [...new Set(output.nodes)].map((node) => ({ node, output }))),
    ({ node }) => node,
  )
  const fused = new Map<string, string>()
  /** The stages of the call that ends with this node. */
  const calls = new Map<string, Stage[]>()
  for (const step of steps) {
    const { id } = step.node
    const stage = stageOf(step)
    if (stage === undefined) continue
    const [source = ''] = wiresOfOne(step.node)
    const before = fused.get(source) === id ? (calls.get(source) ?? []) : []
    const call = [...before, stage]
    calls.set(id, call)
    const [read, ...moreReaders] = readersOf.get(id) ?? []
    const [encoded, ...moreOutputs] = outputsOf.get(id) ?? []
    if (encoded && moreOutputs.length === 0 && !read && isEncodedOnce(encoded.output)) fused.set(id, id)
    if (read === undefined || moreReaders.length > 0 || encoded) continue
    const next = read.reader
    if (reads(next, id) && stageOf(next)?.follows(call, false)) fused.set(id, next.node.id)
  }
  return fused
}

function isEncodedOnce({ kind, settings: { values } }: Pick<CheckedOutput, 'kind' | 'settings'>): boolean {
  return kind === 'image' && values.width === undefined
}

function stageOf({ node, action, params }: PlannedStep): Stage | undefined {
  if (action !== 'run' || params === undefined || node.each) return undefined
  return node.operation.stage?.(params as never)
}

/** Whether the node reads the image through its only wire, and no template reads the node, which would need a finished result. */
function reads({ node }: PlannedStep, id: string): boolean {
  const wires = Object.values(node.inputs).flat()
  return (
    wires.length === 1 && wires[0] === id && !node.params.references.some((reference) => reference.kind === 'value')
  )
}
