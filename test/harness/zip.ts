/** Reads ZIP files. Format: APPNOTE.TXT of PKWARE, section 4.3.12. */

/** The names in the central directory, in their order. */
export function namesInZip(bytes: Buffer): string[] {
  const names: string[] = []
  const signature = Buffer.from('PK\x01\x02', 'latin1')
  for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 4)) {
    const length = bytes.readUInt16LE(at + 28)
    names.push(bytes.subarray(at + 46, at + 46 + length).toString('utf8'))
  }
  return names
}
