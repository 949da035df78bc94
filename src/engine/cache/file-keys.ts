/** The files of an output, as their settings and keys describe them. */
import type { OutputEncoding, OutputSettings } from '../../domain/workflows/output.ts'
import {
  type NamedOutputSettings,
  type OutputKind,
  type OutputVariant,
  type PdfSettings,
  variantsOf,
} from '../../domain/workflows/outputs.ts'
import { type Identity, outputKeyOf, outputTaskOf, pagesOf } from './key.ts'
import type { KeyContext } from './step-keys.ts'

/** How a file is identified: `key` in the cache, and `task` in the checkpoints of an execution. */
export interface FileIdentity {
  key: string | undefined
  task: string | undefined
}

/** The settings of one file of an image output. */
export interface FileSettings {
  encode: OutputEncoding
  /** Undefined for the width of the image. */
  width: number | undefined
  credentials: OutputSettings['credentials']
}

export function fileSettingsOf(settings: NamedOutputSettings): FileSettings[] {
  return variantsOf(settings).map((variant) => fileOf(settings, variant))
}

function fileOf(settings: NamedOutputSettings, { width, format }: OutputVariant): FileSettings {
  const {
    name: _name,
    credentials,
    width: _width,
    widths: _widths,
    formats: _formats,
    format: _format,
    ...rest
  } = settings
  const encode = { ...rest, ...(format !== undefined && { format }) } as OutputEncoding
  return { encode, width, credentials }
}

/** `identity`: of the image; undefined without keys. */
export function identifyFile(
  { encode, width, credentials }: FileSettings,
  identity: Identity | undefined,
  keyContext: KeyContext | undefined,
): FileIdentity {
  const known = { ...encode, ...(width !== undefined && { width }), ...(credentials && { credentials }) }
  return identified(identity, known, keyContext)
}

/** `identities`: of the nodes of its pages; undefined without keys. */
export function identifyPdf(
  settings: PdfSettings,
  identities: readonly Identity[] | undefined,
  keyContext: KeyContext | undefined,
): FileIdentity {
  return identified(identities && pagesOf(identities), { pdf: settings }, keyContext)
}

function identified(identity: Identity | undefined, settings: object, keyContext: KeyContext | undefined) {
  if (identity === undefined || keyContext === undefined) return { key: undefined, task: undefined }
  return { key: outputKeyOf(identity, settings, keyContext), task: outputTaskOf(identity, settings) }
}

/** The cache keys of all files of an output. */
export function fileKeysOf(
  kind: OutputKind,
  settings: NamedOutputSettings,
  identities: readonly Identity[],
  keyContext: KeyContext,
): (string | undefined)[] {
  if (kind === 'pdf') return [identifyPdf(pdfSettingsOf(settings), identities, keyContext).key]
  return fileSettingsOf(settings).map((file) => identifyFile(file, identities[0], keyContext).key)
}

export function pdfSettingsOf({ name: _name, format: _format, ...settings }: NamedOutputSettings): PdfSettings {
  return settings as PdfSettings
}
