/** The account has as many records of a kind as an account can have. Nothing was written. */
export class QuotaReached extends Error {
  readonly quota: string
  readonly limit: number
  constructor(quota: string, limit: number) {
    super(`the account has ${limit} ${quota} already`)
    this.name = 'QuotaReached'
    this.quota = quota
    this.limit = limit
  }
}
