/** The OpenAPI document of one workflow: the operation that executes it, with its parameters and outputs in place of the general ones. */
import { inputSchemaOf } from '../../domain/workflows/input-schema.ts'
import type { Workflow, WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Json } from './openapi-schemas.ts'

interface OpenApi extends Json {
  info: Json
  paths: Record<string, Json>
  components: Record<string, Record<string, Json>>
}

const executePath = '/workflows/execute'
const schemas = '#/components/schemas/'

/** `pinned`: the version or the channel that requests name, if it isn't the newest version. */
export function workflowOpenApi(
  service: unknown,
  { workflow, document, pinned }: { workflow: Workflow; document: WorkflowDocument; pinned: Json },
): Json {
  const { info, paths, components, ...rest } = service as OpenApi
  const { webhooks: _webhooks, tags: _tags, ...common } = rest
  const { $schema: _, $defs = {}, ...parameters } = inputSchemaOf(document.parameters ?? [], schemas)
  const own = {
    ...components.schemas,
    ...($defs as Record<string, Json>),
    Parameters: parameters,
    ExecuteRequest: requestOf(components.schemas?.WorkflowsExecuteRequest, { workflow, parameters, pinned }),
    ...outputsOf(components.schemas ?? {}, Object.keys(document.outputs ?? {})),
  }
  const { post } = paths[executePath] as { post: Json }
  const operation = {
    ...post,
    tags: undefined,
    summary: `Execute ${workflow.name}`,
    requestBody: { required: true, content: { 'application/json': { schema: { $ref: `${schemas}ExecuteRequest` } } } },
  }
  const used = referenced({ ...components, schemas: own }, operation)
  return {
    ...common,
    info: {
      ...info,
      title: workflow.name,
      version: String(workflow.version),
      description: workflow.description || undefined,
    },
    paths: { [executePath]: { post: operation } },
    components: { securitySchemes: components.securitySchemes, ...used },
  }
}

function requestOf(
  general: Json | undefined,
  { workflow: { id, slug }, parameters, pinned }: { workflow: Workflow; parameters: Json; pinned: Json },
): Json {
  const { version: _version, channel: _channel, ...properties } = (general?.properties ?? {}) as Record<string, Json>
  const pins = Object.entries(pinned).filter(([, value]) => value !== undefined)
  return {
    ...general,
    required: ['workflowId', ...(parameters.required ? ['parameters'] : []), ...pins.map(([name]) => name)],
    properties: {
      ...properties,
      workflowId: { type: 'string', enum: slug === null ? [id] : [slug, id] },
      parameters: { $ref: `${schemas}Parameters` },
      ...Object.fromEntries(pins.map(([name, value]) => [name, { const: value }])),
    },
    examples: undefined,
  }
}

/** The result, with the names of the outputs that the workflow declares. */
function outputsOf(general: Record<string, Json>, names: string[]): Record<string, Json> {
  const { CompletedExecution: execution = {}, NamedOutput: output = {} } = general
  const { outputs, ...properties } = execution.properties as Record<string, Json>
  return {
    CompletedExecution: {
      ...execution,
      properties: { ...properties, ...(names.length > 0 && { outputs }) },
      examples: undefined,
    },
    NamedOutput: {
      ...output,
      properties: { ...(output.properties as Json), name: { type: 'string', enum: names } },
    },
  }
}

/** The components that a value refers to, also through others. */
function referenced(components: Record<string, Record<string, Json>>, value: unknown): Record<string, Json> {
  const used: Record<string, Json> = {}
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, field] of Object.entries(value)) {
      if (name !== '$ref' || typeof field !== 'string') {
        visit(field)
        continue
      }
      // Default values of parameters can have any text.
      const [, kind = '', component = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec(field) ?? []
      const found = Object.hasOwn(components, kind) ? components[kind] : undefined
      if (found === undefined || !Object.hasOwn(found, component)) continue
      const group = used[kind] ?? {}
      if (Object.hasOwn(group, component)) continue
      used[kind] = { ...group, [component]: found[component] }
      visit(found[component])
    }
  }
  visit(value)
  return used
}
