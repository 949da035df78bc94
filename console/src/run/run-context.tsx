/** The run that the editor shows: its execution, its steps as they come, and what can be done with it. */
import { createContext, useContext } from 'react'
import type { Execution } from '../api/types.ts'

/** How one node stands in the run that is shown. */
export interface NodeRun {
  status: 'pending' | 'running' | 'completed' | 'skipped' | 'failed' | 'cancelled'
  /** Milliseconds. */
  duration?: number
  servedFrom?: 'cache' | 'resumed'
  /** A path of this origin. */
  previewUrl?: string
  width?: number
  height?: number
  error?: { message: string; details: Record<string, unknown> }
  /** US dollars. */
  costUsd?: number
  /** The document has changed since in a way that this node may see: what is shown is of before. */
  isStale?: boolean
}

export interface Run {
  execution: Execution | undefined
  nodes: ReadonlyMap<string, NodeRun>
  isRunning: boolean
  /** What went wrong before there was an execution, such as parameters that do not fit. */
  problem: Error | undefined
  /** Runs the draft, to its output or to `node`. */
  start(options?: { node?: string; parameters?: Record<string, string | number> }): void
  cancel(): void
}

const nothing: Run = {
  execution: undefined,
  nodes: new Map(),
  isRunning: false,
  problem: undefined,
  start: () => undefined,
  cancel: () => undefined,
}

export const RunContext = createContext<Run>(nothing)

export function useRun(): Run {
  return useContext(RunContext)
}

export function useNodeRun(nodeId: string): NodeRun | undefined {
  return useContext(RunContext).nodes.get(nodeId)
}
