/** A document after the check: edges found, templates parsed, operations looked up. */

import type { Reference, Scope, Template } from '../../../shared/template/template.ts'
import type { Check } from '../../domain/validate.ts'
import type { OutputKind } from '../../domain/workflows/outputs.ts'
import type { ParameterDeclaration, WorkflowDocument } from '../../domain/workflows/workflow.ts'
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
  /** Set if the node uses a workflow. No node of a plan has it: the nodes of the workflow take its place (`plan/inline.ts`). */
  used?: UsedWorkflow
  /** The wires like `inputs`, but with the names of outputs of workflows: `card.story`. Undefined if it has none. */
  wires?: Record<string, string[]>
  /** The names like `inputs`, but with the wires of its document. Set for the nodes of a plan with workflows in it. */
  names?: Record<string, string[]>
  /** Set for the nodes of a plan with workflows in it: where their templates read their names. */
  place?: Place
}

/** One use of a workflow in a plan, with the names of that workflow. */
export interface Frame {
  /** The parameters that are known, as templates see them. */
  scope: Scope
  /** The parameters that wait for values of nodes. */
  late: ReadonlyMap<string, LateParameter>
  /** Node of its document -> node of the plan. */
  ids: ReadonlyMap<string, string>
}

export interface LateParameter {
  declaration: ParameterDeclaration
  /** The param of the node, and the path of its params. */
  value: Templated
  at: string
  /** The place from which its templates read their names, with `item` and `index` if the node has `each`. */
  place: Place
  items: Scope
  /** Its references, with the nodes of the plan. */
  references: Reference[]
}

/** The frame of some templates, and the late parameters that they read. */
export interface Place {
  frame: Frame
  late: readonly string[]
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
  /** Nodes of the pages of a PDF, in their order. */
  nodes: string[]
  /** The nodes as `nodes`, but with the names of outputs of workflows: `card.story`. */
  wires: string[]
  settings: Templated
  checkSettings: Check
  /** The place from which its templates read their names. */
  place?: Place
}

/** A brand value, and the path of a template that reads it. */
export interface BrandUse {
  name: string
  path: string
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
  /** The brand values that the outputs need, each once. */
  brandUses: readonly BrandUse[]
  /** Valid, but probably a mistake. */
  warnings: Issue[]
  /** Size, together with the workflows that it uses. */
  extent: Extent
}

/** A workflow that a document uses. */
export interface UsedWorkflow {
  /** Name as in the document: `link-card@7`. */
  name: string
  /** The id of the workflow. */
  id: string
  version: number
  workflow: CheckedWorkflow
}

/** The workflows that a document can use, by the text in the document; a sentence for each that it can't use. */
export type UsableWorkflows = ReadonlyMap<string, UsedWorkflow | { problem: string }>

/** The size of a workflow with the workflows that it uses. A list of a node counts once. */
export interface Extent {
  nodes: number
  /** Size of the documents, as JSON. */
  bytes: number
  /** Characters in all templates together. */
  templateChars: number
  /** How many workflows are inside one another, with this one. */
  depth: number
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
export type Checker = (document: unknown, usable?: UsableWorkflows) => CheckResult
