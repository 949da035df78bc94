/** Composition of the HTTP server: routes, limits per client, headers. Only an API loads it: its routes and their schemas need some 20 MB. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { openApiDocument } from '../http/response/openapi.ts'
import { routes } from '../http/routes/index.ts'
import { createServer, type Server } from '../http/server.ts'
import type { Services } from '../http/services.ts'
import type { Site } from '../http/static/site.ts'
import { limits } from '../limits.ts'
import { createAddressRates } from '../storage/rate-limits/addresses.ts'

interface Sites {
  /** The console. Undefined if it is disabled. */
  site: Site | undefined
  /** The documentation. Undefined if it is disabled. */
  docs: Site | undefined
}

export function createHttp(config: Config, services: Omit<Services, 'openApi'>, log: Logger, sites: Sites): Server {
  return createServer({
    routes,
    services: { ...services, openApi: createOpenApi(services) },
    log,
    uploadBytesMax: config.uploadBytesMax,
    headers: transportSecurity(config),
    clients: {
      connectionsMax: config.connectionsMax,
      connectionsPerAddressMax: config.connectionsPerAddressMax,
      trustedProxies: config.trustedProxies,
      wrongKeys: { counter: createAddressRates(), max: config.wrongKeysPerMinuteMax },
      signIns: { counter: createAddressRates(), max: config.signInsPerMinuteMax },
      stalledResponseSeconds: limits.stalledResponseSeconds,
    },
    ...sites,
  })
}

/** Only if clients use TLS (RFC 6797, 7.2). The service itself speaks plain HTTP: a proxy ends TLS. */
function transportSecurity({ publicUrl, hstsSeconds }: Config): Record<string, string> {
  if (hstsSeconds === undefined || !publicUrl?.startsWith('https:')) return {}
  return { 'strict-transport-security': `max-age=${hstsSeconds}` }
}

/** Anyone may request the document, and it takes about 20 ms of CPU: it is built once per URL. The URL is known when the service listens. */
function createOpenApi({ baseUrl, version }: Pick<Services, 'baseUrl' | 'version'>): () => unknown {
  let built: { url: string; document: unknown } | undefined
  return () => {
    const url = baseUrl()
    if (built?.url !== url) built = { url, document: openApiDocument({ routes, baseUrl: url, version }) }
    return built.document
  }
}
