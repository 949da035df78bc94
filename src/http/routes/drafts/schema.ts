/** Schemas of drafts. */
import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { Frame, LastOutput } from '../executions/schema.ts'
import { Timestamp } from '../schema.ts'

/** Returned unchanged. The document may be incomplete or invalid. */
export const DraftDocument = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The workflow document: any JSON object. It is validated when it is executed or published.',
})

const item = {
  workflowId: Type.String({ description: 'The id of the workflow. For an unpublished workflow, the reserved id.' }),
  name: Type.String({ description: 'The name in the document, or `Untitled`.' }),
  projectId: Type.String(),
  baseVersion: Type.Integer({ description: 'The version that the draft is based on. 0 for an unpublished workflow.' }),
  revision: Type.Integer({ description: 'Increases with each save. Also the `ETag`.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const DraftItem = Type.Object({ ...item, lastOutput: Type.Optional(LastOutput) }, named('DraftSummary'))

export const Draft = Type.Object({ ...item, document: DraftDocument }, named('Draft'))

export const DraftPreview = Type.Object(
  {
    node: Type.String({ description: 'The node that the image is from.' }),
    width: Type.Integer({ description: 'Pixels of the image of the node, before `maxSide`.' }),
    height: Type.Integer(),
    image: Type.Object(
      {
        data: Type.String({ description: 'The bytes of the file, in base64.', contentEncoding: 'base64' }),
        format: Type.Enum(['png', 'jpeg', 'webp'], { description: 'Its media type is `image/` with this name.' }),
        width: Type.Integer({ description: 'Pixels of the file.' }),
        height: Type.Integer(),
      },
      named('DraftPreviewImage'),
    ),
    frames: Type.Optional(
      Type.Array(Frame, {
        maxItems: limits.stepFramesMax,
        description: 'The areas that the node draws or reads, as in the steps of an execution.',
      }),
    ),
  },
  named('DraftPreview'),
)

export const revisionHeader = { ETag: 'Revision of the draft, for `If-Match`.' }
