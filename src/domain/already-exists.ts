/** The error of a store's `create` if the id, or another unique value, exists already. Nothing was written. */
export class AlreadyExists extends Error {
  constructor(noun: string, options?: { cause?: unknown }) {
    super(`this ${noun} exists already`, options)
    this.name = 'AlreadyExists'
  }
}
