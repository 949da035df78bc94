/** Lists of images at the inputs of a workflow: it must give one image for each of them, like an operation. */
import { show } from '../../../shared/text.ts'
import type { Issue } from '../../errors.ts'
import type { CheckedNode, CheckedWorkflow } from './checked-workflow.ts'
import type { Lists } from './lists.ts'
import { imageParameterOf } from './used-workflow.ts'
import { namedNodes, referencesOf } from './wires.ts'

export function usedListIssues({ id, used, inputs, each }: CheckedNode, lists: Lists): Issue[] {
  if (used === undefined) return []
  const wired = Object.keys(inputs).filter((name) => inputs[name]?.some((source) => lists.has(source)))
  const [first] = wired
  if (first === undefined) return []
  const report = (message: string) => [{ path: `nodes.${id}.inputs.${first}`, message }]
  if (each)
    return report(
      'is a list of images, and the node has `each`, too. Remove `each`, or pass the ids of the images in params.',
    )
  const where = mixesLists(used.workflow, new Set(wired))
  if (where === undefined) return []
  return report(
    `is a list of images, but ${show(used.name)} can't run once for each of them because of ${where}. Use \`each\`, and pass the ids of the images in params.${first}.`,
  )
}

/** The place in a workflow where the images of a list would meet. */
function mixesLists(workflow: CheckedWorkflow, parameters: ReadonlySet<string>): string | undefined {
  /** Node -> the parameters that its list comes from. */
  const lists = new Map<string, ReadonlySet<string>>()
  for (const id of workflow.order) {
    const node = workflow.nodes.get(id)
    if (node === undefined) continue
    const imageParameter = imageParameterOf(node)
    if (imageParameter !== undefined && parameters.has(imageParameter)) {
      lists.set(id, new Set([imageParameter]))
      continue
    }
    const passed = passedLists(node, parameters)
    const origins = new Set(passed.values())
    const names = new Set(passed.keys())
    for (const [name, sources] of Object.entries(node.inputs)) {
      for (const source of sources) {
        const list = lists.get(source)
        if (list === undefined) continue
        if (node.operation.inputs[name]?.many) return `nodes.${id}.inputs.${name}`
        for (const origin of list) origins.add(origin)
        names.add(name)
      }
    }
    for (const read of namedNodes(referencesOf(node))) {
      const list = lists.get(read)
      if (list && [...list].some((origin) => !origins.has(origin))) return `nodes.${id}`
    }
    if (origins.size === 0) continue
    if (node.each) return `nodes.${id}.each`
    const inner = node.used && mixesLists(node.used.workflow, names)
    if (inner !== undefined) return `nodes.${id}`
    lists.set(id, origins)
  }
  const single = workflow.outputs.find(({ kind, node }) => kind !== 'pdf' && !lists.has(node))
  return single?.at
}

/** The params of a workflow that pass on an image parameter: param -> parameter. */
function passedLists({ used, params }: CheckedNode, parameters: ReadonlySet<string>): Map<string, string> {
  const passed = new Map<string, string>()
  if (used === undefined) return passed
  for (const { keys, template } of params.templates) {
    const { name } = template
    if (keys.length === 1 && name?.kind === 'parameter' && parameters.has(name.name))
      passed.set(keys[0] ?? '', name.name)
  }
  return passed
}
