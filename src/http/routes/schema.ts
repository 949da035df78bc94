/** Fields that requests and responses of several nouns share. */
import Type from 'typebox'
import { show } from '../../../shared/text.ts'
import { named } from '../../domain/named-schema.ts'
import { storableText } from '../../domain/storable-text.ts'
import { ChannelName } from '../../domain/workflows/channel.ts'
import { type Issue, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' })

/** When an image is removed. */
export const expiresAtField = Type.Optional(
  Type.String({
    format: 'date-time',
    description:
      'The time after which the image is removed, usually within some minutes. Absent if it stays until you delete it.',
  }),
)

/** Schema of `testField`, in records that a test key made. */
export const testSchema = Type.Optional(
  Type.Literal(true, { description: 'A test key made it: no AI provider was called, and outputs are marked.' }),
)

/** Seconds of a request until images are removed. */
export function expiresInField(description: string) {
  return Type.Integer({ minimum: limits.expiresInSecondsMin, maximum: limits.expiresInSecondsMax, description })
}

/** An OpenAPI document, of the service or of a workflow. */
export const OpenApiDocument = Type.Object(
  { openapi: Type.String() },
  { ...named('OpenApiDocument'), additionalProperties: true },
)

/** An id in a path or a body. Any text is accepted: an unknown id is not found. */
export function id(description: string) {
  return Type.String({ description })
}

/** When a key expires, in days from now. `description`: in plain words, with the default. */
export function expiryInDays(description: string) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: limits.keyDaysMax, description }))
}

/** The version of a workflow, by number. */
export function versionField(description: string) {
  return Type.Integer({ minimum: 1, maximum: 2_147_483_647, description })
}

/** The version of a workflow, by the name of a channel. */
export function channelField(description: string) {
  return Type.String({ ...ChannelName, description })
}

/** Query of a GET that returns a version. */
export const chosenVersionQuery = {
  version: Type.Optional(versionField('Version number. Default: the newest version.')),
  channel: Type.Optional(channelField('Return the version of this channel. Not together with `version`.')),
}

/** The query of a status that can wait for the end of `noun`. */
export function waitQuery(noun: string) {
  const wait = Type.Integer({
    minimum: 0,
    maximum: limits.statusWaitSecondsMax,
    description: `Seconds to wait for the end of the ${noun}. Then the response has its current state. Default: 0.`,
  })
  return Type.Object({ wait: Type.Optional(wait) }, { additionalProperties: false })
}

export const searchField = Type.String({
  ...storableText,
  minLength: 1,
  maxLength: limits.nameCharsMax,
  description: 'Return only items whose name contains this text. Case-insensitive.',
})

export const includeField = Type.Enum(['lastOutput'], {
  description: 'Include the output of the most recent completed execution of each workflow.',
})

/** The response of a DELETE. */
export const Deleted = Type.Object({ deleted: Type.Boolean() }, named('Deleted'))

const timeFormat = 'a time such as 2026-11-21T10:00:00Z, or a date, which means 00:00 UTC'
const timePattern = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

export function timeField(description: string) {
  return Type.String({ maxLength: 40, description: `${description} ISO 8601: ${timeFormat}.` })
}

/** Parses times of a query to milliseconds since the epoch. Throws `invalid_request` with all invalid times. */
export function parseTimes<Name extends string>(texts: Record<Name, string | undefined>): { [Key in Name]?: number } {
  const times: Record<string, number> = {}
  const issues: Issue[] = []
  for (const [path, text] of Object.entries<string | undefined>(texts)) {
    if (text === undefined) continue
    const ms = timePattern.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(ms)) issues.push({ path, message: `must be ${timeFormat}, not ${show(text)}` })
    else times[path] = ms
  }
  if (issues.length > 0) throw invalidRequest(issues)
  return times as { [Key in Name]?: number }
}
