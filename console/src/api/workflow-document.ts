/**
 * The workflow document. While it is edited it can be incomplete, so fewer fields are required than in a saved version.
 */

import type { ValueSchema } from '../../../shared/json-schema.ts'
import type { ParameterFormat } from '../../../shared/parameter-formats.ts'
import type { ParameterValue } from '../../../shared/parameters.ts'

export interface Parameter {
  name: string
  type: 'string' | 'number'
  required?: boolean
  description?: string
  /** The default value of a parameter; with format `boolean` or `json`, the value or its text. */
  default?: ParameterValue
  enum?: string[]
  labels?: Record<string, string>
  format?: ParameterFormat
  schema?: ValueSchema
  minimum?: number
  maximum?: number
}

/** The value of each parameter, by name. */
export type ParameterValues = Record<string, ParameterValue>

export interface WorkflowNode {
  type: string
  /** Slug or id of the used workflow, and its version, as `link-card@7`. Set for nodes of the type `workflow`. */
  workflow?: string
  /** Socket -> node, or nodes for a socket that takes many. */
  inputs?: Record<string, string | string[]>
  params?: Record<string, unknown>
  each?: unknown
  cache?: boolean
  when?: string | boolean
  /** The id of a stored image, which is the result in place of the operation. */
  pinned?: string
}

export interface OutputSettings {
  node?: string
  format?: unknown
  quality?: unknown
  name?: unknown
  [setting: string]: unknown
}

/** An output next to the primary one: an image, a set of images, or a PDF. */
export interface NamedOutput {
  /** The node whose image is the output; for a PDF, nodes in the order of the pages. */
  node?: string | string[]
  [setting: string]: unknown
}

export interface WorkflowDocument {
  name: string
  description?: string
  parameters?: Parameter[]
  nodes: Record<string, WorkflowNode>
  output?: OutputSettings
  outputs?: Record<string, NamedOutput>
  examples?: { name: string; parameters?: Record<string, unknown> }[]
  layout?: unknown
}
