/** Images as rows, in the table of images and in the bin. */
import { sql } from 'kysely'
import type { CredentialState } from '../../../domain/credentials/credential-state.ts'
import type { Image, ImageFormat } from '../../../domain/images/image.ts'
import type { Origin } from '../../../domain/images/origin.ts'
import type { ImageRow } from '../schema.ts'

export function toImage(row: ImageRow & { project_is_private: number | null }): Image {
  const isPrivate = row.is_private === 1
  const requiresSignature = isPrivate || row.project_is_private === 1
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
    ...(isPrivate ? { isPrivate } : {}),
    ...(requiresSignature ? { requiresSignature } : {}),
    executionId: row.execution_id,
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
  }
}

export function imageRow(image: Image): ImageRow {
  return {
    id: image.id,
    account_id: image.accountId,
    project_id: image.projectId,
    // Half of a surrogate pair can't be stored. In the JSON of several rows, PostgreSQL rejects it.
    name: image.name.toWellFormed(),
    format: image.format,
    size: image.size,
    width: image.width,
    height: image.height,
    sha256: image.sha256,
    origin: image.origin,
    credentials: image.credentials,
    is_private: image.isPrivate ? 1 : 0,
    execution_id: image.executionId,
    created_at: image.createdAt,
    expires_at: image.expiresAt ?? null,
  }
}

/** Names of all columns of a row. */
export const imageColumns = Object.keys(imageRow({ name: '' } as Image)) as (keyof ImageRow)[]

export const projectIsPrivate = sql<number | null>`(select is_private from projects where projects.id = project_id)`.as(
  'project_is_private',
)
