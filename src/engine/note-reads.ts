/** What a run reads from outside: hashes of it, by which results are known that follow from it. */
import { hash } from 'node:crypto'
import type { OperationContext } from '../operations/define.ts'
import type { Telling } from './identities.ts'

export interface NotedReads {
  /** For the operations: notes what they read. */
  context: OperationContext
  /** By source; of one that has changed meanwhile, nothing can be told. */
  contents: ReadonlyMap<string, string | undefined>
}

export function noteReads(context: OperationContext, telling: Telling): NotedReads {
  const contents = new Map<string, string | undefined>()
  const open: OperationContext['open'] = async (source, reserve) => {
    const bytes = await context.open(source, reserve)
    if ((await telling.identify(source)) !== undefined) return bytes
    const content = hash('sha256', bytes)
    contents.set(source, !contents.has(source) || contents.get(source) === content ? content : undefined)
    return bytes
  }
  return { context: { ...context, open }, contents }
}
