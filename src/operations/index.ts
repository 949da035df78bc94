/** Every operation there is. A file that is not listed here does not exist for anybody. */
import { canvas } from './canvas.ts'
import { composite } from './composite.ts'
import type { Catalogue, Operation } from './define.ts'
import { image } from './image.ts'
import { resize } from './resize.ts'
import { text } from './text.ts'

const operations: Operation[] = [image, canvas, resize, composite, text]

export const catalogue: Catalogue = new Map(operations.map((operation) => [operation.id, operation]))
