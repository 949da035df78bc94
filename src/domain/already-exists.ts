/** What `create` of a store throws when its id, or another value that must be unique, is taken. Nothing was written. */
export class AlreadyExists extends Error {
  constructor(noun: string, options?: { cause?: unknown }) {
    super(`this ${noun} exists already`, options)
    this.name = 'AlreadyExists'
  }
}
