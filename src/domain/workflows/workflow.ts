/** The workflow document, which is saved, versioned and executed. All readers use this schema. */

import Type, { type Static, type TOptional, type TUnknown } from 'typebox'
import type { ValueSchema } from '../../../shared/json-schema.ts'
import {
  exampleNamePattern,
  imageIdPattern,
  nodeIdPattern,
  outputNamePattern,
  parameterNamePattern,
  slugPattern,
  usedWorkflowPattern,
  wirePattern,
} from '../../../shared/names.ts'
import { type ParameterFormat, parameterFormats } from '../../../shared/parameter-formats.ts'
import type { ParameterValue } from '../../../shared/parameters.ts'
import { limits } from '../../limits.ts'
import type { PlanName } from '../accounts/plan.ts'
import { Delivery } from '../delivery/delivery.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import { named } from '../named-schema.ts'
import type { CountedPage, PageRequest } from '../page.ts'
import { storableText } from '../storable-text.ts'
import { OpenAi } from './openai.ts'
import { OutputSettings } from './output.ts'
import { NamedOutputSettings } from './outputs.ts'

/** A name of a workflow in requests and URLs, in place of its id. */
export const slugDescription =
  'Name of the workflow in requests and URLs, unique in the account: a-z, then a-z 0-9 -, at most 63. Not `drafts`, `execute`, `executions`, `import-svg` or `validate`.'
export const Slug = Type.String({
  pattern: slugPattern,
  description: slugDescription,
  'x-expected': 'a slug (a-z, then a-z 0-9 -, at most 63)',
})

/** Paths of the API below `/workflows`: a workflow with this slug could not be read by it. */
export const reservedSlugs = ['drafts', 'execute', 'executions', 'import-svg', 'validate']

const slugs = new RegExp(slugPattern)

export function isSlug(text: string): boolean {
  return slugs.test(text)
}

/** A node, or an output of a node that uses a workflow. */
const Wire = Type.String({
  pattern: wirePattern,
  description: 'The id of a node, or `<node>.<output>` for a named output of a node of the type `workflow`.',
  'x-expected': 'the id of a node (a-z, then a-z 0-9 _ -, at most 64), or <node>.<output>',
})

const common = {
  name: Type.String({
    pattern: parameterNamePattern,
    description: 'Name of the parameter in templates and requests.',
    'x-expected': 'a name (a letter, then letters, digits, _ and -, at most 64)',
  }),
  required: Type.Optional(Type.Boolean({ description: 'Whether each execution must pass a value.' })),
  description: Type.Optional(Type.String({ maxLength: limits.descriptionCharsMax })),
}

export const StringParameter = Type.Object(
  {
    ...common,
    type: Type.Literal('string'),
    default: Type.Optional(
      Type.Unsafe<ParameterValue>({
        description: 'Text. For `format: boolean` also true or false, for `format: json` also the value.',
      }),
    ),
    enum: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 200, description: 'Allowed values.' })),
    labels: Type.Optional(
      Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: limits.nameCharsMax }), {
        description: 'Labels of the values of `enum` in forms, by value.',
      }),
    ),
    format: Type.Optional(
      Type.Unsafe<ParameterFormat>({
        type: 'string',
        enum: parameterFormats,
        description:
          'Format of the text. `image`: an image id, URL or `data:` URL. `boolean` and `json` also accept the value itself, and templates see the value.',
      }),
    ),
    schema: Type.Optional(
      Type.Unsafe<ValueSchema>({
        type: 'object',
        additionalProperties: true,
        description:
          'JSON Schema 2020-12 of the value, for `format: json`: an object or an array. Keywords: type, title, description, default, enum, properties, required, additionalProperties, items, minItems, maxItems, minLength, maxLength, minimum, maximum, format.',
      }),
    ),
  },
  { ...named('StringParameter'), additionalProperties: false },
)

export const NumberParameter = Type.Object(
  {
    ...common,
    type: Type.Literal('number'),
    default: Type.Optional(Type.Number()),
    minimum: Type.Optional(Type.Number({ description: 'Minimum value.' })),
    maximum: Type.Optional(Type.Number({ description: 'Maximum value.' })),
  },
  { ...named('NumberParameter'), additionalProperties: false },
)

/** `oneOf` with a discriminator, so that errors of a declaration are those of its type. */
export const ParameterDeclaration = Type.Unsafe<Static<typeof StringParameter> | Static<typeof NumberParameter>>({
  ...named('Parameter'),
  type: 'object',
  description: 'A parameter of the workflow: a number, or a string, which can be an image id or URL.',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [StringParameter, NumberParameter],
})

/** A list of text, numbers, booleans, or objects of them. */
const EachList = Type.Array(Type.Unknown(), { maxItems: limits.eachMax })

/** The values that a node runs over. In the document it can also be a template that renders to one of both. */
export const Each = Type.Union([EachList, Type.Integer({ minimum: 0, maximum: limits.eachMax })])
export const eachExpected = `a list of at most ${limits.eachMax} values, or a count from 0 to ${limits.eachMax}`

export const WorkflowNode = Type.Object(
  {
    type: Type.String({
      maxLength: 64,
      description: 'The id of an operation from `GET /operations`, or `workflow` for a saved workflow.',
    }),
    workflow: Type.Optional(
      Type.String({
        pattern: usedWorkflowPattern,
        description:
          'The workflow that a node of the type `workflow` uses: its slug or id, and the version, as `link-card@7`. Its parameters are the params of the node, its image parameters also the inputs, and its outputs the images.',
        'x-expected': 'the slug or id of a workflow and a version, as link-card@7',
      }),
    ),
    inputs: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,63}$' }),
        Type.Union([Wire, Type.Array(Wire, { minItems: 1, maxItems: limits.inputWiresMax })]),
        {
          description: 'Image inputs: socket name to node id, or to a list of node ids if the socket accepts several.',
        },
      ),
    ),
    params: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Params of the operation. Each value is a literal or a template. `GET /operations` has the JSON Schema for each operation.',
      }),
    ),
    each: Type.Optional(
      Type.Unknown({
        description:
          'Runs the node once for each value of a list, or a number of times, and returns a list of images. A list, a count, or a template that renders to one. Templates of the node can use `item` (the value) and `index` (from 0).',
      }),
    ),
    cache: Type.Optional(
      Type.Boolean({
        description:
          'Whether results are read from and written to the step cache. Default: true. With false, the node and all nodes that depend on it always run.',
      }),
    ),
    when: Type.Optional(
      Type.Union([Type.String({ maxLength: limits.templateCharsMax }), Type.Boolean()], {
        description:
          'A template. If it renders to an empty text, `false` or `0`, the node is skipped and returns its first input.',
      }),
    ),
    pinned: Type.Optional(
      Type.String({
        pattern: imageIdPattern,
        description:
          'The id of a stored image, which is the result of the node in place of its operation. The other fields have no effect until you remove it, and nodes that only this node needs are not executed.',
        'x-expected': 'the id of an image, as img_06h15xnfhw00snp469yjg5mdfjbs',
      }),
    ),
  },
  { ...named('WorkflowNode'), additionalProperties: false },
)

/** Values for the parameters of the workflow. Comparisons and `tintype test` run them. */
export const WorkflowExample = Type.Object(
  {
    name: Type.String({
      pattern: exampleNamePattern,
      description: 'Name of the example, and file name of its golden image.',
      'x-expected': 'a name (a-z 0-9, then also _ and -, at most 64)',
    }),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Parameter values, as in a request to execute the workflow.',
      }),
    ),
  },
  { ...named('WorkflowExample'), additionalProperties: false },
)

/** Every setting of an output can be a template. */
function settingsOrTemplates<Name extends string>(properties: Record<Name, unknown>) {
  return Object.fromEntries(
    Object.entries(properties as Record<string, { description?: string }>).map(([name, { description = '' }]) => [
      name,
      Type.Optional(Type.Unknown({ description: `${description} Can be a template.` })),
    ]),
  ) as Record<Name, TOptional<TUnknown>>
}

const NamedOutput = Type.Object(
  {
    node: Type.Union([Wire, Type.Array(Wire, { minItems: 1, maxItems: limits.outputPagesMax })], {
      description: 'The node of the image. For a PDF, a list of nodes gives the pages in their order.',
    }),
    ...settingsOrTemplates(NamedOutputSettings.properties),
  },
  { ...named('NamedOutputSettings'), additionalProperties: false },
)

const Mcp = Type.Object(
  {
    description: Type.String({
      ...storableText,
      minLength: 1,
      maxLength: limits.toolDescriptionCharsMax,
      description: 'For the agent: what the workflow makes, and when to use it.',
    }),
  },
  {
    ...named('McpSettings'),
    additionalProperties: false,
    description:
      'Offers the newest version as a tool to agents that use the API over the Model Context Protocol (`/mcp`). The name of the tool is `run_` and the slug, so the workflow needs one. Default: agents get no tool for the workflow.',
  },
)

export const WorkflowDocument = Type.Object(
  {
    name: Type.String({
      ...storableText,
      minLength: 1,
      maxLength: limits.nameCharsMax,
      description: 'Not only white space.',
    }),
    description: Type.Optional(Type.String({ ...storableText, maxLength: limits.descriptionCharsMax })),
    parameters: Type.Optional(Type.Array(ParameterDeclaration, { maxItems: limits.parametersMax })),
    nodes: Type.Record(Type.String({ pattern: nodeIdPattern }), WorkflowNode, {
      additionalProperties: false,
      minProperties: 1,
      maxProperties: limits.nodesMax,
    }),
    output: Type.Object(
      {
        node: Wire,
        ...settingsOrTemplates(OutputSettings.properties),
      },
      { ...named('OutputSettings'), additionalProperties: false },
    ),
    outputs: Type.Optional(
      Type.Record(Type.String({ pattern: outputNamePattern }), NamedOutput, {
        additionalProperties: false,
        maxProperties: limits.outputFilesMax - 1,
        description:
          'Further outputs of each execution, by name: an image, a set of images in several widths and formats, or a PDF. All outputs come from one run of the nodes.',
      }),
    ),
    examples: Type.Optional(
      Type.Array(WorkflowExample, {
        maxItems: limits.examplesMax,
        description: 'Examples for comparing versions. Executions ignore them.',
      }),
    ),
    delivery: Type.Optional(Delivery),
    mcp: Type.Optional(Mcp),
    openai: Type.Optional(OpenAi),
    layout: Type.Optional(
      Type.Unknown({ description: 'Positions of nodes in the console. Has no effect on executions.' }),
    ),
  },
  {
    ...named('WorkflowDocument'),
    additionalProperties: false,
    examples: [
      {
        name: 'Square',
        parameters: [{ name: 'photo', type: 'string', required: true, description: 'An image id or URL' }],
        nodes: {
          photo: { type: 'image', params: { source: '{{ photo }}' } },
          square: { type: 'resize', inputs: { image: 'photo' }, params: { width: 600, height: 600 } },
        },
        output: { node: 'square', format: 'webp' },
      },
    ],
  },
)

export type WorkflowDocument = Static<typeof WorkflowDocument>
export type WorkflowNode = Static<typeof WorkflowNode>
export type NamedOutput = Static<typeof NamedOutput>
export type WorkflowExample = Static<typeof WorkflowExample>
export type ParameterDeclaration = Static<typeof ParameterDeclaration>

/** A value for each declared parameter. */
export type ParameterValues = Record<string, ParameterValue>

export interface Workflow {
  id: string
  accountId: string
  projectId: string
  /** Unique among the workflows of the account that are not deleted; null if it has none. */
  slug: string | null
  name: string
  description: string
  /** The newest version: 1, 2, 3, ... */
  version: number
  createdAt: number
  updatedAt: number
}

/** A published document. It never changes. */
export interface WorkflowVersion {
  workflowId: string
  version: number
  document: WorkflowDocument
  createdAt: number
  /** The note of the publisher. */
  note?: string
}

/** A workflow that a version uses. Its name in the document may be a slug that changes; the use doesn't. */
export interface WorkflowUse {
  /** Name as in the document: `link-card@7`. */
  name: string
  workflowId: string
  version: number
}

/** A workflow that uses another one, in at least one version. */
export interface WorkflowUser {
  workflowId: string
  name: string
  slug: string | null
  /** Its newest version that does. */
  version: number
  /** The version that it uses; the newest of several. */
  usedVersion: number
}

/** A workflow to store, with what its new version uses. */
export type StoredWorkflow = Workflow & { uses?: readonly WorkflowUse[] }

/** Some documents that were searched for a text. */
export interface DocumentSearch {
  /** The ids of the workflows whose document contains the text. */
  ids: ReadonlySet<string>
  /** The size of all documents that were searched. */
  bytes: number
}

export interface WorkflowOwner extends Pick<Workflow, 'name' | 'projectId'> {
  /** The plan of the account. */
  plan: PlanName
  /** See `Project`. */
  outputsExpireIn?: number
}

export interface WorkflowStore {
  /**
   * Stores a workflow; with `record`, see `KeyTaken`. Throws `SlugTaken`, `UsedWorkflowDeleted`, and `QuotaReached`
   * above `workflowsMax`.
   */
  create(workflow: StoredWorkflow, document: WorkflowDocument, record?: NewIdempotencyRecord): Promise<void>
  find(accountId: string, id: string): Promise<Workflow | undefined>
  findByName(accountId: string, name: string): Promise<Workflow | undefined>
  findBySlug(accountId: string, slug: string): Promise<Workflow | undefined>
  /** `search`: a part of the name, case-insensitive. */
  list(
    accountId: string,
    page: PageRequest,
    filter: { projectId?: string; search?: string },
  ): Promise<CountedPage<Workflow>>
  /** The workflows of the account whose newest version contains the text, such as an id. */
  containing(accountId: string, ids: readonly string[], text: string): Promise<DocumentSearch>
  /**
   * Writes `workflow`, except for its slug, with its new version. False if the stored version is not `expectedVersion`. With a `slug`, that is
   * written, too. Throws `SlugTaken` and `UsedWorkflowDeleted`.
   */
  replace(
    workflow: StoredWorkflow,
    document: WorkflowDocument,
    expectedVersion: number,
    slug?: string,
  ): Promise<boolean>
  /** Sets the slug, or removes it. False if the account has no such workflow. Throws `SlugTaken`. */
  setSlug(accountId: string, id: string, slug: string | null, now: number): Promise<boolean>
  /** The document of one version, also if the workflow was deleted: its executions continue. */
  findVersion(workflowId: string, version: number): Promise<WorkflowVersion | undefined>
  /** Its name and project, also after it was deleted, and what they say about the outputs of its executions. */
  findOwner(workflowId: string): Promise<WorkflowOwner | undefined>
  /** Newest first. */
  listVersions(workflowId: string, page: PageRequest): Promise<CountedPage<Omit<WorkflowVersion, 'document'>>>
  /** The workflows that a version uses. */
  uses(workflowId: string, version: number): Promise<WorkflowUse[]>
  /** The workflows that are not deleted and use this one, the newest first. */
  users(workflowId: string, limit: number): Promise<WorkflowUser[]>
  /** False if there is none. Throws `WorkflowUsed` if another workflow uses it. Removes its draft too. Its executions and their outputs stay. */
  remove(accountId: string, id: string, now: number): Promise<boolean>
}

/** Another workflow that is not deleted uses the workflow. Nothing was deleted. */
export class WorkflowUsed extends Error {
  constructor() {
    super('the workflow is used')
    this.name = 'WorkflowUsed'
  }
}

/** A workflow that the new version uses was deleted since it was checked. Nothing was written. */
export class UsedWorkflowDeleted extends Error {
  readonly use: WorkflowUse
  constructor(use: WorkflowUse) {
    super(`the workflow ${use.name} was deleted`)
    this.name = 'UsedWorkflowDeleted'
    this.use = use
  }
}

/** Another workflow of the account has the slug. Nothing was written. */
export class SlugTaken extends Error {
  readonly slug: string
  constructor(slug: string, options?: { cause?: unknown }) {
    super(`the slug "${slug}" is taken`, options)
    this.name = 'SlugTaken'
    this.slug = slug
  }
}
