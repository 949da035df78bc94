/** Schemas of drafts. */
import Type from 'typebox'
import { closed } from '../../define-route.ts'
import { LastOutput } from '../executions/schema.ts'
import { Timestamp } from '../schema.ts'

/** Told as it is: anything may be missing or wrong in it. */
export const DraftDocument = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'The workflow document so far: any JSON object. What is wrong in it is told when it is executed or published.',
})

const item = {
  workflowId: Type.String({ description: 'Of a workflow that was never published, the id that it will have.' }),
  name: Type.String({ description: "The document's, or `Untitled`." }),
  projectId: Type.String(),
  baseVersion: Type.Integer({ description: 'The version that it began from; 0: there was none.' }),
  revision: Type.Integer({ description: 'Goes up with each save; also the `ETag`.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const DraftItem = Type.Object({ ...item, lastOutput: Type.Optional(LastOutput) }, closed)

export const Draft = Type.Object({ ...item, document: DraftDocument }, closed)
