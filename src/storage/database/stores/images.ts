import type { Kysely } from 'kysely'
import { blobKeyOf } from '../../../domain/blob-key.ts'
import type { CredentialState } from '../../../domain/credential-state.ts'
import type { Image, ImageFormat, ImageStore } from '../../../domain/image.ts'
import type { Origin } from '../../../domain/origin.ts'
import { previewBlobKey, thumbnailKeys } from '../../../domain/preview.ts'
import type { Dialect } from '../dialect.ts'
import type { ImageRow, Schema } from '../schema.ts'
import { insertNew } from '../sql/insert.ts'
import { listTotal } from '../sql/list-total.ts'
import { prepared } from '../sql/prepared.ts'
import { readPage } from '../sql/read-page.ts'
import { noteRemovals } from './blob-removals.ts'
import { insertOnce } from './idempotency.ts'

export function createImageStore(db: Kysely<Schema>, dialect: Dialect): ImageStore {
  const insert = imageInsert(db)
  const select = prepared(({ accountId, id }: { accountId: string; id: string }) =>
    db.selectFrom('images').selectAll().where('id', '=', id).where('account_id', '=', accountId),
  )

  return {
    async create(image, record) {
      await insertNew(dialect, 'image', () => insertOnce(db, record, image.id, (within) => insert(within, image)))
    },

    async find(accountId, id) {
      const [row] = (await select(db, { accountId, id })).rows
      return row && toImage(row)
    },

    async findPublic(id) {
      const row = await db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toImage(row)
    },

    async findByHash(accountId, sha256) {
      const row = await db
        .selectFrom('images')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('sha256', '=', sha256)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toImage(row)
    },

    async list(accountId, page, { projectId }) {
      let matching = db.selectFrom('images').where('account_id', '=', accountId)
      if (projectId !== undefined) matching = matching.where('project_id', '=', projectId)
      return readPage(
        page,
        matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
        projectId === undefined
          ? listTotal(db, accountId, 'images')
          : listTotal(db, accountId, 'images_of_project', projectId),
        toImage,
      )
    },

    async remove(accountId, id, now) {
      return db.transaction().execute(async (trx) => {
        const row = await trx
          .deleteFrom('images')
          .where('id', '=', id)
          .where('account_id', '=', accountId)
          .returning('format')
          .executeTakeFirst()
        if (row === undefined) return undefined
        const thumbnails = await trx
          .deleteFrom('previews')
          .where('account_id', '=', accountId)
          .where('key', 'in', thumbnailKeys(id))
          .returning('id')
          .execute()
        const key = blobKeyOf({ id, format: row.format as ImageFormat })
        await noteRemovals(trx, [key, ...thumbnails.map(previewBlobKey)], now)
        return key
      })
    },

    async findAll(ids) {
      if (ids.length === 0) return []
      return (await db.selectFrom('images').selectAll().where('id', 'in', ids).execute()).map(toImage)
    },

    async existing(ids) {
      if (ids.length === 0) return new Set()
      const rows = await db.selectFrom('images').select('id').where('id', 'in', ids).execute()
      return new Set(rows.map(({ id }) => id))
    },
  }
}

/** Also used in the transaction that ends an execution. */
export function imageInsert(db: Kysely<Schema>): (db: Kysely<Schema>, image: Image) => Promise<unknown> {
  const insert = prepared((row: ImageRow) => db.insertInto('images').values(row))
  return (within, image) => insert(within, toRow(image))
}

function toImage(row: ImageRow): Image {
  return {
    id: row.id,
    accountId: row.account_id,
    projectId: row.project_id,
    name: row.name,
    format: row.format as ImageFormat,
    size: row.size,
    width: row.width,
    height: row.height,
    sha256: row.sha256,
    origin: row.origin as Origin | null,
    credentials: row.credentials as CredentialState | null,
    executionId: row.execution_id,
    createdAt: row.created_at,
  }
}

function toRow(image: Image): ImageRow {
  return {
    id: image.id,
    account_id: image.accountId,
    project_id: image.projectId,
    name: image.name,
    format: image.format,
    size: image.size,
    width: image.width,
    height: image.height,
    sha256: image.sha256,
    origin: image.origin,
    credentials: image.credentials,
    execution_id: image.executionId,
    created_at: image.createdAt,
  }
}
