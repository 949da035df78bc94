/** Names of schemas in the OpenAPI document. */
import Type, { type TSchema } from 'typebox'

/** Schema option: the name of the schema in the OpenAPI document. Schemas that contain it refer to it. */
export function named(name: string): { 'x-name': string } {
  return { 'x-name': name }
}

/** A named schema that is declared later, so that a schema can contain itself. */
export function later(schema: () => TSchema): TSchema {
  return Type.Unsafe({ 'x-later': schema })
}
