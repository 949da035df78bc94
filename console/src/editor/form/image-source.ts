/** Describes the text of an image source. */
/** The text for a source that is not in storage. */
export function sourceName(source: string): string {
  if (source === '') return 'Drop, paste or choose an image'
  if (!URL.canParse(source)) return 'Not a valid image id or URL'
  const { hostname, pathname } = new URL(source)
  return `${pathname.split('/').at(-1) || pathname} · ${hostname}`
}
