/** The table of the audit log. */

export interface AuditRow {
  id: string
  account_id: string
  created_at: number
  action: string
  /** The id of the changed record. */
  subject: string
  actor: string
  key_id: string | null
  session_id: string | null
  command: string | null
  address: string | null
  /** JSON: AuditFacts */
  before: string | null
  /** JSON: AuditFacts */
  after: string | null
}
