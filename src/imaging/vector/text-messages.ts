/** Messages between the service and the process that draws with fonts of accounts. */
import type { Rectangle } from '../raster/region.ts'
import type { AccountFont, Pixels } from '../types.ts'
import type { ChartStyle } from './chart-style.ts'
import type { Layers, TextFacts, TextPlace } from './lay-text.ts'
import type { TextStyle } from './text-style.ts'

/** Facts without the file. */
export type FontFacts = Omit<AccountFont, 'read' | 'characters'>

export interface TextJob extends TextPlace {
  text: TextStyle
  /** The same for all jobs of one text, which is laid out once if one process does them. */
  key: number
  /** Undefined for the layout only. */
  paint: { area: Rectangle; layers: Layers } | undefined
  fonts: FontFacts[]
}

export interface ChartJob {
  chart: ChartStyle
  fonts: FontFacts[]
}

export type DrawingJob = TextJob | ChartJob

export type DrawingReply =
  | { laid: TextFacts; warnings: string[] }
  | { data: Uint8Array }
  | { chart: Omit<Pixels, 'data'>; plot: Rectangle; data: Uint8Array; warnings: string[] }

/** A process keeps fonts, so it asks only for those that it needs. */
export interface FontQuestion {
  id: string
  part: 'bytes' | 'characters'
}
