/** The options of the HTTP server. */

import type { Route } from './define-route.ts'
import type { ConnectionLimits } from './request/connections.ts'
import type { AddressLimit } from './request/throttle.ts'
import type { Services } from './services.ts'
import type { Site } from './static/site.ts'

/** The log of requests. Headers, bodies and queries are never logged. */
export interface RequestLog {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export interface ServerOptions {
  routes: Route[]
  services: Services
  log: RequestLog
  uploadBytesMax: number
  clients: ClientLimits
  /** Headers of every response, with lower-case names. */
  headers?: Record<string, string>
  /** The console. Undefined if it is disabled; `/` redirects to the API reference then. */
  site?: Site | undefined
  /** The documentation. Undefined if it is disabled. */
  docs?: Site | undefined
}

export interface ClientLimits extends ConnectionLimits {
  wrongKeys: AddressLimit
  signIns: AddressLimit
  /** A response is aborted after its client reads nothing for this time. Event streams send comments more often. */
  stalledResponseSeconds: number
}
