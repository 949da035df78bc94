/**
 * The `tintype` command beside a running service, and export and import. Each command is a process of its own, which takes
 * long: these suites run in the full run and in the matrix.
 */
import { runTogether } from '../harness/area.ts'
import '../harness/collect.ts'
import './cli.ts'
import './moving.ts'
import './other-versions.ts'

runTogether('the command', { concurrency: 2 })
