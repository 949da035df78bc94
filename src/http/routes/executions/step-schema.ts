/** What is told of steps, as replies carry it. */
import Type from 'typebox'
import { stepOrigins, stepStatuses } from '../../../domain/execution.ts'
import { ModelCall } from '../providers/schema.ts'
import { Timestamp } from '../schema.ts'

const closed = { additionalProperties: false }

/** What executing takes. */
export const previewsField = Type.Boolean({
  description:
    'Whether a small picture of what each step gives is kept, to look at while it runs and afterwards. Default false.',
})

export const StepRecord = Type.Object(
  {
    node: Type.String(),
    operation: Type.String(),
    status: Type.Enum([...stepStatuses]),
    startedAt: Type.Optional(Timestamp),
    duration: Type.Optional(Type.Number({ description: 'Milliseconds.' })),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    count: Type.Optional(
      Type.Integer({
        description: 'How many images it gave, when it ran over a list; width and height are those of the first.',
      }),
    ),
    servedFrom: Type.Optional(
      Type.Enum([...stepOrigins], {
        description:
          'Where its result came from when it did not run: `cache`, also where it was not needed because what follows came from there; `resumed`, the execution that this one resumes.',
      }),
    ),
    calls: Type.Optional(
      Type.Array(ModelCall, {
        description: 'The calls of AI models that it made, in their order, those of earlier attempts included.',
      }),
    ),
    preview: Type.Optional(
      Type.Object(
        { url: Type.String(), width: Type.Integer(), height: Type.Integer() },
        { ...closed, description: 'A small picture of what it gave, where the execution was asked for previews.' },
      ),
    ),
    error: Type.Optional(
      Type.Object({ message: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) }, closed),
    ),
  },
  closed,
)
