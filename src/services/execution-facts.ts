/** The facts of an execution for the manifest of its output. */
import type { Execution, Step } from '../domain/execution.ts'
import type { ExecutionFacts } from '../domain/execution-facts.ts'
import type { ImageSource } from '../domain/made-from.ts'
import { hashOf } from '../engine/cache/key.ts'
import type { Plan } from '../engine/plan/plan.ts'
import type { PixelHashes } from '../engine/run/pixel-hashes.ts'
import type { SignedFileOf } from '../engine/run/sign-output.ts'

interface Recorded {
  steps: readonly Step[]
  pixelHashes: PixelHashes
  output: SignedFileOf
  encodedBytesMax: number | undefined
  sources: readonly ImageSource[]
  /** Version of this program. */
  version: string
}

export function executionFacts(
  { id, workflowId, workflowVersion, isDraft, parameters, brand }: Execution,
  { workflow, steps }: Plan,
  { steps: records, pixelHashes, output: { name, format, width }, encodedBytesMax, sources, version }: Recorded,
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
    ...(brand && { brand: hashOf(brand) }),
    inputs: sources.map(({ sha256 }) => sha256),
    operations: Object.fromEntries(used.map(({ node }) => [node.operation.id, node.operation.version])),
    ...(hashes.length > 0 && { pixels: Object.fromEntries(hashes) }),
    ...(seeds.length > 0 && { seeds: Object.fromEntries(seeds) }),
    ...(name !== undefined && { output: { name, ...(format && { format }), ...(width !== undefined && { width }) } }),
    ...(encodedBytesMax !== undefined && { encodedBytesMax }),
    engine: version,
  }
}
