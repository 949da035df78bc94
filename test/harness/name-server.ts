/** A DNS server on UDP for tests: it responds for the names of a table, and never responds for one domain. */
import dgram from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

export interface NameServer {
  /** `127.0.0.1:port`, the format of `DNS_SERVERS`. */
  address: string
  /** The queried names in lower case, each with its type. */
  requested: string[]
  close(): Promise<void>
}

/**
 * `addresses`: IPv4 and IPv6 addresses of each name. Names that end in `.silent.test` get no response, unknown names
 * NXDOMAIN.
 */
export async function startNameServer(addresses: Record<string, string[]>): Promise<NameServer> {
  const socket = dgram.createSocket('udp4')
  const requested: string[] = []
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message)
    requested.push(`${name} ${type === typeA ? 'A' : type === typeAaaa ? 'AAAA' : type}`)
    if (name.endsWith('.silent.test') && !Object.hasOwn(addresses, name)) return
    const known = addresses[name]
    if (known?.includes(type === typeA ? 'silent-a' : 'silent-aaaa')) return
    const responses = (known ?? []).filter((each) => isIP(each) === (type === typeA ? 4 : type === typeAaaa ? 6 : -1))
    const header = Buffer.alloc(12)
    message.copy(header, 0, 0, 2)
    // A response, recursion desired and available; NXDOMAIN for unknown names, SERVFAIL if the table has it.
    header.writeUInt16BE(0x8180 | (known === undefined ? 3 : known.includes('servfail') ? 2 : 0), 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(responses.length, 6)
    const records = responses.map((response) => {
      const bytes = bytesOf(response)
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length])
      return Buffer.concat([head, bytes])
    })
    socket.send(Buffer.concat([header, message.subarray(12, end), ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    requested,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

const typeA = 1
const typeAaaa = 28

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += 1 + length
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const hex = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = hex.split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array.from({ length: zeros }, () => '0'), ...groups(tail)]
  return Buffer.from(all.map((each) => each.padStart(4, '0')).join(''), 'hex')
}
