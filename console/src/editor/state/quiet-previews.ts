/** Previews for cards without an image: one after the other, only while nothing else is to do. */
import type { Issue } from '../../api/client.ts'
import type { Catalogue } from '../../api/operations.ts'
import { neededNodes, parametersOf } from '../document/part.ts'
import { cardOf } from '../document/path.ts'
import { listNodes, topologicalOrder } from '../document/wires.ts'
import { cardsMax } from './canvas.ts'
import type { Inputs, ModelResults } from './model-results.ts'

export interface QuietQueue {
  /** Starts, or continues, after a time in which nothing happens. */
  start(): void
  /** Something else is to do: aborts the request in progress. */
  interrupt(): void
  /** Requests these nodes, or all, once more. */
  forget(nodes?: Iterable<string>): void
  /** Nothing can be expected before `forget`, for example without the permission to execute. */
  giveUp(): void
}

interface Options {
  /** Resolves when the page has nothing else to do. */
  idle(): Promise<void>
  /** Milliseconds in which nothing happens. */
  quietMs: number
  /** The next node to request; undefined if there is none, or if something else is to do. */
  next(isRequested: (node: string) => boolean): string | undefined
  /** Resolves with the seconds to wait if the request has to be sent again. */
  show(node: string, signal: AbortSignal): Promise<number | undefined>
}

export function createQuietQueue({ idle, quietMs, next, show }: Options): QuietQueue {
  /** The nodes whose current state was requested. */
  const requested = new Set<string>()
  let hasGivenUp = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = new AbortController()
  let last: Promise<void> = Promise.resolve()

  async function work(signal: AbortSignal): Promise<void> {
    for (;;) {
      await idle()
      const node = signal.aborted || hasGivenUp ? undefined : next((id) => requested.has(id))
      if (node === undefined) return
      requested.add(node)
      const waitSeconds = await show(node, signal)
      if (signal.aborted || waitSeconds !== undefined) requested.delete(node)
      if (waitSeconds !== undefined) await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1000))
    }
  }

  return {
    start() {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const { signal } = stop
        last = last.then(() => work(signal))
      }, quietMs)
    },
    interrupt() {
      clearTimeout(timer)
      stop.abort()
      stop = new AbortController()
    },
    forget(nodes = [...requested]) {
      hasGivenUp = false
      for (const node of nodes) requested.delete(node)
    },
    giveUp() {
      hasGivenUp = true
    },
  }
}

interface Cards extends Inputs {
  catalogue: Catalogue
  issues: readonly Issue[]
  models: ModelResults
  isMissing(node: string): boolean
}

/** The first card without an image that the service can make now: all settings and values are there, and no model is called. */
export function nextCard({ catalogue, document, values, issues, models, isMissing }: Cards): string | undefined {
  if (Object.keys(document.nodes).length > cardsMax) return undefined
  const invalid = new Set(issues.map(({ path }) => cardOf(path)))
  const withoutValue = (document.parameters ?? []).flatMap(({ name, required, default: initial }) =>
    required && initial === undefined && values[name] === undefined ? name : [],
  )
  const lists = listNodes(document, catalogue)
  return topologicalOrder(document).find(
    (id) =>
      isMissing(id) &&
      !lists.has(id) &&
      models.areStored(document, id) &&
      ![...neededNodes(document, id)].some((needed) => invalid.has(needed)) &&
      !parametersOf(document, id).some((name) => withoutValue.includes(name)),
  )
}
