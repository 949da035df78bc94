/** Where clients reach this installation: known to who serves, kept for commands and workers that run elsewhere. */
export interface AddressStore {
  /** `PUBLIC_URL` of whoever served last; undefined before the first. */
  find(): Promise<string | undefined>
  keep(url: string): Promise<void>
}
