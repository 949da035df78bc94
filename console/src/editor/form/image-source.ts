/** Describes the text of an image source. */

/** The format of `newId` (src/domain/ids.ts). */
const idPattern = /^img_[0-9a-z]{28}$/

export function isStoredImage(source: string): boolean {
  return idPattern.test(source)
}

/** The text for a source that is not in storage. */
export function sourceName(source: string): string {
  if (source === '') return 'Drop, paste or choose an image'
  if (!URL.canParse(source)) return 'Not a valid image id or URL'
  const { hostname, pathname } = new URL(source)
  return `${pathname.split('/').at(-1) || pathname} · ${hostname}`
}
