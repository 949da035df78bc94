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

const TextLine = Type.Object(
  {
    start: Type.Integer({ description: 'Offset of its first character.' }),
    end: Type.Integer({
      description: 'Offset after its last character: before a line break, or the start of the next line.',
    }),
    x: Type.Number({ description: 'Left edge; the position of the caret in an empty line.' }),
    width: Type.Number(),
    top: Type.Number({ description: 'Top of a caret: of the ascent of the font.' }),
    height: Type.Number({ description: 'Height of a caret: ascent and descent of the font.' }),
    baseline: Type.Number(),
    rightToLeft: Type.Boolean({ description: 'The direction of its paragraph.' }),
    characters: Type.Array(Type.Array(Type.Number(), { minItems: 3, maxItems: 3 }), {
      description:
        'The grapheme clusters in reading order: offset, x of the edge where reading enters it, x of the edge where reading leaves it. The first edge is the right one from right to left. Spaces at the end of a line have positions beyond it.',
    }),
  },
  {
    ...named('TextLine'),
    description: 'A line of a text, in pixels of the image. Offsets are UTF-16 code units of `value`.',
  },
)

const FrameText = Type.Object(
  {
    param: Type.String({ description: 'Path of the param with the text.' }),
    value: Type.String({ description: 'Value of the param after templates.' }),
    size: Type.Number({ description: 'Font size as drawn, in pixels: less than `size` if the text was shrunk.' }),
    lines: Type.Optional(
      Type.Array(TextLine, {
        description:
          'All lines, also empty ones. Characters after the last line are cut off. Absent for markup, whose tags have no position.',
      }),
    ),
  },
  {
    ...named('FrameText'),
    description: 'The positions of a caret in a text. Only with `carets: true`.',
  },
)

const PreviewFrame = Type.Object({ ...Frame.properties, text: Type.Optional(FrameText) }, named('PreviewFrame'))

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
      Type.Array(PreviewFrame, {
        maxItems: limits.stepFramesMax,
        description: 'The areas that the node draws or reads, as in the steps of an execution.',
      }),
    ),
  },
  named('DraftPreview'),
)

export const revisionHeader = { ETag: 'Revision of the draft, for `If-Match`.' }
