/** The tables of brands. */

export interface BrandRow {
  /** The project, or the account itself. */
  owner_id: string
  account_id: string
  /** JSON: BrandValues */
  content: string
  revision: number
  updated_at: number
}

/** Long brand values that executions of an account read: stored once, and for as long as executions, which are never removed. */
export interface ExecutionBrandRow {
  account_id: string
  /** SHA-256 of `brand` */
  hash: string
  /** JSON: UsedBrandValues */
  brand: string
}
