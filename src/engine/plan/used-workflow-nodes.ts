/** Nodes of a plan that stand for a node with a workflow: the list of its images, or what it passes on if it is skipped. */
import Type from 'typebox'
import { parseTemplate } from '../../../shared/template/template.ts'
import type { ImageValue } from '../../imaging/types.ts'
import type { Operation } from '../../operations/define.ts'
import type { CheckedNode, Place } from '../check/checked-workflow.ts'
import { workflowType } from '../check/used-workflow.ts'
import type { Templated } from '../check/values.ts'

const about: Omit<Operation, 'inputs' | 'params' | 'run'> = {
  id: workflowType,
  version: 1,
  title: 'Workflow',
  summary: 'The images of a workflow.',
  keywords: [],
  group: 'combine',
  outputs: { image: 'The image.' },
  alpha: 'kept',
  frames: 'whole',
  deterministic: true,
  examples: [],
}

/** Runs for each item, and returns its image. */
const collect: Operation = {
  ...about,
  inputs: { images: { description: 'The image of each item.', required: true, many: true } },
  params: Type.Object({ index: Type.Integer() }),
  async run(inputs, params) {
    const image = (inputs.images as unknown as ImageValue[])[(params as { index: number }).index]
    return image ? { image } : {}
  },
}

const pass: Operation = {
  ...about,
  inputs: { image: { description: 'The image that is passed on.', required: false, many: false } },
  params: Type.Object({}),
  run: async ({ image }) => (image ? { image: image as ImageValue } : {}),
}

const index = parseTemplate('{{ index }}')
const indexParam: Templated = {
  values: { index: index.text },
  templates: [{ keys: ['index'], path: 'index', types: ['integer'], template: index }],
  references: index.references,
  copyUnits: 1,
}
const nothing: Templated = { values: {}, templates: [], references: [], copyUnits: 0 }
/** Nothing of the workflow is visible in it. */
const ownPlace: Place = { frame: { scope: {}, late: new Map(), ids: new Map() }, late: [] }

const common = { checkParams: () => [], each: undefined, when: true, cache: true, choice: undefined, place: ownPlace }

/** The list of the images of a workflow with `each`. `sources`: the node of each item. */
export function collected(id: string, items: unknown[], sources: string[]): CheckedNode {
  const inputs = { images: sources }
  const each = { ...nothing, values: { each: items } }
  return { ...common, id, operation: collect, inputs, params: indexParam, each, needs: [...new Set(sources)] }
}

/** A workflow whose `when` is false passes on its first input. */
export function skipped(id: string, source: string | undefined): CheckedNode {
  const sources = source === undefined ? [] : [source]
  const inputs = source === undefined ? {} : { image: sources }
  return { ...common, id, operation: pass, inputs, params: nothing, when: false, needs: sources }
}
