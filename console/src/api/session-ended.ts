/** Whether an API response said that the session has ended. */
import { createStore } from 'zustand/vanilla'

export const sessionEnded = createStore<{ hasEnded: boolean; signIns: number }>(() => ({ hasEnded: false, signIns: 0 }))

/** Call it when a request starts. The returned function reports its 401, unless someone has signed in since. */
export function watchSession(): () => void {
  const { signIns } = sessionEnded.getState()
  return () => {
    if (sessionEnded.getState().signIns === signIns) sessionEnded.setState({ hasEnded: true })
  }
}

/** Someone has signed in, or has left. */
export function clearSessionEnded(): void {
  sessionEnded.setState(({ signIns }) => ({ hasEnded: false, signIns: signIns + 1 }))
}
