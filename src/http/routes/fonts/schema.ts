/** Schemas of fonts. */
import Type from 'typebox'
import { fontFormats } from '../../../domain/accounts/font.ts'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { Timestamp } from '../schema.ts'

/** The name of a font family: no control characters, no spaces at the ends. */
export const fontFamily = {
  maxLength: limits.fontFamilyCharsMax,
  pattern:
    '^[^\\s\\u0000-\\u001f\\u007f-\\u009f]([^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f])?$',
  'x-expected': 'a name without control characters, and without spaces around it',
}

export const FontRecord = Type.Object(
  {
    id: Type.String(),
    family: Type.String({ description: 'Name of the font family. The files of a family differ in weight and style.' }),
    format: Type.Enum([...fontFormats]),
    weightMin: Type.Integer({ description: 'Lightest weight, 1 to 1000.' }),
    weightMax: Type.Integer({ description: 'Boldest weight. Equals `weightMin`, except for variable fonts.' }),
    italic: Type.Boolean(),
    size: Type.Integer({ description: 'Bytes.' }),
    createdAt: Timestamp,
  },
  named('Font'),
)
