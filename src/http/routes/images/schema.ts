/** Schemas of images. */
import Type from 'typebox'
import { imageFormats } from '../../../domain/image.ts'
import { closed } from '../../define-route.ts'
import { Timestamp } from '../schema.ts'

export const ImageDetail = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    name: Type.String({ description: 'File name.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    format: Type.Enum(Object.keys(imageFormats)),
    width: Type.Integer(),
    height: Type.Integer(),
    createdAt: Timestamp,
    projectId: Type.Optional(Type.String()),
  },
  closed,
)

export const ImageListItem = Type.Object(
  { id: Type.String(), url: Type.String(), name: Type.String(), size: Type.Integer(), createdAt: Timestamp },
  closed,
)
