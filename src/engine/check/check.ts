/**
 * Converts a document to a checked workflow, or lists every problem with its path. A checked workflow never fails later because
 * of its form.
 */
import { missingParameter } from '../../../shared/template/names.ts'
import { isObject, isTemplate } from '../../../shared/values.ts'
import { reachable } from '../../domain/graph.ts'
import type { Models } from '../../domain/models/model.ts'
import { type Check, checker } from '../../domain/validate.ts'
import { nodesBeforePins, withPinnedImages } from '../../domain/workflows/pinned.ts'
import { WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Catalogue, Operation } from '../../operations/define.ts'
import { brandUses } from './brand-uses.ts'
import { type Connections, checkConnections } from './check-connections.ts'
import { checkDelivery, deliveryWarnings } from './check-delivery.ts'
import { checkNodes } from './check-nodes.ts'
import { checkOpenAi } from './check-openai.ts'
import { emptyOutputIssues, type ParsedOutputs, parseOutputs } from './check-outputs.ts'
import type { Kinds } from './check-sockets.ts'
import type { CheckedNode, Checker, CheckResult, Extent, UsableWorkflows } from './checked-workflow.ts'
import { extentOf, extentOfUsedIssues, kindsOf } from './kinds.ts'
import { likelySources } from './likely-sources.ts'
import { checkDeclarations, checkExamples, withoutInvalidSchemas, withParameterType } from './parameters.ts'
import { wellFormedPart } from './well-formed-part.ts'
import { readByOutputs } from './wires.ts'

/** Creates a checker; without `models`, requirements on models are not checked. */
export function createChecker(catalogue: Catalogue, models?: Models): Checker {
  const checks = new Map<string, Check>()
  const checkOf = (operation: Operation): Check => {
    const check = checks.get(operation.id) ?? checker(operation.params)
    checks.set(operation.id, check)
    return check
  }
  return (document: unknown, usable: UsableWorkflows = new Map()): CheckResult => {
    const { tooLarge, bytes, templateChars } = measure(document)
    if (tooLarge) return { issues: [tooLarge], overLimit: true }
    const context: Context = { catalogue, checkOf, models, usable, size: { bytes, templateChars } }
    const issues = checkDocument(document)
    if (issues.length === 0) {
      const result = checkMeaning(document as WorkflowDocument, context)
      return result.workflow ? result : { ...result, issues: result.issues.slice(0, limits.issuesMax) }
    }
    // The well-formed part is checked too, so that all problems are reported together.
    const rest = wellFormedPart(document)
    const more = rest === undefined ? [] : (checkMeaning(rest, context).issues ?? [])
    const reported = new Set(issues.map(({ path }) => path))
    const declarations = declarationsOf(document)
    // Templates may use the name of a malformed declaration.
    const declared = new Set(declarations.map((each) => (isObject(each) ? each.name : undefined)))
    const isNew = ({ path, message }: Issue) =>
      !reported.has(path) && !declared.has(missingParameter(message) ?? noParameter)
    const fixed = issues
      .map((issue) => withParameterType(issue, declarations))
      .map((issue) => (rest ? withDocumentFix(issue, rest, kindsOf(rest, catalogue, usable, [])) : issue))
    return { issues: [...fixed, ...more.filter(isNew)].slice(0, limits.issuesMax) }
  }
}

const checkDocument = checker(WorkflowDocument)

/** A name that no parameter has. */
const noParameter = ''

function declarationsOf(document: unknown): unknown[] {
  const { parameters } = isObject(document) ? document : {}
  return Array.isArray(parameters) ? parameters : []
}

/** A missing name or output gets a correction that the schema doesn't know. */
function withDocumentFix(issue: Issue, document: WorkflowDocument, kinds: Kinds): Issue {
  if (issue.message !== 'is required') return issue
  if (issue.path === 'name') return { ...issue, fix: { value: 'Untitled' } }
  if (issue.path !== 'output' && issue.path !== 'output.node') return issue
  // The output of this part of the document may be any node.
  const [node] = likelySources({ ...document, output: { node: '' } }, kinds)
  return node === undefined ? issue : { ...issue, fix: { value: issue.path === 'output' ? { node } : node } }
}

interface Measured extends Pick<Extent, 'bytes' | 'templateChars'> {
  tooLarge: Issue | undefined
}

/** A document above one of the limits isn't checked any further: the check delays every other request. */
function measure(document: unknown): Measured {
  const refuse = (message: string) => ({ tooLarge: { path: '', message }, bytes: 0, templateChars: 0 })
  if (!isObject(document)) return refuse('must be a workflow document: an object with "name", "nodes" and "output"')
  const bytes = Buffer.byteLength(JSON.stringify(document))
  if (bytes > limits.documentBytesMax)
    return refuse(`must have at most ${limits.documentBytesMax} bytes as JSON, not ${bytes}`)
  const { values, templates, templateChars } = countIn(document, { values: 0, templates: 0, templateChars: 0 })
  for (const [count, most, noun] of [
    [values, limits.documentValuesMax, 'values (texts, numbers, lists and objects)'],
    [templates, limits.templatesMax, 'templates'],
    [templateChars, limits.templatesCharsMax, 'characters in all templates together'],
  ] as const) {
    if (count > most) return refuse(`must have at most ${most} ${noun}, not ${count}`)
  }
  return { tooLarge: undefined, bytes, templateChars }
}

interface Counts {
  values: number
  templates: number
  templateChars: number
}

function countIn(value: unknown, counts: Counts): Counts {
  counts.values += 1
  if (isTemplate(value)) {
    counts.templates += 1
    counts.templateChars += value.length
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) countIn(part, counts)
  }
  return counts
}

interface Context {
  catalogue: Catalogue
  checkOf: (operation: Operation) => Check
  models: Models | undefined
  usable: UsableWorkflows
  /** Size of the document alone. */
  size: Pick<Extent, 'bytes' | 'templateChars'>
}

/** Checks the values and names in a document that fits the schema. */
function checkMeaning(submitted: WorkflowDocument, { catalogue, checkOf, models, usable, size }: Context): CheckResult {
  const { parameters = [], examples = [] } = submitted
  const issues = checkDeclarations(parameters)
  const readable = issues.length === 0 ? parameters : withoutInvalidSchemas(parameters)
  const document = issues.length === 0 ? submitted : { ...submitted, parameters: readable }
  issues.push(...checkExamples(examples, readable), ...checkDelivery(document), ...checkOpenAi(document))
  const executed = withPinnedImages(document)
  const kinds = kindsOf(executed, catalogue, usable, issues)
  const extent = extentOf(executed, size, kinds)
  issues.push(...extentOfUsedIssues(extent))
  const checked = checkNodes(executed, { kinds, checkOf, issues })
  if (!checked.isComplete) return { issues, overLimit: checked.overLimit }
  const outputs = parseOutputs(executed)
  issues.push(...outputs.issues)
  const connections = checkConnections(executed, checked, { outputs, models, issues })
  if (issues.length > 0) return { issues, overLimit: checked.overLimit || outputs.overLimit }
  return checkedWorkflow({ document, nodes: checked.nodes, outputs, extent, ...connections })
}

/** The result, unless no output has an image. */
function checkedWorkflow({ document, nodes, outputs: { outputs }, extent, graph, sorted }: Parts): CheckResult {
  const needed = new Set(readByOutputs({ outputs }).flatMap((id) => [...reachable(graph, id)]))
  const order = sorted.filter((id) => needed.has(id))
  const withoutImages = emptyOutputIssues(outputs, nodes, order)
  if (withoutImages.length > 0) return { issues: withoutImages }
  const waiting = nodesBeforePins(document)
  const unconnected = [...nodes.keys()]
    .filter((id) => !needed.has(id) && !waiting.has(id))
    .map((id) => ({
      path: `nodes.${id}`,
      message: 'is not connected to an output, so it is not executed. Connect it, or remove it.',
    }))
  const runs = order.flatMap((id) => nodes.get(id) ?? [])
  const warnings = [...unconnected, ...deliveryWarnings(document, runs)]
  return {
    workflow: {
      document,
      parameters: document.parameters ?? [],
      nodes,
      order,
      output: outputs[0],
      outputs,
      brandUses: brandUses(runs, outputs),
      warnings,
      extent,
    },
  }
}

interface Parts extends Connections {
  document: WorkflowDocument
  nodes: ReadonlyMap<string, CheckedNode>
  outputs: ParsedOutputs
  extent: Extent
}
