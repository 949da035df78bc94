/** The run that the editor shows: its execution, its steps as they come, and what can be done with it. */
import { createContext, useContext } from 'react'
import type { Execution, Step } from '../../api/types.ts'

/** How one node stands in the run that is shown. */
export interface NodeRun {
  status: Step['status']
  /** Milliseconds. */
  duration?: number
  servedFrom?: Step['servedFrom']
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

export type ParameterValues = Record<string, string | number>

export interface Run {
  /** What the form of parameters holds: given to the next run. */
  values: ParameterValues
  setValues(values: ParameterValues): void
  execution: Execution | undefined
  steps: readonly Step[]
  nodes: ReadonlyMap<string, NodeRun>
  /** The picture of the run before the one that is shown, to compare. */
  previousUrl: string | undefined
  /** From the click to the end. */
  isRunning: boolean
  /** What went wrong before there was an execution, such as parameters that do not fit. */
  problem: Error | undefined
  /** Runs the draft as it is now, to its output or to `node`. */
  start(options?: { node?: string }): void
  cancel(): void
}

const nothing: Run = {
  values: {},
  setValues: () => undefined,
  execution: undefined,
  steps: [],
  nodes: new Map(),
  previousUrl: undefined,
  isRunning: false,
  problem: undefined,
  start: () => undefined,
  cancel: () => undefined,
}

export const RunContext = createContext<Run>(nothing)

export function useRun(): Run {
  return useContext(RunContext)
}

/** By itself, so that a card is not looked at for every letter that is typed into the form. */
export const NodeRunsContext = createContext<ReadonlyMap<string, NodeRun>>(nothing.nodes)

export function useNodeRun(nodeId: string): NodeRun | undefined {
  return useContext(NodeRunsContext).get(nodeId)
}
