/** Schemas of workflows, their versions, comparisons and validation. */
import Type from 'typebox'
import { imageFormats } from '../../../domain/images/image.ts'
import { named } from '../../../domain/named-schema.ts'
import { outputKinds } from '../../../domain/workflows/outputs.ts'
import { ParameterDeclaration } from '../../../domain/workflows/workflow.ts'
import { limits } from '../../../limits.ts'
import { IssueRecord } from '../../response/problem.ts'
import { ExecutionError, LastOutput } from '../executions/schema.ts'
import { Timestamp } from '../schema.ts'

const Issues = Type.Array(IssueRecord)

export const WorkflowListItem = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    projectId: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    slug: Type.Optional(Type.String({ description: 'With `include=version`. Absent if it has none.' })),
    version: Type.Optional(Type.Integer({ description: 'With `include=version`: the newest version.' })),
    lastOutput: Type.Optional(LastOutput),
  },
  named('WorkflowSummary'),
)

export const WorkflowDetail = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    projectId: Type.String(),
    slug: Type.Optional(
      Type.String({ description: 'Name of the workflow in requests and URLs. Absent if it has none.' }),
    ),
    parameters: Type.Array(ParameterDeclaration),
    inputSchema: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'A JSON Schema (2020-12) of the whole `parameters` object of a request: it accepts exactly what executing the workflow accepts.',
    }),
    createdAt: Timestamp,
    updatedAt: Type.Optional(Timestamp),
    version: Type.Optional(Type.Integer({ description: 'The newest version, which executions run by default.' })),
    warnings: Type.Optional(Issues),
    outputs: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), kind: Type.Enum([...outputKinds]) }, named('DeclaredOutput')), {
        description:
          'The outputs in `outputs` of the document: an image, a set of files of one image, or a PDF. Absent if there are none.',
      }),
    ),
    usedBy: Type.Optional(
      Type.Array(
        Type.Object(
          {
            workflowId: Type.String(),
            name: Type.String(),
            slug: Type.Optional(Type.String()),
            version: Type.Integer({ description: 'The newest version of that workflow that uses this one.' }),
            usedVersion: Type.Integer({ description: 'The newest version of this workflow that it uses.' }),
          },
          named('WorkflowUser'),
        ),
        {
          description: `With \`GET\`: the workflows that use this one in a node of the type \`workflow\`, the newest first, at most ${limits.usersShownMax}. Absent if there are none. With users, the workflow can't be deleted.`,
        },
      ),
    ),
  },
  {
    ...named('Workflow'),
    examples: [
      {
        id: 'wf_06h15x0nmw0097a6m4hdb288e0ha',
        name: 'Link preview card',
        description: '',
        projectId: 'proj_06h15x0nmc00a1tqg3m5y0w2v8fk',
        parameters: [{ name: 'headline', type: 'string', required: true }],
        inputSchema: {
          type: 'object',
          properties: { headline: { type: 'string' } },
          required: ['headline'],
          additionalProperties: false,
        },
        createdAt: '2026-11-25T13:48:06.118Z',
        updatedAt: '2026-11-25T13:48:06.118Z',
        version: 1,
      },
    ],
  },
)

const ComparedSide = Type.Union([
  Type.Object(
    {
      width: Type.Integer(),
      height: Type.Integer(),
      format: Type.Enum(Object.keys(imageFormats)),
      size: Type.Integer({ description: 'Bytes.' }),
    },
    named('ImageFacts'),
  ),
  Type.Object(
    {
      error: ExecutionError,
    },
    named('FailedComparison'),
  ),
])

export const Comparison = Type.Object(
  {
    examples: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          output: Type.Optional(Type.String({ description: 'One of `outputs`. Absent for the primary output.' })),
          page: Type.Optional(Type.Integer({ description: 'Of an output that is a PDF, from 1.' })),
          result: Type.Enum(['same', 'encoded', 'different', 'resized', 'failed'], {
            description:
              '`same`: equal bytes. `encoded`: the same pixels in another format or quality. `different`: other pixels. `resized`: another size or number of frames. `failed`: at least one execution failed; its error replaces the image.',
          }),
          before: ComparedSide,
          after: ComparedSide,
          differing: Type.Union([Type.Number(), Type.Null()], {
            description: 'Share of pixels that differ, 0 to 1, before encoding.',
          }),
          maxDifference: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Largest difference of a channel, 0 to 255.',
          }),
          psnr: Type.Union([Type.Number(), Type.Null()], {
            description: 'Peak signal-to-noise ratio in dB. Null if all pixels are equal or the sizes differ.',
          }),
        },
        named('ComparedExample'),
      ),
    ),
  },
  {
    ...named('Comparison'),
    description:
      'The differences between the outputs of the newest version and of the new document. Nothing was saved.',
  },
)

/**
 * Reply with the saved workflow; with `?compare=true`, `comparison` is set and the other fields are the current,
 * unchanged workflow.
 */
export const ReplaceWorkflowReply = Type.Object(
  {
    ...WorkflowDetail.properties,
    comparison: Type.Optional(Comparison),
  },
  named('WorkflowReplacement'),
)

export const WorkflowVersionItem = Type.Object(
  {
    version: Type.Integer(),
    createdAt: Timestamp,
    note: Type.Optional(Type.String({ description: 'The note of the publisher.' })),
  },
  named('WorkflowVersion'),
)

export const CostRange = Type.Union(
  [Type.Object({ minUsd: Type.Number(), maxUsd: Type.Number() }, named('CostRange')), Type.Null()],
  { description: 'Estimated cost of AI model calls in US dollars. Null if a price is unknown.' },
)

export const ValidationReply = Type.Object(
  {
    valid: Type.Boolean(),
    issues: Issues,
    warnings: Issues,
    steps: Type.Array(
      Type.Object(
        {
          node: Type.String(),
          operation: Type.String(),
          action: Type.Enum(['run', 'skip', 'decide', 'unneeded'], {
            description: '`decide`: known only after other nodes have run. `unneeded`: no other node uses the result.',
          }),
          params: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
            description: 'Resolved params, including defaults. Null if they are known only after other nodes have run.',
          }),
          fusedWith: Type.Union([Type.String(), Type.Null()], {
            description:
              'The node that is processed in the same call of the image library, without an intermediate image. The id of this node if it is fused with the encoding.',
          }),
          servedFrom: Type.Union([Type.Literal('cache'), Type.Null()], {
            description: '`cache`: the node would not run, because its result or the result of a later node is cached.',
          }),
          expectedDuration: Type.Union([Type.Number(), Type.Null()], {
            description: 'Milliseconds: the median of the operation in recent executions of the account.',
          }),
          cost: Type.Optional(CostRange),
          fingerprint: Type.Optional(
            Type.String({
              description:
                'Identifies the work of the step: its settings and all that it depends on. Compare it with the steps of an execution with `previews: true`. Absent for `unneeded`.',
            }),
          ),
        },
        named('PlannedStep'),
      ),
    ),
    expectedDuration: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Milliseconds from start to stored output, estimated from recent executions of the account. Null if an operation has not run yet.',
    }),
    cost: CostRange,
    output: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'Resolved output settings. Null if they are not known yet.',
    }),
    outputs: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String(),
            nodes: Type.Array(Type.String(), { description: 'The node of the image, or the nodes of the pages.' }),
            settings: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
              description: 'Resolved settings. Null if they are not known yet.',
            }),
            files: Type.Union(
              [
                Type.Array(
                  Type.Object(
                    { width: Type.Optional(Type.Integer()), format: Type.Optional(Type.String()) },
                    named('PlannedFile'),
                  ),
                ),
                Type.Null(),
              ],
              {
                description:
                  'The files: the width is at most this one, and a missing width or format depends on the image. Null if they are not known yet.',
              },
            ),
          },
          named('PlannedOutput'),
        ),
        { description: 'The outputs in `outputs`. Absent if the workflow has none, or is not valid.' },
      ),
    ),
  },
  named('Validation'),
)
