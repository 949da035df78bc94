import { useRef } from 'react'
import { useRun } from '../state/editor-context.ts'

/**
 * Keeps the value while a run is in progress: the picture and its handles neither vanish nor flicker. `key`: the owner of the value;
 * another owner has another value.
 */
export function useKept<Value>(key: string, value: Value | undefined): Value | undefined {
  const isRunning = useRun((run) => run.isRunning)
  const kept = useRef<{ key: string; value: Value | undefined }>(undefined)
  const before = kept.current?.key === key ? kept.current.value : undefined
  const shown = isRunning ? (before ?? value) : (value ?? before)
  kept.current = { key, value: shown }
  return shown
}
