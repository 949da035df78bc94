/** Imported before any area, because imports are evaluated in their order. */
import { collect } from './area.ts'

collect()
