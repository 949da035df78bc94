/** Connects only to permitted addresses, checked after each DNS lookup. */
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector, Client } from 'undici'
import { limits } from '../limits.ts'
import type { CancellableOptions } from './lookup.ts'
import { limitReceived } from './received.ts'

export class AddressRefused extends Error {
  constructor() {
    super('the address must not be reached')
    this.name = 'AddressRefused'
  }
}

export interface ConnectorOptions {
  /** Whether connections to this address (never a name) are permitted. */
  mayReach(address: string): boolean
  lookup: LookupFunction
  /** Ends the socket, in whatever state it is. */
  signal: AbortSignal
}

/** Fails with `AddressRefused` before anything is sent to an address that must not be reached. */
export function createConnector({ mayReach, lookup, signal }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    maxCachedSessions: 0,
    timeout: 0,
    lookup: checkedLookup(lookup, mayReach, signal),
    signal,
  })
  return (target, callback) => {
    // A literal is connected to without a lookup.
    if (isIP(target.hostname) !== 0 && !mayReach(target.hostname)) return callback(new AddressRefused(), null)
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (mayReach(socket.remoteAddress ?? '')) return callback(null, socket)
      socket.destroy()
      callback(new AddressRefused(), null)
    })
  }
}

/** Opens a client for one request: connections are never reused. `bytesMax`: of the body of its response. */
export function openClient(url: URL, connect: buildConnector.connector, bytesMax: number): Client {
  return new Client(url.origin, {
    connect: (target, callback) =>
      connect(target, (...[error, socket]) => {
        if (error) return callback(error, null)
        limitReceived(socket, bytesMax)
        callback(null, socket)
      }),
    pipelining: 0, // no keep-alive
    maxHeaderSize: limits.fetchHeaderBytesMax,
    // The signal is the one clock: a limit between two bytes would not end a slow drip.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/**
 * A lookup with checked results: the socket connects to one of these addresses without another lookup, which prevents DNS
 * rebinding. One forbidden address rejects the name: honest names don't mix them. The socket never gets addresses above `lookupAddressesMax`.
 */
export function checkedLookup(
  lookup: LookupFunction,
  mayReach: (address: string) => boolean,
  signal: AbortSignal,
): LookupFunction {
  return (hostname, options, callback) => {
    const cancellable: CancellableOptions = { ...options, all: true, signal }
    lookup(hostname, cancellable, (error, result, family) => {
      if (error) return callback(error, [])
      const addresses: LookupAddress[] =
        typeof result === 'string'
          ? [{ address: result, family: family ?? isIP(result) }]
          : result.slice(0, limits.lookupAddressesMax)
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => mayReach(address))) {
        return callback(new AddressRefused(), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
