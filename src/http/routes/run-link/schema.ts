/** Schemas of run links. */
import Type from 'typebox'
import { executionStatuses } from '../../../domain/executions/execution.ts'
import { imageFormats } from '../../../domain/images/image.ts'
import { budgetKinds } from '../../../domain/models/provider-call.ts'
import { named } from '../../../domain/named-schema.ts'
import { ParameterDeclaration, WorkflowExample } from '../../../domain/workflows/workflow.ts'
import { failureReasons } from '../../../errors.ts'
import { executionFields } from '../executions/schema.ts'
import { Timestamp } from '../schema.ts'

export const RunLinkPage = Type.Object(
  {
    name: Type.String({ description: 'The name of the workflow.' }),
    description: Type.Optional(Type.String()),
    parameters: Type.Array(ParameterDeclaration),
    examples: Type.Array(WorkflowExample, { description: 'Example values of the parameters, without images.' }),
    exampleImage: Type.Optional(
      Type.Object(
        {
          url: Type.String(),
          width: Type.Integer(),
          height: Type.Integer(),
          format: Type.Enum(Object.keys(imageFormats)),
        },
        { ...named('RunLinkImage'), description: 'The image to show before the first execution. Absent without one.' },
      ),
    ),
    usesModels: Type.Boolean({
      description: 'Whether the workflow has nodes that use AI models, which can cost the owner of the link money.',
    }),
    executionsPerMinute: Type.Integer({ description: 'The most executions per minute, by all people with the link.' }),
    uploadBytesMax: Type.Integer({ description: 'The most bytes of an uploaded image.' }),
    uploadSeconds: Type.Integer({ description: 'Seconds after which an uploaded image is removed.' }),
    expiresAt: Type.Optional(Timestamp),
  },
  named('RunLinkPage'),
)

const { executionId, output, outputs, createdAt } = executionFields

export const RunLinkExecution = Type.Object(
  {
    executionId,
    status: Type.Enum([...executionStatuses]),
    output,
    outputs,
    error: Type.Optional(
      Type.Object(
        {
          code: Type.String(),
          message: Type.String({
            description:
              'Text for the person with the link, without nodes, params and providers. Can change in any release.',
          }),
          reason: Type.Optional(Type.Enum(Object.keys(failureReasons))),
          budget: Type.Optional(Type.Enum([...budgetKinds], { description: 'The budget that is used up.' })),
        },
        named('RunLinkError'),
      ),
    ),
    createdAt,
  },
  named('RunLinkExecution'),
)

export const RunLinkUpload = Type.Object(
  { imageId: Type.String({ description: 'The value for a parameter.' }), expiresAt: Timestamp },
  named('RunLinkUpload'),
)
