/** What is wrong with a node: issues whose path leads to it. */
import type { Issue } from '../api/client.ts'
import { outputId } from '../document/editor.ts'

/** The id of the card that a path leads to: `nodes.title.params.size` -> `title`. */
export function cardOf(path: string): string | undefined {
  const [room, id] = path.split('.')
  return room === 'nodes' ? id : room === 'output' ? outputId : undefined
}

export function problemsOf(issues: readonly Issue[], id: string): number {
  let count = 0
  for (const { path } of issues) if (cardOf(path) === id) count++
  return count
}
