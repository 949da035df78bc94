/** Workflows from designs in SVG: the document with its images in storage. */
import type { ReportRow } from '../../../shared/svg-import/draft.ts'
import type { ImportedSvg } from '../../../shared/svg-import/import-svg.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import type { StagedBlob } from '../../domain/images/image.ts'
import { invalidRequest } from '../../errors.ts'
import type { Images } from '../images/images.ts'
import { unlessDisconnected } from '../images/unless-disconnected.ts'
import type { SavedWorkflow, Workflows } from './workflows.ts'

/** Reads the file in another process. Throws `invalid_request` if it can't be imported. */
export type ConvertSvg = (
  job: { file: string; name: string },
  options: { account: string; signal?: AbortSignal | undefined },
) => Promise<ImportedSvg>

interface SaveOptions {
  projectId?: string | undefined
  slug?: string | undefined
  once?: IdempotentCreate | undefined
}

export interface SvgImport extends SavedWorkflow {
  report: ReportRow[]
}

export interface SvgImports {
  /** Stores the images of the design, and creates the workflow. */
  save(accountId: string, imported: ImportedSvg, options?: SaveOptions): Promise<SvgImport>
  /** The same for a staged file. The caller discards it afterwards: with an Idempotency-Key, this runs again if another request was first. `mayStore`: throws if the caller may not store images. */
  saveFile(
    accountId: string,
    file: StagedBlob & { fileName: string },
    options: SaveOptions & { name?: string | undefined; signal?: AbortSignal; mayStore(): void },
  ): Promise<SvgImport>
}

interface Dependencies {
  images: Pick<Images, 'storeOnce'>
  workflows: Pick<Workflows, 'create'>
  convert: ConvertSvg
}

export function createSvgImports({ images, workflows, convert }: Dependencies): SvgImports {
  async function save(accountId: string, imported: ImportedSvg, options: SaveOptions = {}): Promise<SvgImport> {
    const { document, images: found, report } = imported
    for (const { placeholder, fileName, base64 } of found) {
      const { id } = await images.storeOnce(accountId, Buffer.from(base64, 'base64'), fileName)
      for (const parameter of document.parameters) if (parameter.default === placeholder) parameter.default = id
    }
    return { ...(await workflows.create(accountId, document, options)), report }
  }

  return {
    save,
    async saveFile(accountId, file, { name, signal, mayStore, ...options }) {
      if (file.bytes === 0) throw invalidRequest([{ path: 'file', message: 'is empty' }])
      const job = { file: file.path, name: name ?? nameOf(file.fileName) }
      const imported = await unlessDisconnected(convert(job, { account: accountId, signal }), signal)
      if (imported.images.length > 0) mayStore()
      return await save(accountId, imported, options)
    },
  }
}

function nameOf(fileName: string): string {
  return fileName.replace(/\.svgz?$/i, '').slice(0, 200) || 'SVG'
}
