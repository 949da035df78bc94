/** Whether the API said, in the middle of the work, that nobody is signed in any more. */
import { createStore } from 'zustand/vanilla'

export const sessionEnded = createStore<{ hasEnded: boolean }>(() => ({ hasEnded: false }))

export function markSessionEnded(): void {
  sessionEnded.setState({ hasEnded: true })
}

export function clearSessionEnded(): void {
  sessionEnded.setState({ hasEnded: false })
}
