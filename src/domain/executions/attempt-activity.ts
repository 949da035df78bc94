/** Distinguishes the work of an execution from waiting: only work can be the reason why a process dies. */
export interface AttemptActivity {
  /** Runs a step, or anything else that decodes, computes or encodes. */
  working<Value>(work: () => Promise<Value>): Promise<Value>
  /** Wraps a wait within work, for example for a provider. Resolves once the execution counts as working again. */
  waiting<Value>(wait: () => Promise<Value>): Promise<Value>
}
