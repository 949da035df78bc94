/** Boxes of a manifest store (JUMBF, ISO/IEC 19566-5): which manifests a certificate signed. The library reports no certificate. */
import { hasLeaf } from './cose.ts'

interface Box {
  type: string
  content: Buffer
}

/** Labels of the manifests whose signature names this certificate, DER. Checks no signature. A label that occurs twice is left out. */
export function manifestsWith(leaf: Uint8Array, store: Uint8Array): Set<string> {
  const [root] = boxesIn(Buffer.from(store.buffer, store.byteOffset, store.byteLength))
  const manifests = root ? partsOf(root) : []
  const labels = manifests.map(labelOf)
  return new Set(
    manifests.flatMap((manifest, index) => {
      const label = labels[index]
      const signatures = partsOf(manifest).filter((part) => labelOf(part) === 'c2pa.signature')
      const [content] = signatures.flatMap(partsOf)
      const isOwn = signatures.length === 1 && content?.type === 'cbor' && hasLeaf(content.content, leaf)
      return label !== undefined && isOwn && labels.indexOf(label) === labels.lastIndexOf(label) ? [label] : []
    }),
  )
}

/** The boxes in a superbox, without its description. */
function partsOf({ type, content }: Box): Box[] {
  return type === 'jumb' ? boxesIn(content).slice(1) : []
}

function labelOf({ type, content }: Box): string | undefined {
  const [description] = type === 'jumb' ? boxesIn(content) : []
  if (description?.type !== 'jumd') return undefined
  // A type of 16 bytes and a byte of flags, then a text that ends with 0.
  const end = description.content.indexOf(0, labelStart)
  return end < 0 ? undefined : description.content.toString('utf8', labelStart, end)
}

const labelStart = 17

/** None if a size is wrong. Sizes of 64 bits (1) and up to the end (0) are not used by C2PA. */
function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.length - at < headBytes ? 0 : bytes.readUInt32BE(at)
    if (size < headBytes || size > bytes.length - at) return []
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + headBytes, at + size) })
    at += size
  }
  return boxes
}

const headBytes = 8
