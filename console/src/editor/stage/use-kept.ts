import { useRef } from 'react'
import { useRun } from '../state/editor-context.ts'

/**
 * The value of before a run while the run goes on, so that the picture and its handles neither vanish nor flicker. `key`: of what it
 * is the value; another key has another one.
 */
export function useKept<Value>(key: string, value: Value | undefined): Value | undefined {
  const isRunning = useRun((run) => run.isRunning)
  const kept = useRef<{ key: string; value: Value | undefined }>(undefined)
  const before = kept.current?.key === key ? kept.current.value : undefined
  const shown = isRunning ? (before ?? value) : (value ?? before)
  kept.current = { key, value: shown }
  return shown
}
