/** The query of a signed URL. The signature covers it as it was sent, so it is checked there and not by a schema. */
import Type, { type TObject, type TProperties } from 'typebox'

const signature = {
  exp: Type.Optional(Type.Integer({ description: 'When the URL expires, in Unix seconds.' })),
  kid: Type.Optional(Type.String({ description: 'The id of a signing key.' })),
  sig: Type.Optional(
    Type.String({ description: 'The signature, as the last parameter: an HMAC-SHA-256 as base64url without padding.' }),
  ),
}

/** `parameters`: the others that the URL can have, for the API reference. */
export function signedQuery(parameters: TProperties = {}): TObject {
  return Type.Object(
    {},
    { additionalProperties: true, 'x-reference': Type.Object({ ...parameters, ...signature }) },
  ) as unknown as TObject
}
