/** For whom work is done, so that accounts and addresses share what is limited: see `storage/database/connection-turns.ts`. */
import { AsyncLocalStorage } from 'node:async_hooks'

const clients = new AsyncLocalStorage<string>()

/** `client`: the id of an account, or another text for clients that have none yet. All work that `work` starts is done for it. */
export function workFor<Result>(client: string, work: () => Result): Result {
  return clients.run(client, work)
}

/** Undefined for work of the service itself. */
export function clientOfWork(): string | undefined {
  return clients.getStore()
}
