/** A document after the check: edges found, templates parsed, operations looked up. */

import type { Template } from '../../../shared/template/template.ts'
import type { OutputKind } from '../../domain/outputs.ts'
import type { Check } from '../../domain/validate.ts'
import type { ParameterDeclaration, WorkflowDocument } from '../../domain/workflow.ts'
import type { Issue } from '../../errors.ts'
import type { Choice, Operation } from '../../operations/define.ts'
import type { Templated } from './values.ts'

export interface CheckedNode {
  id: string
  operation: Operation
  /** Checks the rendered params. */
  checkParams: Check
  /** Socket -> nodes, in the operation's order of sockets. */
  inputs: Record<string, string[]>
  params: Templated
  /** The template or value of `each`; undefined if it runs once. */
  each: Templated | undefined
  when: Template | boolean
  /** Whether its results may come from earlier executions. */
  cache: boolean
  /** Set if its params may choose one of its images, so that the nodes of the others are not needed. */
  choice: Choice | undefined
  /** The nodes that it is wired to or names in templates, each once. */
  needs: string[]
}

/** `output`, or one of `outputs`. */
export interface CheckedOutput {
  /** Undefined for the primary output. */
  name: string | undefined
  /** Its path in the document. */
  at: string
  kind: OutputKind
  /** The node of its image. */
  node: string
  /** Of a PDF: the nodes of its pages, in their order. */
  nodes: string[]
  settings: Templated
  checkSettings: Check
}

export interface CheckedWorkflow {
  document: WorkflowDocument
  parameters: readonly ParameterDeclaration[]
  nodes: ReadonlyMap<string, CheckedNode>
  /** The nodes that the outputs need, each after its dependencies. */
  order: string[]
  /** The primary output. */
  output: CheckedOutput
  /** All outputs, the primary one first. */
  outputs: readonly CheckedOutput[]
  /** Valid, but probably a mistake. */
  warnings: Issue[]
}

export type CheckResult =
  | { workflow: CheckedWorkflow; issues?: undefined; overLimit?: undefined }
  | {
      workflow?: undefined
      issues: Issue[]
      /** Whether one issue is a limit on the size or the work of documents. */
      overLimit?: boolean
    }

/** The check of workflow documents, for a catalogue of operations. */
export interface Checker {
  (document: unknown): CheckResult
  /** The same, but yields to other requests during a long check. */
  inTurns(document: unknown): Promise<CheckResult>
}
