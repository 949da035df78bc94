/** Every hostile file, by kind. */
import { drawingFiles } from './drawings.ts'
import { fontFiles } from './fonts.ts'
import type { HostileFile } from './hostile-file.ts'
import { rasterFiles } from './raster.ts'
import { textFiles } from './texts.ts'

export const hostileFiles: readonly HostileFile[] = [...rasterFiles, ...drawingFiles, ...fontFiles, ...textFiles]
