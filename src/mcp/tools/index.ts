/** The tools that every account has. Few, because a client reads all of them before its first call. */
import type { Tool } from '../tool.ts'
import { getExecution } from './get-execution.ts'

export const tools: readonly Tool[] = [getExecution]
