/** Names for the generated types of the API. */
import type { operations } from './schema.d.ts'

type Operations = operations
type Json<Reply> = Reply extends { content: { 'application/json': infer Body } } ? Body : never
/** The body of a successful response. */
export type ReplyOf<Id extends keyof Operations> = Operations[Id] extends { responses: infer Responses }
  ? Json<Responses extends { 200: infer Ok } ? Ok : Responses extends { 201: infer Made } ? Made : never>
  : never

export type WorkflowItem = ReplyOf<'workflows.list'>['workflows'][number]
export type WorkflowDetail = ReplyOf<'workflows.get'>
export type VersionItem = ReplyOf<'workflows.listVersions'>['versions'][number]
export type Validation = ReplyOf<'workflows.validate'>
export type Execution = ReplyOf<'executions.get'>
export type ExecutionStatus = Execution['status']
export type Step = ReplyOf<'executions.steps'>['steps'][number]
export type ImageItem = ReplyOf<'images.list'>['images'][number]
export type ImageDetail = ReplyOf<'images.get'>
export type Project = ReplyOf<'projects.list'>['projects'][number]
export type Operation = ReplyOf<'operations.list'>['operations'][number]
export type Provider = ReplyOf<'providers.list'>['providers'][number]
export type Usage = ReplyOf<'usage.get'>
