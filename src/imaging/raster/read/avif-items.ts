/** The items of an AVIF: which images it has, how they refer to one another, and where their data are (ISO/IEC 23008-12). */
import { failure } from '../../../errors.ts'
import { type Box, type Budget, boxesIn, type Fields, fieldsOf, spend } from './avif-boxes.ts'
import type { Reader } from './reader.ts'

export interface Extent {
  start: number
  end: number
}

export interface AvifItem {
  id: number
  /** Four characters: `av01` for an image that is stored, `grid` for one that is made of tiles. */
  type: string
  /** The largest size that its properties declare. */
  pixels: number
  width: number
  height: number
  /** Where its data are in the file; undefined if they are parts of another item. */
  extents?: Extent[] | undefined
  /** The images that it is made of, each as often as it is used. */
  parts: number[]
  /** Images that belong to it: alpha, depth. */
  auxiliaries: Set<number>
}

export interface AvifItems {
  primary: number
  items: Map<number, AvifItem>
}

/** Undefined if the file has no items: a decoder finds no image in it then. */
export async function avifItems(read: Reader, budget: Budget): Promise<AvifItems | undefined> {
  const meta = single(await boxesIn(read, 0, read.size, budget), 'meta')
  if (meta === undefined) return undefined
  // After version and flags.
  const boxes = await boxesIn(read, meta.start + 4, meta.end, budget)
  const [pitm, iinf] = [single(boxes, 'pitm'), single(boxes, 'iinf')]
  if (pitm === undefined || iinf === undefined) return undefined
  const items = await itemsOf(read, iinf, budget)
  const [iprp, iref, iloc, idat] = [
    single(boxes, 'iprp'),
    single(boxes, 'iref'),
    single(boxes, 'iloc'),
    single(boxes, 'idat'),
  ]
  if (iprp) await readSizes(read, iprp, items, budget)
  if (iref) await readReferences(read, iref, items, budget)
  if (iloc) readLocations(await fieldsOf(read, iloc), items, { size: read.size, idat }, budget)
  const fields = await fieldsOf(read, pitm)
  return { primary: fields.uint(versionOf(fields) === 0 ? 2 : 4), items }
}

export function brokenAvif(problem: string) {
  return failure('input_invalid', `The AVIF is corrupt: ${problem}. Export it again.`)
}

/** Decoders differ in which one they use. */
function single(boxes: Box[], type: string): Box | undefined {
  const [box, second] = boxes.filter((each) => each.type === type)
  if (second) throw brokenAvif(`it has two boxes "${type}"`)
  return box
}

/** Reads the flags as well. */
function versionOf(fields: Fields): number {
  const version = fields.uint(1)
  fields.uint(3)
  return version
}

async function itemsOf(read: Reader, iinf: Box, budget: Budget): Promise<Map<number, AvifItem>> {
  const version = await read.byte(iinf.start)
  const items = new Map<number, AvifItem>()
  for (const box of await boxesIn(read, iinf.start + (version === 0 ? 6 : 8), iinf.end, budget)) {
    if (box.type !== 'infe') continue
    const fields = await fieldsOf(read, box)
    const infeVersion = versionOf(fields)
    const id = fields.uint(infeVersion > 2 ? 4 : 2)
    // Its index of protection. Earlier versions have no types.
    fields.uint(2)
    const type = infeVersion < 2 ? '' : fields.text(4)
    if (items.has(id)) throw brokenAvif(`it has two items with the id ${id}`)
    items.set(id, { id, type, pixels: 0, width: 0, height: 0, parts: [], auxiliaries: new Set() })
  }
  return items
}

/** `ispe`, the size of an image before it is cropped. */
async function readSizes(read: Reader, iprp: Box, items: Map<number, AvifItem>, budget: Budget): Promise<void> {
  const boxes = await boxesIn(read, iprp.start, iprp.end, budget)
  const ipco = single(boxes, 'ipco')
  const properties = ipco ? await boxesIn(read, ipco.start, ipco.end, budget) : []
  const sizes = new Map<number, { width: number; height: number }>()
  for (const [index, box] of properties.entries()) {
    if (box.type !== 'ispe') continue
    const fields = await fieldsOf(read, box)
    versionOf(fields)
    sizes.set(index + 1, { width: fields.uint(4), height: fields.uint(4) })
  }
  for (const box of boxes) {
    if (box.type === 'ipma') assignSizes(await fieldsOf(read, box), sizes, items, budget)
  }
}

function assignSizes(
  fields: Fields,
  sizes: Map<number, { width: number; height: number }>,
  items: Map<number, AvifItem>,
  budget: Budget,
): void {
  const version = fields.uint(1)
  const isWide = (fields.uint(3) & 1) === 1
  const count = fields.uint(4)
  for (let each = 0; each < count; each += 1) {
    spend(budget)
    const item = items.get(fields.uint(version === 0 ? 2 : 4))
    for (let left = fields.uint(1); left > 0; left -= 1) {
      spend(budget)
      // Without the first bit: whether a decoder must know the property.
      const size = sizes.get(isWide ? fields.uint(2) & 0x7fff : fields.uint(1) & 0x7f)
      if (item && size && size.width * size.height > item.pixels) {
        Object.assign(item, size, { pixels: size.width * size.height })
      }
    }
  }
}

async function readReferences(read: Reader, iref: Box, items: Map<number, AvifItem>, budget: Budget): Promise<void> {
  const idBytes = (await read.byte(iref.start)) === 0 ? 2 : 4
  for (const box of await boxesIn(read, iref.start + 4, iref.end, budget)) {
    if (box.type !== 'dimg' && box.type !== 'auxl') continue
    const fields = await fieldsOf(read, box)
    const from = fields.uint(idBytes)
    for (let left = fields.uint(2); left > 0; left -= 1) {
      spend(budget)
      const to = fields.uint(idBytes)
      if (box.type === 'dimg') items.get(from)?.parts.push(to)
      else items.get(to)?.auxiliaries.add(from)
    }
  }
}

/** 14496-12, 8.11.3. Fields can have no bytes, so the length of the box doesn't limit the number of its entries. */
function readLocations(
  fields: Fields,
  items: Map<number, AvifItem>,
  { size, idat }: { size: number; idat: Box | undefined },
  budget: Budget,
): void {
  const version = versionOf(fields)
  const [widths, bases] = [fields.uint(1), fields.uint(1)]
  const [offsetBytes, lengthBytes, baseBytes] = [widths >> 4, widths & 15, bases >> 4]
  const indexBytes = version > 0 ? bases & 15 : 0
  for (let left = fields.uint(version < 2 ? 2 : 4); left > 0; left -= 1) {
    spend(budget)
    const item = items.get(fields.uint(version < 2 ? 2 : 4))
    const method = version > 0 ? fields.uint(2) & 15 : 0
    fields.uint(2)
    const base = fields.uint(baseBytes)
    // The data are in the file, in the box `idat`, or in another item.
    const range = method === 0 ? { start: 0, end: size } : method === 1 ? idat : undefined
    const extents: Extent[] = []
    for (let parts = fields.uint(2); parts > 0; parts -= 1) {
      spend(budget)
      fields.uint(indexBytes)
      const offset = base + fields.uint(offsetBytes)
      const length = fields.uint(lengthBytes)
      if (range === undefined) continue
      const start = Math.min(range.start + offset, range.end)
      // Without a length, all that follows.
      extents.push({ start, end: length === 0 ? range.end : Math.min(start + length, range.end) })
    }
    if (item?.extents) throw brokenAvif(`the item ${item.id} has two locations`)
    if (item && range) item.extents = extents
  }
}
