/** The assertion `com.tintype.execution`: what a later execution needs to make the same pixels, as hashes where the content may be private. */
import Type, { type Static } from 'typebox'
import type { Execution, Step } from '../domain/execution.ts'
import type { ImageSource } from '../domain/made-from.ts'
import { checker } from '../domain/validate.ts'
import { hashOf } from '../engine/cache/key.ts'
import type { Plan } from '../engine/plan/plan.ts'
import type { PixelHashes } from '../engine/run/pixel-hashes.ts'
import { limits } from '../limits.ts'

const text = Type.String({ maxLength: limits.credentialTextCharsMax })

const ExecutionFacts = Type.Object({
  execution: text,
  workflow: text,
  /** Of a draft: undefined. */
  version: Type.Optional(Type.Integer()),
  draft: Type.Optional(Type.Boolean()),
  /** SHA-256 of the JSON with sorted keys. */
  document: text,
  parameters: text,
  /** SHA-256 of the bytes of sources. */
  inputs: Type.Array(text),
  /** Id to version. */
  operations: Type.Record(Type.String(), Type.Integer()),
  /** Node to hash of the pixels of its result, where they were in memory. */
  pixels: Type.Optional(Type.Record(Type.String(), text)),
  /** Node to seed. */
  seeds: Type.Optional(Type.Record(Type.String(), Type.Number())),
  /** Version of this program. */
  engine: text,
})

export type ExecutionFacts = Static<typeof ExecutionFacts>

const check = checker(ExecutionFacts)

/** The facts in an assertion of an unknown file. Undefined if they don't have this shape. */
export function parseExecutionFacts(assertion: unknown): ExecutionFacts | undefined {
  return check(assertion).length === 0 ? (assertion as ExecutionFacts) : undefined
}

interface Recorded {
  steps: readonly Step[]
  pixelHashes: PixelHashes
  sources: readonly ImageSource[]
  /** Of this program. */
  version: string
}

export function executionFacts(
  { id, workflowId, workflowVersion, isDraft, parameters }: Execution,
  { workflow, steps }: Plan,
  { steps: records, pixelHashes, sources, version }: Recorded,
): ExecutionFacts {
  const ran = new Set(records.filter(({ status }) => status === 'completed').map(({ node }) => node))
  const used = steps.filter(({ node }) => ran.has(node.id))
  const seeds = used.flatMap(({ node, params }) => (typeof params?.seed === 'number' ? [[node.id, params.seed]] : []))
  const hashes = [...pixelHashes]
  return {
    execution: id,
    workflow: workflowId,
    ...(isDraft ? { draft: true } : { version: workflowVersion }),
    document: hashOf(workflow.document),
    parameters: hashOf(parameters),
    inputs: sources.map(({ sha256 }) => sha256),
    operations: Object.fromEntries(used.map(({ node }) => [node.operation.id, node.operation.version])),
    ...(hashes.length > 0 && { pixels: Object.fromEntries(hashes) }),
    ...(seeds.length > 0 && { seeds: Object.fromEntries(seeds) }),
    engine: version,
  }
}
