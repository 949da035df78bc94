/** Schemas of the bin. */
import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { Timestamp, testSchema } from '../schema.ts'

export const binDays = limits.binSeconds / 86_400

export const BinnedImageItem = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    size: Type.Integer({ description: 'Bytes.' }),
    projectId: Type.Optional(Type.String()),
    createdAt: Timestamp,
    binnedAt: Type.String({ format: 'date-time', description: 'When the image was moved to the bin.' }),
    removedAt: Type.String({
      format: 'date-time',
      description: `The time after which the image is removed: ${binDays} days later, or the \`expiresAt\` that the image had, if that is earlier.`,
    }),
    test: testSchema,
  },
  named('BinnedImage'),
)
