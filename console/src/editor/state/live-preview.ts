/** The live images of nodes, and what they are requested for. */
import type { StoreApi } from 'zustand/vanilla'
import type { Frame } from '../../../../shared/frames.ts'
import type { DraftPreview, PreviewOptions } from '../../api/drafts.ts'
import type { Catalogue } from '../../api/operations.ts'
import type { DocumentStore } from './document-store.ts'
import type { PreviewProblem } from './preview-problem.ts'
import type { RunStore } from './run.ts'

/** The live image of a node. */
export interface LivePreview {
  /** A data: URL, decoded before it is here. Undefined before the first image. */
  url: string | undefined
  /** Pixels of the image of the node. The file at `url` can be smaller. */
  width: number
  height: number
  /** Areas that the node drew or read. */
  frames: readonly Frame[]
  /** Whether the image is of an earlier state of the document. */
  isStale: boolean
  /** Whether the image has all pixels of a run, without loss. */
  isExact: boolean
  /** Why the current state has no image. */
  problem: PreviewProblem | undefined
  /** The image is only there because the card had none. */
  isQuiet: boolean
}

export interface Watch {
  /** Pixels of the longer side while the document changes, at least. Default: 512. */
  maxSide?: number
  /** Whether the image becomes exact, at full size, shortly after the last change. */
  isExact?: boolean
  /** Whether the image is requested now and after each run, and not only after the next change. */
  isImmediate?: boolean
  /** Whether frames of texts have the places of a caret. */
  hasCarets?: boolean
  /** Whether the image is only for a card without one: it is requested when nothing else is to do, and has no problem. */
  isQuiet?: boolean
}

export interface LivePreviews {
  /** Live images by node. For a node without an entry, the image of its last run is current. */
  nodes: StoreApi<ReadonlyMap<string, LivePreview>>
  /** Keeps the image of a node current until the returned function is called. A node whose settings were changed last is watched in any case. */
  watch(node: string, watch?: Watch): () => void
  /** Starts to follow the document and the run. Returns a function that stops this. */
  start(): () => void
}

export interface PreviewsOptions {
  document: DocumentStore
  run: RunStore
  catalogue: Catalogue
  request(options: PreviewOptions, signal: AbortSignal): Promise<DraftPreview>
  /** Resolves when the image can be shown without flicker. */
  decode(url: string): Promise<void>
  /** Resolves when the page has nothing else to do. */
  idle(): Promise<void>
  /** Milliseconds between the last change and the exact image. */
  settleMs?: number
  /** Milliseconds between two requests, at least. */
  pauseMs?: number
  /** Milliseconds in which nothing happens, before images for cards without one are requested. */
  quietMs?: number
}

/** The preview of a node without an image. */
export const noPreview: LivePreview = {
  url: undefined,
  width: 0,
  height: 0,
  frames: [],
  isStale: true,
  isExact: false,
  problem: undefined,
  isQuiet: false,
}
