/** The responses of this run, compared with those that the OpenAPI document declares. */
import type { OpenApi } from './openapi.ts'

const received = new Map<string, number>()

export function record(operationId: string, status: number, code: string | undefined): void {
  const row = rowOf(operationId, status, code)
  received.set(row, (received.get(row) ?? 0) + 1)
}

export interface LedgerReport {
  declared: number
  /** Declared, never seen, and not waived. */
  untested: string[]
  /** Seen and not declared. */
  undeclared: string[]
  /** Waived, but seen or not declared: the waiver has to be removed. */
  unusedWaivers: string[]
}

/** `waivers`: a row, or its end (` 500 internal_error`), and the reason why no test can or should cause it. */
export function ledgerReport(openApi: OpenApi, waivers: Record<string, string>): LedgerReport {
  const declared = openApi.operations.flatMap((operation) =>
    [...operation.responses].flatMap(([status, { codes }]) =>
      (codes.length > 0 ? codes : [undefined]).map((code) => rowOf(operation.operationId, status, code)),
    ),
  )
  const waiverOf = (row: string): string | undefined => Object.keys(waivers).find((each) => row.endsWith(each))
  const missing = declared.filter((row) => !received.has(row))
  const used = new Set(missing.map(waiverOf))
  return {
    declared: declared.length,
    untested: missing.filter((row) => waiverOf(row) === undefined),
    undeclared: [...received.keys()].filter((row) => !declared.includes(row)),
    unusedWaivers: Object.keys(waivers).filter((each) => !used.has(each)),
  }
}

function rowOf(operationId: string, status: number, code: string | undefined): string {
  return `${operationId} ${status}${code === undefined ? '' : ` ${code}`}`
}
