/** The tests that reach changed files: `npm test -- --changed`. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { importsIn, withoutComments } from '../imports.ts'

/** The main path of a request, whatever has changed. */
export const smoke = ['test/api/execute.ts', 'test/api/upload.ts', 'test/workflows/shipped-examples.test.ts']

/** Changes of these can reach every test. */
const everything = /(^|\/)(package|package-lock|tsconfig)\.json$|^\.npmrc$/

/** Only `npm run check`, benchmarks and people read these. */
const withoutTests = /^(bench|deploy(?!\/helm)|\.ci|\.github)\/|^(Dockerfile|biome\.json|LICENSE|\..*ignore)$|\.md$/

/** The folders whose files run in the service and in commands. */
const service = [
  'bin',
  'src/app',
  'src/cli',
  'src/config',
  'src/domain',
  'src/engine',
  'src/http',
  'src/services',
  'src/storage',
  'src/worker',
]
/**
 * A service that a test starts runs all of src, so by imports each black-box test would reach each file. These helpers, which
 * start programs, are reached by changes below these folders only: unit tests and golden images cover the other ones.
 */
const programs: Record<string, string[]> = {
  'test/harness/service.ts': service,
  'test/harness/cli.ts': service,
  'test/harness/build.ts': ['console', 'site', 'scripts'],
}
/** They start the program, and don't import it. */
const notFollowed = 'bin/tintype.js'

/** The paths that differ from the common ancestor of a commit and HEAD, with uncommitted, untracked and deleted files. */
export function changedFiles(base: string | undefined, folder: string): { since: string; changed: string[] } {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const hasMain = base === undefined && git('for-each-ref', 'refs/heads/main') !== ''
  const since = git('merge-base', base ?? (hasMain ? 'main' : 'HEAD'), 'HEAD').trim()
  const lists = [
    git('diff', '--name-only', '--no-renames', '-z', since),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]
  const changed = lists.flatMap((list) => list.split('\0')).filter(Boolean)
  return { since, changed: [...new Set(changed)].sort() }
}

/** Every file of a repository, without ignored ones. */
export function filesOf(folder: string): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  return list.split('\0').filter(Boolean)
}

/**
 * The tests that reach a changed file. A file reaches each file that it imports for more than types, and each
 * file and folder whose path it has in a string, relative to itself or to the repository. A changed file that no other
 * reaches selects the tests of the first folder around it that has any or that a file names; if there is none, it
 * selects all, unless no test can depend on it.
 */
export function testsThatReach(
  changed: string[],
  tests: string[],
  files: string[],
  folder: string,
): { reached: string[]; all?: string } {
  const cause = changed.find((file) => everything.test(file))
  if (cause !== undefined) return { reached: tests, all: cause }
  const users = usersOf(new Set([...files, ...changed]), folder)
  const reached = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    for (const user of users.get(file) ?? []) visit(user)
    for (const around of foldersAround(file)) for (const user of users.get(around) ?? []) visit(user)
  }
  const isTest = new Set(tests)
  for (const file of changed) {
    visit(file)
    const starting = Object.keys(programs).filter((helper) =>
      programs[helper]?.some((each) => file.startsWith(`${each}/`)),
    )
    for (const helper of starting) visit(helper)
    const isNamed = [file, ...foldersAround(file)].some((each) => users.has(each))
    if (isNamed || isTest.has(file) || starting.length > 0) continue
    const home = foldersAround(file).find((each) => tests.some((test) => posix.dirname(test) === each))
    if (home !== undefined) for (const test of tests) if (posix.dirname(test) === home) visit(test)
    if (home === undefined && !withoutTests.test(file)) return { reached: tests, all: file }
  }
  return { reached: tests.filter((test) => reached.has(test)) }
}

/** Path of a file or folder -> the files that import or name it. */
function usersOf(files: Set<string>, folder: string): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  const folders = new Set([...files].flatMap(foldersAround).filter((each) => each.includes('/')))
  for (const from of files) {
    if (from === notFollowed || !/\.[cm]?[jt]sx?$/.test(from)) continue
    for (const path of pathsIn(readIfPresent(join(folder, from)))) {
      for (const to of [posix.join(posix.dirname(from), path), posix.normalize(path)].map(withoutSlash)) {
        if (to === from || (!files.has(to) && !folders.has(to))) continue
        const known = users.get(to)
        if (known === undefined) users.set(to, new Set([from]))
        else known.add(from)
      }
    }
  }
  return users
}

/** Strings that can be paths. Of a template, the folder before its first variable part. */
function pathsIn(text: string): Set<string> {
  const types = new Set<string>()
  for (const { specifier, isType } of importsIn(text)) if (isType) types.add(specifier)
  for (const { specifier, isType } of importsIn(text)) if (!isType) types.delete(specifier)
  const strings = withoutComments(text).matchAll(/(['"`])([\w@.][^'"`\n]*?)\1/g)
  const paths = Array.from(strings, ([, , string = '']) =>
    string.includes('${') ? string.slice(0, string.slice(0, string.indexOf('${')).lastIndexOf('/') + 1) : string,
  )
  return new Set(paths.filter((path) => /[./]/.test(path) && /\w/.test(path) && !types.has(path)))
}

const withoutSlash = (path: string): string => path.replace(/\/$/, '')

/** `a/b` and `a` of `a/b/c.ts`. */
function foldersAround(file: string): string[] {
  const parts = file.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'))
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It was deleted, or is a link to a folder.
    return ''
  }
}
