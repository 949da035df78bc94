/** Whether an API response said that the session has ended. */
import { createStore } from 'zustand/vanilla'

export const sessionEnded = createStore<{ hasEnded: boolean }>(() => ({ hasEnded: false }))

export function markSessionEnded(): void {
  sessionEnded.setState({ hasEnded: true })
}

export function clearSessionEnded(): void {
  sessionEnded.setState({ hasEnded: false })
}
