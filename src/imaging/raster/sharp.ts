/** sharp, set up once: loaded at its first use, because loading it costs more than the rest of the start. */
import type { Metadata, Sharp, SharpOptions } from 'sharp'

export type { Metadata, Sharp }

type SharpModule = typeof import('sharp').default

/** The formats that are read. Everything else that libvips can open (SVG, PPM, its own files) stays blocked. */
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
  // The gate (jobs.ts) keeps all cores busy with jobs of one thread each; a cache would only keep pixels from the system.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  return sharp
}

/** How every encoded image is opened: refused when damaged, turned as its EXIF says. */
export function sourceOptions(pixelsMax: number): SharpOptions {
  return { failOn: 'error', limitInputPixels: pixelsMax, autoOrient: true, pages: 1 }
}
