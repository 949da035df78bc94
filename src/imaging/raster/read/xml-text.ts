/** Text of an XML document in any encoding that it may have, and the name of its root. */
import { encodingOfXml } from '../../../../shared/text-encoding.ts'

/** `isFatal`: throws for bytes that aren't text in its encoding, and for an unknown encoding. */
export function textOf(bytes: Buffer, isFatal = false): string {
  const encoding = encodingOfXml(bytes)
  return new TextDecoder(isFatal || isKnown(encoding) ? encoding : 'utf-8', { fatal: isFatal }).decode(bytes)
}

function isKnown(encoding: string): boolean {
  try {
    new TextDecoder(encoding)
    return true
  } catch {
    return false
  }
}

/** The name of the root element; undefined if something else comes first, or the text ends before it. */
export function rootOf(text: string): string | undefined {
  let at = 0
  for (;;) {
    at = indexOfNext(text, at, /\S/g)
    if (text.startsWith('<?', at)) at = indexAfter(text, '?>', at)
    else if (text.startsWith('<!--', at)) at = indexAfter(text, '-->', at + 4)
    else if (text.startsWith('<!', at)) at = endOfDoctype(text, at)
    else break
  }
  const [, name] = text.slice(at, at + nameChars).match(/^<([^\s/><!?]+)[\s/>]/) ?? []
  return name
}

const nameChars = 100

/** Its subset in brackets can have other declarations in it. */
function endOfDoctype(text: string, at: number): number {
  const end = indexAfter(text, '>', at)
  const subset = text.indexOf('[', at)
  return subset < 0 || subset > end ? end : indexAfter(text, '>', indexAfter(text, ']', subset))
}

function indexAfter(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from)
  return found < 0 ? text.length : found + what.length
}

function indexOfNext(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}
