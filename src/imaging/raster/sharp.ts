/** sharp, configured once and loaded on first use, because loading takes longer than the rest of the start. */
import type { Metadata, Sharp, SharpOptions } from 'sharp'

export type { Metadata, Sharp }

type SharpModule = typeof import('sharp').default

/** Allowed formats. All other loaders of libvips (SVG, PPM, its own files) stay blocked. */
const loaders = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
]

let loading: Promise<SharpModule> | undefined

export function loadSharp(): Promise<SharpModule> {
  loading ??= import('sharp').then((module) => setUp(module.default))
  return loading
}

function setUp(sharp: SharpModule): SharpModule {
  // The gate (jobs.ts) keeps all cores busy with jobs of one thread each; a cache would only use memory.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  return sharp
}

/** Options for every encoded image: fail on damage, rotate by EXIF orientation. */
export function sourceOptions(pixelsMax: number): SharpOptions {
  return { failOn: 'error', limitInputPixels: pixelsMax, autoOrient: true, pages: 1 }
}
