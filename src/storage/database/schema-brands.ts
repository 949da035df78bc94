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

/** Long brand values that executions of an account read: stored once, and removed after the last of these executions. */
export interface ExecutionBrandRow {
  account_id: string
  /** SHA-256 of `brand` */
  hash: string
  /** JSON: UsedBrandValues */
  brand: string
  /** The last use by a new execution, to a day. */
  used_at: number
}
