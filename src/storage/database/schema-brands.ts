/** The table of brands. */

export interface BrandRow {
  /** The project, or the account itself. */
  owner_id: string
  account_id: string
  /** JSON: BrandValues */
  content: string
  revision: number
  updated_at: number
}
