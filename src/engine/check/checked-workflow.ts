/** What a document is once it has been checked: edges found, templates parsed, operations looked up. */

import type { Template } from '../../../shared/template/template.ts'
import type { Check } from '../../domain/validate.ts'
import type { ParameterDeclaration, WorkflowDocument } from '../../domain/workflow.ts'
import type { Issue } from '../../errors.ts'
import type { Operation } from '../../operations/define.ts'
import type { Templated } from './values.ts'

export interface CheckedNode {
  id: string
  operation: Operation
  /** The operation's check of its params, once they are rendered. */
  checkParams: Check
  /** Socket -> nodes, in the operation's order of sockets. */
  inputs: Record<string, string[]>
  params: Templated
  /** What it runs over, under the name `each`; undefined when it runs once. */
  each: Templated | undefined
  when: Template | boolean
  /** Whether its results may be those of earlier executions. */
  cache: boolean
  /** Wires and nodes named in templates, each once. */
  needs: string[]
}

export interface CheckedWorkflow {
  document: WorkflowDocument
  parameters: readonly ParameterDeclaration[]
  nodes: ReadonlyMap<string, CheckedNode>
  /** What the output needs, each after all that it needs. */
  order: string[]
  output: { node: string; settings: Templated; checkSettings: Check }
  /** Legal, but probably not meant. */
  warnings: Issue[]
}

export type CheckResult =
  | { workflow: CheckedWorkflow; issues?: undefined; overLimit?: undefined }
  | {
      workflow?: undefined
      issues: Issue[]
      /** Whether one of them is a limit on the size or the work of documents. */
      overLimit?: boolean
    }

/** The one check of workflow documents, for a catalogue of operations. */
export interface Checker {
  (document: unknown): CheckResult
  /** The same, with turns for other requests while a large document is checked. */
  inTurns(document: unknown): Promise<CheckResult>
}
