/** The assertion `com.tintype.execution`: what a later execution needs to make the same pixels, as hashes where the content may be private. */
import Type, { type Static } from 'typebox'
import { limits } from '../../limits.ts'
import { checker } from '../validate.ts'

const text = Type.String({ maxLength: limits.credentialTextCharsMax })

const ExecutionFacts = Type.Object({
  execution: text,
  workflow: text,
  /** Version of the workflow; undefined for a draft. */
  version: Type.Optional(Type.Integer()),
  draft: Type.Optional(Type.Boolean()),
  /** SHA-256 of the JSON with sorted keys. */
  document: text,
  parameters: text,
  /** Hash of the brand values that the workflow reads. */
  brand: Type.Optional(text),
  /** SHA-256 of the bytes of sources. */
  inputs: Type.Array(text),
  /** Id to version. */
  operations: Type.Record(Type.String(), Type.Integer()),
  /** Node to hash: of the file of a source, otherwise of the pixels of the result. Missing if the pixels were not in memory. */
  pixels: Type.Optional(Type.Record(Type.String(), text)),
  /** Node to seed. */
  seeds: Type.Optional(Type.Record(Type.String(), Type.Number())),
  /** One of `outputs`; undefined for the primary output. Of a file in a set: its format and width as requested. */
  output: Type.Optional(
    Type.Object({ name: text, format: Type.Optional(text), width: Type.Optional(Type.Integer({ minimum: 1 })) }),
  ),
  /** If the output has a limit of bytes: the limit for the file without its credentials. */
  encodedBytesMax: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Version of this program. */
  engine: text,
})

export type ExecutionFacts = Static<typeof ExecutionFacts>

const check = checker(ExecutionFacts)

/** The facts in an assertion of an unknown file. Undefined if they don't have this shape. */
export function parseExecutionFacts(assertion: unknown): ExecutionFacts | undefined {
  return check(assertion).length === 0 ? (assertion as ExecutionFacts) : undefined
}
