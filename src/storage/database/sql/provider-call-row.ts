/** Converts provider calls to rows and back. */
import type { Capability, CostSource } from '../../../domain/models/model.ts'
import type {
  CallProblem,
  CallResponse,
  CallState,
  Handle,
  ProviderCall,
} from '../../../domain/models/provider-call.ts'
import type { ProviderCallRow } from '../schema.ts'

export function toCallRow(call: ProviderCall): ProviderCallRow {
  return {
    id: call.id,
    account_id: call.accountId,
    execution_id: call.executionId,
    workflow_id: call.workflowId,
    key_id: call.keyId,
    node: call.node,
    item: call.item,
    ordinal: call.ordinal,
    sequence: call.sequence,
    capability: call.capability,
    provider: call.provider,
    model: call.model,
    request_hash: call.requestHash,
    state: call.state,
    handle: jsonOrNull(call.handle),
    response: jsonOrNull(call.response),
    problem: jsonOrNull(call.problem),
    reserved_micros: call.reservedMicros,
    cost_micros: call.costMicros,
    cost_source: call.costSource,
    request_id: call.requestId,
    created_at: call.createdAt,
    updated_at: call.updatedAt,
    ended_at: null,
  }
}

export function toCall(row: ProviderCallRow): ProviderCall {
  return {
    id: row.id,
    accountId: row.account_id,
    executionId: row.execution_id,
    workflowId: row.workflow_id,
    keyId: row.key_id,
    node: row.node,
    item: row.item,
    ordinal: row.ordinal,
    sequence: row.sequence,
    capability: row.capability as Capability,
    provider: row.provider,
    model: row.model,
    requestHash: row.request_hash,
    state: row.state as CallState,
    handle: parsed<Handle>(row.handle),
    response: responseOf(row),
    problem: parsed<CallProblem>(row.problem),
    reservedMicros: row.reserved_micros,
    costMicros: row.cost_micros,
    costSource: row.cost_source as CostSource | null,
    requestId: row.request_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function responseOf({ response }: Pick<ProviderCallRow, 'response'>): CallResponse | null {
  return parsed<CallResponse>(response)
}

/** The text of a JSON column. */
export function jsonOrNull(value: object | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function parsed<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value)
}
