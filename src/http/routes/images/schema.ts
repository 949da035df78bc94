/** Schemas of images. */
import Type from 'typebox'
import { credentialStates } from '../../../domain/credentials/credential-state.ts'
import { imageFormats } from '../../../domain/images/image.ts'
import { origins } from '../../../domain/images/origin.ts'
import { named } from '../../../domain/named-schema.ts'
import { expiresAtField, Timestamp, testSchema } from '../schema.ts'

/** Origin of an image, an output or a step. */
export const ImageOrigin = Type.Optional(
  Type.Enum([...origins], {
    description:
      'Whether a generative AI model made the pixels. `generated`: all of them. `composite`: a part of them, or it edited the image. Absent if no known model did. The file has the corresponding mark in its metadata (IPTC digital source type).',
  }),
)

const thumbnailText =
  'A signed URL of a small WebP of the image, for lists and galleries. Valid for at least a day. It changes once a day.'

/** Thumbnail of an output. */
export const OutputThumbnailUrl = Type.Optional(
  Type.String({
    description: `${thumbnailText} Absent if the account has no private images: then use the path \`/images/{imageId}/thumbnail\`.`,
  }),
)

const access = {
  thumbnailUrl: Type.Optional(Type.String({ description: thumbnailText })),
  private: Type.Optional(
    Type.Literal(true, {
      description:
        'The image or its project is private: its URLs require a signature. `url` has one, and is valid for at least a day.',
    }),
  ),
  test: testSchema,
}

export const ImageDetail = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    ...access,
    name: Type.String({ description: 'File name.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    format: Type.Enum(Object.keys(imageFormats)),
    width: Type.Integer(),
    height: Type.Integer(),
    origin: ImageOrigin,
    credentials: Type.Optional(
      Type.Enum([...credentialStates], {
        description:
          'The state of the Content Credentials of the file when it was stored. `trusted`: not changed since it was signed by a certificate that this service trusts. `valid`: not changed, but the signer is unknown. `invalid`: changed, or not signed correctly. Absent without credentials.',
      }),
    ),
    createdAt: Timestamp,
    expiresAt: expiresAtField,
    projectId: Type.Optional(Type.String()),
  },
  {
    ...named('Image'),
    examples: [
      {
        id: 'img_06h15xnfhw00snp469yjg5mdfjbs',
        url: 'https://images.example.com/images/img_06h15xnfhw00snp469yjg5mdfjbs.jpg',
        name: 'dandelion.jpg',
        size: 184213,
        format: 'jpeg',
        width: 1600,
        height: 1067,
        createdAt: '2026-11-25T13:48:06.118Z',
      },
    ],
  },
)

export const ImageListItem = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    ...access,
    name: Type.String(),
    size: Type.Integer(),
    createdAt: Timestamp,
    expiresAt: expiresAtField,
  },
  named('ImageSummary'),
)
