/** The tables of delivery URLs. */

export interface DeliveryTables {
  signing_keys: SigningKeyRow
  derived_files: DerivedFileRow
  derived_file_images: DerivedFileImageRow
}

export interface SigningKeyRow {
  id: string
  account_id: string
  name: string
  secret: string
  /** JSON: string[]. Null: all workflows. */
  workflow_ids: string | null
  images: 0 | 1
  monthly_budget_micros: number | null
  budget_id: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

/** A file of delivery URLs. */
export interface DerivedFileRow {
  key: string
  /** A workflow or an image. */
  owner_id: string
  account_id: string
  /** The execution that makes or made it; null for a size of an image. */
  execution_id: string | null
  /** These are null until the file is ready. */
  id: string | null
  format: string | null
  width: number | null
  height: number | null
  sha256: string | null
  /** 0 until the file is ready. */
  size: number
  /** Seconds. */
  max_age: number
  reads_urls: 0 | 1
  is_paid: 0 | 1
  redirects: 0 | 1
  created_at: number
  used_at: number
}

/** An image that the execution of a file has read. */
export interface DerivedFileImageRow {
  key: string
  image_id: string
}
