/** The URL under which clients reach this installation, for commands and workers that run elsewhere. */
export interface ServiceUrlStore {
  /** The `PUBLIC_URL` of the service that started last; undefined before the first start. */
  find(): Promise<string | undefined>
  keep(url: string): Promise<void>
}
