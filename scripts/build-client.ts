/** Builds the client, client/dist: the API types, then JavaScript and declarations by tsc. */
import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../client', import.meta.url))
await import('./console-types.ts')
await rm(`${folder}/dist`, { recursive: true, force: true })
const compiler = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))
const { status } = spawnSync(compiler, ['-p', folder], { stdio: 'inherit' })
process.exitCode = status ?? 1
