/** The tables with a row for each day. */

export interface DailyTables {
  usage_daily: UsageDailyRow
  requests_daily: RequestsDailyRow
  executions_daily: ExecutionsDailyRow
}

/** Sums of the calls that ended on a day. */
export interface UsageDailyRow {
  account_id: string
  day: string
  workflow_id: string
  /** Empty if it is not known. */
  key_id: string
  model: string
  capability: string
  calls: number
  failures: number
  cost: number
  unknown_costs: number
}

/** Requests of a day. */
export interface RequestsDailyRow {
  account_id: string
  day: string
  requests: number
  refused: number
}

/** Executions that ended on a day, added up once when the day is over. */
export interface ExecutionsDailyRow {
  account_id: string
  day: string
  /** JSON: EndedExecutions['failures'] */
  failures: string
  /** JSON: EndedExecutions['durations'] */
  durations: string
}
