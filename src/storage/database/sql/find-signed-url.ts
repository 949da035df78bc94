/** The look-ups of delivery URLs: each is one statement, which the hot path of a file that exists sends alone. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { PlanName } from '../../../domain/accounts/plan.ts'
import type {
  FoundImageUrl,
  FoundWorkflowUrl,
  ImageUrl,
  UrlOwner,
  WorkflowUrl,
} from '../../../domain/delivery/derived-file-store.ts'
import type { ExecutionStatus } from '../../../domain/executions/execution.ts'
import { isSlug } from '../../../domain/workflows/workflow.ts'
import type { ImageRow, Schema } from '../schema.ts'
import type { DerivedFileRow, SigningKeyRow } from '../schema-delivery.ts'
import { toDerivedFile } from './derived-file-row.ts'
import { toImage } from './image-row.ts'
import { ofLiveProject } from './live-projects.ts'
import { prepared } from './prepared.ts'

type KeyColumns = Pick<
  SigningKeyRow,
  'account_id' | 'secret' | 'workflow_ids' | 'images' | 'monthly_budget_micros' | 'expires_at' | 'revoked_at'
> & { key_id: string; key_used_at: number | null; plan: string; suspended_at: number | null }

/** All columns are null if the row doesn't exist. */
type OrNull<Row> = { [Column in keyof Row]: Row[Column] | null }

type FileColumns = OrNull<{ [Column in keyof DerivedFileRow as `f_${Column}`]: DerivedFileRow[Column] }>
type WorkflowUrlRow = KeyColumns &
  FileColumns & {
    workflow_id: string | null
    project_id: string | null
    project_is_private: number | null
    version: number | null
    status: string | null
    completed_at: number | null
  }
type ImageUrlRow = KeyColumns &
  FileColumns &
  OrNull<{ [Column in keyof ImageRow as `i_${Column}`]: ImageRow[Column] }> & { project_is_private: number | null }

const fileColumns = [
  ...(['key', 'owner_id', 'account_id', 'execution_id', 'id', 'format', 'width', 'height', 'sha256', 'size'] as const),
  ...(['max_age', 'reads_urls', 'is_paid', 'redirects', 'created_at', 'used_at'] as const),
]
const imageColumns = [
  ...(['id', 'account_id', 'project_id', 'name', 'format', 'size', 'width', 'height', 'sha256'] as const),
  ...(['origin', 'credentials', 'is_private', 'execution_id', 'created_at'] as const),
]

const prefixed = (table: string, names: readonly string[]) =>
  sql.join(names.map((name) => sql`${sql.ref(`${table}.${name}`)} as ${sql.ref(`${table}_${name}`)}`))

const ofKey = sql`k.id as key_id, k.account_id, k.secret, k.workflow_ids, k.images, k.monthly_budget_micros,
  k.expires_at, k.revoked_at, k.last_used_at as key_used_at, a.plan, a.suspended_at`

/** The service signs URLs of images with the secret of the account, which doesn't sign URLs of workflows. */
const ofAccount = sql`a.id as key_id, a.id as account_id, a.url_secret as secret, '[]' as workflow_ids, 1 as images,
  null as monthly_budget_micros, null as expires_at, null as revoked_at, null as key_used_at, a.plan, a.suspended_at`

interface Values {
  keyId: string
  /** A slug or an id. */
  workflow: string
  variant: string
  /** A number or the name of a channel; unused for the newest version. */
  at: number | string
}

export function findingWorkflowUrl(db: Kysely<Schema>) {
  const byVersion = {
    newest: () => ({ version: sql`w.version`, join: sql`` }),
    number: (at: Values['at']) => ({
      version: sql`case when cast(${at} as integer) <= w.version then cast(${at} as integer) end`,
      join: sql``,
    }),
    channel: (at: Values['at']) => ({
      version: sql`c.version`,
      join: sql`left join workflow_channels as c on c.workflow_id = w.id and c.name = ${at}`,
    }),
  }
  const statements = new Map(
    (['slug', 'id'] as const).flatMap((column) =>
      Object.entries(byVersion).map(([kind, choose]) => [
        `${column} ${kind}`,
        prepared(({ keyId, workflow, variant, at }: Values) => {
          const { version, join } = choose(at)
          return statement<WorkflowUrlRow>(
            db,
            sql`
            select ${ofKey}, w.id as workflow_id, w.project_id, p.is_private as project_is_private, ${version} as version, ${prefixed('f', fileColumns)}, e.status, e.completed_at
            from signing_keys as k
            join accounts as a on a.id = k.account_id and a.deleted_at is null
            left join workflows as w
              on w.account_id = k.account_id and ${sql.ref(`w.${column}`)} = ${workflow} and w.deleted_at is null
            left join projects as p on p.id = w.project_id
            ${join}
            left join derived_files as f on f.key = w.id || '@' || ${version} || '/' || ${variant}
            left join executions as e on e.id = f.execution_id
            where k.id = ${keyId}`,
          )
        }),
      ]),
    ),
  )
  return async ({ version, channel, ...url }: WorkflowUrl): Promise<FoundWorkflowUrl | undefined> => {
    const kind = version !== undefined ? 'number' : channel !== undefined ? 'channel' : 'newest'
    const find = statements.get(`${isSlug(url.workflow) ? 'slug' : 'id'} ${kind}`)
    const [row] = (await find?.(db, { ...url, at: version ?? channel ?? 0 }))?.rows ?? []
    if (row === undefined) return undefined
    const { workflow_id: id, project_id: projectId, version: found, f_execution_id, status, completed_at } = row
    const isPrivate = row.project_is_private === 1
    const file = fileOf(row)
    const execution =
      f_execution_id === null || status === null
        ? null
        : { status: status as ExecutionStatus, completedAt: completed_at }
    return {
      ...ownerOf(row),
      workflow:
        id === null || projectId === null || found === null
          ? undefined
          : { id, projectId, isPrivate, version: Number(found) },
      file: file && { ...file, execution },
    }
  }
}

export function findingImageUrl(db: Kysely<Schema>) {
  const columns = sql`${prefixed('i', imageColumns)}, ${prefixed('f', fileColumns)}, p.is_private as project_is_private`
  const joins = ({ imageId, variant }: ImageUrl) => sql`
    left join images as i on i.id = ${imageId} and i.account_id = a.id and ${ofLiveProject('i')}
    left join projects as p on p.id = i.project_id
    left join derived_files as f on f.key = i.id || '/' || ${variant}`
  const byKey = prepared((url: ImageUrl) =>
    statement<ImageUrlRow>(
      db,
      sql`select ${ofKey}, ${columns} from signing_keys as k join accounts as a on a.id = k.account_id and a.deleted_at is null
        ${joins(url)} where k.id = ${url.keyId}`,
    ),
  )
  const byAccount = prepared((url: ImageUrl) =>
    statement<ImageUrlRow>(
      db,
      sql`select ${ofAccount}, ${columns} from accounts as a ${joins(url)} where a.id = ${url.keyId} and a.url_secret <> '' and a.deleted_at is null`,
    ),
  )
  return async (url: ImageUrl): Promise<FoundImageUrl | undefined> => {
    const find = url.keyId.startsWith('acct_') ? byAccount : byKey
    const [row] = (await find(db, url)).rows
    if (row === undefined) return undefined
    const { i_id, project_is_private } = row
    const image =
      i_id === null ? undefined : toImage({ ...withoutPrefix<ImageRow>('i', imageColumns, row), project_is_private })
    return { ...ownerOf(row), image, file: fileOf(row) }
  }
}

function statement<Row>(db: Kysely<Schema>, text: RawBuilder<unknown>) {
  return { compile: () => (text as RawBuilder<Row>).compile(db) }
}

function ownerOf(row: KeyColumns): UrlOwner {
  return {
    plan: row.plan as PlanName,
    ...(row.suspended_at !== null && { suspendedAt: row.suspended_at }),
    key: {
      id: row.key_id,
      accountId: row.account_id,
      secret: row.secret,
      workflowIds: row.workflow_ids === null ? null : (JSON.parse(row.workflow_ids) as string[]),
      images: Number(row.images) === 1,
      monthlyBudget: row.monthly_budget_micros,
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      lastUsedAt: row.key_used_at,
    },
  }
}

function fileOf(row: FileColumns) {
  return row.f_key === null ? undefined : toDerivedFile(withoutPrefix<DerivedFileRow>('f', fileColumns, row))
}

function withoutPrefix<Row>(prefix: string, names: readonly string[], row: object): Row {
  return Object.fromEntries(names.map((name) => [name, row[`${prefix}_${name}` as keyof object]])) as Row
}
