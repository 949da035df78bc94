/** Distinguishes work of an execution from waiting: only the former can be the reason why its process dies. */
export interface AttemptActivity {
  /** Runs a step, or anything else that decodes, computes or encodes. */
  working<Value>(work: () => Promise<Value>): Promise<Value>
  /** Within work: waits for others, a provider say. Resolves once the execution counts as working again. */
  waiting<Value>(wait: () => Promise<Value>): Promise<Value>
}
