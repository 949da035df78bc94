/** Encoding of a document in XML: of its byte order mark, its declaration or its first bytes; else UTF-8 (XML 1.0, appendix F). */
export function encodingOfXml(bytes: Uint8Array): string {
  const head = String.fromCharCode(...bytes.subarray(0, 256))
  if (/^(\xff\xfe|<\0\?\0)/.test(head)) return 'utf-16le'
  if (/^(\xfe\xff|\0<\0\?)/.test(head)) return 'utf-16be'
  const [, declared] = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(head) ?? []
  // The declaration could be read, so the text isn't in UTF-16.
  return declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared.toLowerCase()
}
