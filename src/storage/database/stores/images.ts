import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import type { DerivedFile } from '../../../domain/delivery/derived-file.ts'
import type { Image, ImageFilter, ImageOrder, ImageStore } from '../../../domain/images/image.ts'
import type { Place } from '../../../domain/page.ts'
import { limits } from '../../../limits.ts'
import type { Dialect } from '../dialect.ts'
import type { ImageRow, Schema } from '../schema.ts'
import { recordChange, recording } from '../sql/audit.ts'
import { toDerivedFile } from '../sql/derived-file-row.ts'
import { imageRow, projectIsPrivate, toImage } from '../sql/image-row.ts'
import { inTransaction } from '../sql/in-transaction.ts'
import { insertNew } from '../sql/insert.ts'
import { listTotal } from '../sql/list-total.ts'
import { goneProjects, ofLiveProject } from '../sql/live-projects.ts'
import { nameContains } from '../sql/name-contains.ts'
import { prepared } from '../sql/prepared.ts'
import type { Quotas } from '../sql/quotas.ts'
import { countUpTo, type ListOrder, readCounted, readPage } from '../sql/read-page.ts'
import { removeImages } from '../sql/remove-images.ts'
import { notePrivateImages } from './accounts.ts'
import { insertOnce } from './idempotency.ts'

/** Images of one part of a removal. */
const removedAtOnce = 100

/** Images of a project that a page by size sorts. In a larger project, the images by size are soon enough for a page. */
const sortedMax = 10_000

const nameOrder = sql<string>`lower(name)`

const orders: Record<ImageOrder, ListOrder> = {
  newest: {},
  oldest: { isAscending: true },
  largest: { by: 'size' },
  smallest: { by: 'size', isAscending: true },
  name: { text: nameOrder, isAscending: true },
}

type Images = SelectQueryBuilder<Schema, 'images', object>

export function createImageStore(db: Kysely<Schema>, dialect: Dialect, quotas: Quotas): ImageStore {
  const insert = imageInsert(db)
  const select = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    images(db).where('id', '=', id).where('account_id', '=', accountId).where(ofLiveProject()),
  )

  function matching(accountId: string, filter: ImageFilter) {
    const { ids, createdAfter, createdBefore } = filter
    let rows = where(db.selectFrom('images').where('account_id', '=', accountId), filter)
    if (ids !== undefined) rows = rows.where('id', 'in', ids)
    if (createdAfter !== undefined) rows = rows.where('created_at', '>=', createdAfter)
    if (createdBefore !== undefined) rows = rows.where('created_at', '<', createdBefore)
    return rows
  }

  function where(rows: Images, { projectId, source, search }: Pick<ImageFilter, 'projectId' | 'source' | 'search'>) {
    let found = rows
    if (projectId !== undefined) found = found.where('project_id', '=', projectId)
    if (source !== undefined) found = found.where('execution_id', source === 'upload' ? 'is' : 'is not', null)
    return search === undefined ? found : found.where(nameContains(dialect, 'name', search))
  }

  /** The part of a filter with which an index finds the rows of a list in their order, or at least few rows to sort. */
  async function indexedFilter(
    accountId: string,
    { projectId, source }: ImageFilter,
    order: ImageOrder,
  ): Promise<Pick<ImageFilter, 'projectId' | 'source'>> {
    if (orders[order].by === undefined && orders[order].text === undefined)
      return projectId === undefined ? { source } : { projectId }
    if (projectId === undefined) return {}
    const { total } = await listTotal(db, accountId, 'images_of_project', projectId).executeTakeFirstOrThrow()
    return Number(total) <= sortedMax ? { projectId } : {}
  }

  /** The images by filter and order, for `readPage`. */
  async function listOf(accountId: string, filter: ImageFilter, order: ImageOrder) {
    const { projectId, source, search, ...others } = filter
    const indexed = await indexedFilter(accountId, filter, order)
    const rest = {
      projectId: 'projectId' in indexed ? undefined : projectId,
      source: 'source' in indexed ? undefined : source,
      search,
    }
    const gone = await goneProjects(db, accountId)
    const isFiltered = gone.length > 0 || Object.values(rest).some((value) => value !== undefined)
    return {
      gone,
      table: db.selectFrom('images'),
      matching: matching(accountId, { ...indexed, ...others }),
      filter: isFiltered ? (rows: Images) => outside(gone, where(rows, rest)) : undefined,
      ...orders[order],
    }
  }

  /** The number of images outside of projects that are gone. */
  async function totalOf(accountId: string, projectId: string | undefined, gone: string[]): Promise<number> {
    const read = async (...of: [list: string, value?: string]) =>
      Number((await listTotal(db, accountId, ...of).executeTakeFirstOrThrow()).total)
    if (projectId !== undefined) return gone.includes(projectId) ? 0 : read('images_of_project', projectId)
    let total = await read('images')
    for (const id of gone) total -= await read('images_of_project', id)
    return total
  }

  async function removeMatching(
    accountId: string,
    filter: ImageFilter,
    max: number,
    now: number,
    { toBin = false }: { toBin?: boolean } = {},
  ) {
    const list = await listOf(accountId, filter, 'oldest')
    const columns = (rows: Images) => rows.select(['id', 'created_at'])
    const toItem = ({ id }: { id: string }) => id
    const keys: string[] = []
    let after: Place | undefined
    do {
      const page = { limit: Math.min(removedAtOnce, max - keys.length), offset: 0, after }
      const { items: ids, next } = await readPage(page, { ...list, columns, toItem })
      keys.push(...(await removeImages(db, accountId, ids, { now, isRecorded: true, toBin })))
      after = next ?? undefined
    } while (after !== undefined && keys.length < max)
    return { keys, hasMore: after !== undefined }
  }

  return {
    async create(image, record) {
      await insertNew(dialect, 'image', () =>
        inTransaction(db, (trx) =>
          insertOnce(trx, record, image.id, () =>
            quotas.within(trx, image, ['images', 'storageBytes'], async () => {
              if (image.isPrivate) await notePrivateImages(trx, image.accountId)
              await insert(trx, image)
              await recordChange(trx, 'images', { id: image.id }, 'image.upload')
            }),
          ),
        ),
      )
    },

    async find(accountId, id) {
      const [row] = (await select(db, { accountId, id })).rows
      return row && toImage(row)
    },

    async findPublic(id) {
      const row = await images(db).where('id', '=', id).where(ownerIsLive).where(ofLiveProject()).executeTakeFirst()
      if (row) return toImage(row)
      const file = await db
        .selectFrom('derived_files')
        .selectAll()
        .select(ownerIsPrivate)
        .where('id', '=', id)
        .where(ownerIsLive)
        .executeTakeFirst()
      return file && toImageOfFile(toDerivedFile(file), file.owner_is_private === 1)
    },

    async findByHash(accountId, sha256, lastsUntil = 0) {
      const row = await images(db)
        .where('account_id', '=', accountId)
        .where('sha256', '=', sha256)
        .where(ofLiveProject())
        .where((eb) => {
          const stays = eb('expires_at', 'is', null)
          return lastsUntil === 'always' ? stays : eb.or([stays, eb('expires_at', '>=', lastsUntil)])
        })
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toImage(row)
    },

    async list(accountId, page, filter, order = 'newest') {
      const { projectId, ...others } = filter
      const hasTotal = Object.values(others).every((value) => value === undefined)
      const list = await listOf(accountId, filter, order)
      const total = { executeTakeFirstOrThrow: async () => ({ total: await totalOf(accountId, projectId, list.gone) }) }
      return readCounted(page, {
        ...list,
        columns: (rows) => rows.selectAll('images').select([projectIsPrivate, nameOrder.as('text_order')]),
        count: hasTotal ? total : { countMax: limits.imagesCountedMax },
        toItem: toImage,
      })
    },

    count: async (accountId, filter) => countUpTo(Number.MAX_SAFE_INTEGER, await listOf(accountId, filter, 'oldest')),

    async update(accountId, id, { name, projectId, isPrivate }) {
      return db.transaction().execute(async (trx) => {
        if (isPrivate) await notePrivateImages(trx, accountId)
        return recording(trx, 'images', { id }, 'image.update', async () => {
          const result = await trx
            .updateTable('images')
            .set({
              ...(name === undefined ? {} : { name: name.toWellFormed() }),
              ...(projectId === undefined ? {} : { project_id: projectId }),
              ...(isPrivate === undefined ? {} : { is_private: isPrivate ? 1 : 0 }),
            })
            .where('id', '=', id)
            .where('account_id', '=', accountId)
            .executeTakeFirst()
          return result.numUpdatedRows > 0n
        })
      })
    },

    remove: async (accountId, id, now) => (await removeMatching(accountId, { ids: [id] }, 1, now)).keys[0],

    async removeSome(...some) {
      const { keys, hasMore } = await removeMatching(...some)
      return { count: keys.length, hasMore }
    },

    async findAll(ids) {
      if (ids.length === 0) return []
      return (await images(db).where('id', 'in', ids).execute()).map(toImage)
    },

    async existing(ids) {
      if (ids.length === 0) return new Set()
      // In one statement: an image can be moved to the bin or restored meanwhile.
      const rows = await db
        .selectFrom('images')
        .select('id')
        .where('id', 'in', ids)
        .unionAll(db.selectFrom('binned_images').select('id').where('id', 'in', ids))
        .execute()
      return new Set(rows.map(({ id }) => id))
    },
  }
}

/** Whether the project is private: the one of the workflow or the image that a derived file belongs to. */
const ownerIsPrivate = sql<number | null>`coalesce(
  (select p.is_private from workflows as w join projects as p on p.id = w.project_id where w.id = owner_id),
  (select case when i.is_private = 1 then 1 else (select is_private from projects where projects.id = i.project_id) end
    from images as i where i.id = owner_id))`.as('owner_is_private')

/** URLs of images of an account that is deleted return 404 before the images are removed. */
const ownerIsLive = sql<boolean>`exists (select 1 from accounts where accounts.id = account_id and accounts.deleted_at is null)`

function outside(gone: string[], rows: Images): Images {
  if (gone.length === 0) return rows
  return rows.where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', 'not in', gone)]))
}

function images(db: Kysely<Schema>) {
  return db.selectFrom('images').selectAll('images').select(projectIsPrivate)
}

/** Inserts an image; also used in the transaction that ends an execution. */
export function imageInsert(db: Kysely<Schema>): (db: Kysely<Schema>, image: Image) => Promise<unknown> {
  const insert = prepared((row: ImageRow) => db.insertInto('images').values(row))
  return (within, image) => insert(within, imageRow(image))
}

/** A derived file as an image, for the URL of the output of its execution. */
function toImageOfFile(
  { image, accountId, executionId, createdAt }: DerivedFile,
  isPrivate: boolean,
): Image | undefined {
  if (image === null) return undefined
  const unknown = { projectId: null, origin: null, credentials: null }
  const access = isPrivate ? { requiresSignature: true as const } : {}
  return { ...image, ...unknown, ...access, name: blobKeyOf(image), accountId, executionId, createdAt }
}
