/** A separate process with the memory settings of the service. Measures one part of the engine and prints it as JSON. */
import { measureBranches, measureChains } from './chains.ts'
import { measureCredentials } from './credentials.ts'
import { measureHtml } from './html.ts'
import { measureLongRun } from './long-run.ts'
import { measureModels } from './models.ts'
import { measureOperations } from './operations.ts'
import { measureOutputs } from './outputs.ts'
import { measureQuality } from './quality.ts'

const measures = {
  chains: measureChains,
  branches: measureBranches,
  credentials: measureCredentials,
  html: measureHtml,
  'long-run': measureLongRun,
  models: measureModels,
  operations: measureOperations,
  quality: measureQuality,
  outputs: measureOutputs,
}

export type EnginePart = keyof typeof measures
export type EngineResults = { [Part in EnginePart]?: Awaited<ReturnType<(typeof measures)[Part]>> }

const part = process.argv[2] as EnginePart
process.stdout.write(JSON.stringify(await measures[part]()))
