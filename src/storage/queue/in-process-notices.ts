import type { ExecutionNotice, ExecutionNotices } from '../../domain/executions/execution-notice.ts'

/**
 * Notices within one process, delivered before `send` returns. An error of a listener goes to `onError`, and the other
 * listeners still get the notice.
 */
export function createInProcessNotices({ onError }: { onError: (error: unknown) => void }): ExecutionNotices {
  const listeners = new Set<{ notify: (notice: ExecutionNotice) => void }>()
  return {
    send(notice) {
      for (const listener of [...listeners]) {
        if (!listeners.has(listener)) continue
        try {
          listener.notify(notice)
        } catch (error) {
          onError(error)
        }
      }
    },
    listen(notify) {
      const listener = { notify }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
