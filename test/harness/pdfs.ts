/** PDF files from their objects (ISO 32000-1), also invalid ones. */

type Part = string | Buffer

/** `objects`: the first one has number 1 and is the catalog. */
export function pdfOf(objects: Part[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let end = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    end += part.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(end)
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), bytesOf(object), Buffer.from('\nendobj\n')]))
  }
  const start = end
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  add(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`))
  add(Buffer.from(`trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

export function streamOf(data: Part, dictionary = ''): Buffer {
  const bytes = bytesOf(data)
  const head = Buffer.from(`<<${dictionary}/Length ${bytes.length}>>\nstream\n`)
  return Buffer.concat([head, bytes, Buffer.from('\nendstream')])
}

export interface PageOptions {
  box?: string
  /** Entries of the page: `/Rotate 90`. */
  more?: string
  /** Entries of the catalog. */
  catalog?: string
  /** Entries of the stream with the content. */
  stream?: string
  resources?: string
  /** Objects from number 5. */
  objects?: Part[]
}

/** A PDF with one page. */
export function pdfPage(content: Part, options: PageOptions = {}): Buffer {
  const { box = '[0 0 72 36]', more = '', catalog = '', stream = '', resources = '', objects = [] } = options
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox${box}/Contents 4 0 R/Resources<<${resources}>>${more}>>`,
    streamOf(content, stream),
    ...objects,
  ])
}

/** A PDF whose pages are filled with these colors: `1 0 0`. */
export function pdfOfColors(...colors: string[]): Buffer {
  const kids = colors.map((_, index) => `${3 + 2 * index} 0 R`).join(' ')
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/MediaBox[0 0 72 36]/Kids[${kids}]/Count ${colors.length}>>`,
    ...colors.flatMap((color, index) => [
      `<</Type/Page/Parent 2 0 R/Contents ${4 + 2 * index} 0 R>>`,
      streamOf(`${color} rg 0 0 72 36 re f`),
    ]),
  ])
}

function bytesOf(part: Part): Buffer {
  return typeof part === 'string' ? Buffer.from(part, 'latin1') : part
}
