/** Further results of a node to choose from. They are executions of the draft up to the node, with variations that the draft doesn't have. */
import type { QueryClient } from '@tanstack/react-query'
import type { StoreApi } from 'zustand/vanilla'
import { endedExecution } from '../../api/execution-events.ts'
import { executeDraft } from '../../api/executions.ts'
import type { DocumentStore } from './document-store.ts'
import { declaredValues } from './parameter-values.ts'
import type { RunState } from './run.ts'
import { declaredVariations, withOfferedVariation } from './variations.ts'

interface Options {
  workflowId: string
  document: DocumentStore
  flush(): Promise<void>
  queryClient: QueryClient
}

type Store = Pick<StoreApi<RunState>, 'getState' | 'setState'>

export function createOffer(run: Store, { workflowId, document: store, flush, queryClient }: Options) {
  const count = (node: string, change: number) =>
    run.setState(({ offered }) => {
      const waiting = (offered.get(node) ?? 0) + change
      const others = [...offered].filter(([id]) => id !== node)
      return { offered: new Map(waiting > 0 ? [...others, [node, waiting]] : others) }
    })
  /** Resolves when the result is stored, or failed. Undefined if it succeeded. */
  const make = async (node: string): Promise<(Error & { reason?: unknown }) | undefined> => {
    const { document, variations } = store.getState()
    try {
      const { executionId } = await executeDraft(workflowId, {
        node,
        parameters: declaredValues(document, run.getState().values),
        variations: declaredVariations(document, withOfferedVariation(variations, node)),
        previews: true,
      })
      const { error } = await endedExecution(executionId, new AbortController().signal)
      return error && Object.assign(new Error(error.message), { reason: error.details.reason })
    } catch (error) {
      return error as Error
    }
  }
  /** False if it may succeed after the others. */
  const makeOne = async (node: string, isLast: boolean): Promise<boolean> => {
    const problem = await make(node)
    if (problem?.reason === 'limit_exceeded' && !isLast) return false
    if (problem !== undefined) run.setState({ problem })
    await queryClient.invalidateQueries({ queryKey: ['executions'] })
    count(node, -1)
    return true
  }
  return async (node: string, { count: wanted, alone }: { count: number; alone: boolean }): Promise<void> => {
    run.setState({ problem: undefined })
    count(node, wanted)
    try {
      await flush()
    } catch (error) {
      count(node, -wanted)
      run.setState({ problem: error as Error })
      return
    }
    if (alone) await makeOne(node, true)
    const rest = Array.from({ length: alone ? wanted - 1 : wanted }, () => makeOne(node, false))
    // Each call reserves the most that it can cost. A budget can have too little for four at the same time, and enough for one after the other.
    for (const isMade of await Promise.all(rest)) if (!isMade) await makeOne(node, true)
  }
}
