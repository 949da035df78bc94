/** The work on outputs that a run is given: encoding, storing, and all that `outputs` need. */
import type { CredentialState } from '../../domain/credentials/credential-state.ts'
import type { ImageFormat } from '../../domain/images/image.ts'
import type { Origin } from '../../domain/images/origin.ts'
import type { OutputEncoding } from '../../domain/workflows/output.ts'
import type { PdfSettings } from '../../domain/workflows/outputs.ts'
import type { PageLayout } from '../../domain/workflows/page-layout.ts'
import type { ImageValue } from '../../imaging/types.ts'
import type { OperationContext } from '../../operations/define.ts'
import type { StoredImage, TakenOutput } from '../cache/ports.ts'

export interface EncodedImage {
  bytes: Buffer
  format: ImageFormat
  width: number
  height: number
}

/** Encodes an output. */
export type Encode = (image: ImageValue, settings: OutputEncoding, context: OperationContext) => Promise<EncodedImage>

export interface NamedOutputPorts {
  /** The image with this width, which is smaller. */
  scale(image: ImageValue, width: number, context: OperationContext): Promise<ImageValue>
  /** A small image for the time until a file of a set is loaded. */
  placeholder(image: ImageValue, context: OperationContext): Promise<Placeholder>
  encodePage(
    image: ImageValue,
    page: PageLayout,
    settings: PdfSettings,
    context: OperationContext,
  ): Promise<EncodedPage>
  /** The bytes of the PDF. */
  bindPages(pages: readonly EncodedPage[], origin: Origin | undefined): Promise<Buffer>
  /** Stores a file, so that the files of a run aren't in memory together. Undefined if the caller wants their bytes. */
  store?: ((file: Pick<EncodedImage, 'bytes' | 'format'>) => Promise<StoredImage>) | undefined
}

export interface Placeholder {
  /** The dominant colour: `#rrggbb`. */
  color: string
  blurhash: string
}

export interface EncodedPage {
  page: PageLayout
  /** A JPEG, or an opaque PNG. */
  bytes: Buffer
  format: 'jpeg' | 'png'
  width: number
  height: number
}

/** A file of an output: its bytes, or where they are stored. */
export type RunFile = Omit<EncodedImage, 'bytes'> &
  TakenOutput & {
    /** Undefined if no known AI model made any of its pixels. */
    origin: Origin | undefined
    /** State of the Content Credentials that were added. */
    credentials?: CredentialState | undefined
    /** Number of pages of a PDF. */
    pages?: number | undefined
    /** The keys of the file, and the time that it took. Undefined if it came from the cache, or has no key. */
    cacheable?: { keys: string[]; durationMs: number }
  }

/** The primary output. */
export type RunOutput = RunFile & {
  /** The file name in the settings. */
  name: string | undefined
}

/** One of `outputs`. */
export interface RunNamedOutput {
  output: string
  isSet: boolean
  /** The file name in the settings. */
  name: string | undefined
  /** Files of a set, format by format, each from the smallest width. */
  files: RunFile[]
  /** Placeholder of a set. */
  placeholder?: Placeholder | undefined
}
