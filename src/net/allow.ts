/** The hosts that an operator opens by name (`FETCH_ALLOW`), wherever their address is. */

/**
 * Entries are `host` (every port) or `host:port`; exact names, upper and lower case alike; IPv6 in brackets.
 * Throws an Error that names the first entry that is neither.
 */
export function createAllowList(entries: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(entries.map(normalize))
  return (url) => allowed.has(url.hostname) || allowed.has(`${url.hostname}:${url.port || defaultPorts[url.protocol]}`)
}

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** `host` or `host:port` as the parts of a parsed URL spell them. */
function normalize(entry: string): string {
  const [, host, port] = /^(\[[^\]]*\]|[^[\]:]+)(?::(\d{1,5}))?$/.exec(entry) ?? []
  const url = host !== undefined && !/[\s*@/\\?#]/.test(host) ? URL.parse(`http://${host}`) : null
  if (url === null || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) {
    throw new Error(`must be hosts or host:port, without wildcards, paths or schemes, not ${JSON.stringify(entry)}`)
  }
  return port === undefined ? url.hostname : `${url.hostname}:${Number(port)}`
}
