/** Converts derived files to rows and back. */
import type { DerivedFile, DerivedImage } from '../../../domain/delivery/derived-file.ts'
import type { ImageFormat } from '../../../domain/images/image.ts'
import type { DerivedFileRow } from '../schema-delivery.ts'

export function toDerivedFile(row: DerivedFileRow): DerivedFile {
  return {
    key: row.key,
    ownerId: row.owner_id,
    accountId: row.account_id,
    executionId: row.execution_id,
    image: imageOf(row),
    maxAge: row.max_age,
    readsUrls: row.reads_urls === 1,
    isPaid: row.is_paid === 1,
    redirects: row.redirects === 1,
    createdAt: row.created_at,
    usedAt: row.used_at,
  }
}

export function imageOf({ id, format, size, width, height, sha256 }: DerivedFileRow): DerivedImage | null {
  if (id === null || format === null || width === null || height === null || sha256 === null) return null
  return { id, format: format as ImageFormat, size: Number(size), width, height, sha256 }
}

export function toDerivedRow(file: DerivedFile): DerivedFileRow {
  return {
    key: file.key,
    owner_id: file.ownerId,
    account_id: file.accountId,
    execution_id: file.executionId,
    ...imageColumns(file.image),
    max_age: file.maxAge,
    reads_urls: file.readsUrls ? 1 : 0,
    is_paid: file.isPaid ? 1 : 0,
    redirects: file.redirects ? 1 : 0,
    created_at: file.createdAt,
    used_at: file.usedAt,
  }
}

export function imageColumns(image: DerivedImage | null) {
  const { id = null, format = null, size = 0, width = null, height = null, sha256 = null } = image ?? {}
  return { id, format, size, width, height, sha256 }
}
