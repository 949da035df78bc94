/** Names for the generated types of the API. */
import type { components } from './schema.d.ts'

export type Schemas = components['schemas']

export type WorkflowItem = Schemas['WorkflowSummary']
export type WorkflowDetail = Schemas['Workflow']
export type VersionItem = Schemas['WorkflowVersion']
export type Validation = Schemas['Validation']
export type Execution = Schemas['Execution']
export type ExecutionStatus = Execution['status']
export type Step = Schemas['Step']
export type ImageItem = Schemas['ImageSummary']
export type ImageDetail = Schemas['Image']
export type Project = Schemas['Project']
export type Operation = Schemas['Operation']
export type Provider = Schemas['Provider']
export type Usage = Schemas['Usage']
