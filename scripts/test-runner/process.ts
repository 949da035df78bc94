/**
 * Usage: node process.ts <file for events> <name pattern or nothing> <test file>...
 *
 * Runs test files one after another in this process. Not `node --test`: child processes that a test forks would inherit it.
 */
import { createWriteStream } from 'node:fs'
import { run } from 'node:test'
import { events } from './events.ts'

const [destination = '', pattern = '', ...files] = process.argv.slice(2)
run({ files, isolation: 'none', ...(pattern ? { testNamePatterns: [pattern] } : {}) })
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  .compose<NodeJS.ReadableStream>(events)
  .pipe(createWriteStream(destination))
