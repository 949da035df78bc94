/** The English of docs, API text, messages, console text, comments and names of tests. docs/style.md has the rules and these patterns. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** Patterns of sentences, and what to write instead. */
const banned: readonly [pattern: RegExp, instead: string][] = [
  [/\b(tell|tells|telling|told)\b/i, 'report, return or show'],
  [/\b(whoever|somebody|nobody)\b(?! else\b)/i, 'you, the operator, the caller, anyone or no one'],
  [/\banew\b/i, 'again'],
  [/\bbeneath\b/i, 'below'],
  [/\bbesides\b/i, 'also, or in addition to'],
  [/\bstands\b(?! for\b)/i, 'is'],
  [/\b(is|are) asked\b/i, 'is called, or is requested'],
  [/\bat once\b/i, 'immediately, or at the same time'],
  [/\bgoes on\b/i, 'continues'],
  [/\bhand(s|ed)? on\b/i, 'passes'],
  [/(?<!\bthere )\b(is|are) no (?!longer\b|more\b|one\b)[a-z]+/i, 'is not a, or has no'],
  [/\bso many\b/i, 'the number'],
  [/\bshall\b/i, 'will, or should'],
  [/\b(dearest|mends?|mended|begun)\b/i, 'most expensive, fixes or started'],
  [/^(whatever|that of) [a-z]+ /i, 'the noun'],
  [/^what (is|are|was|were|it|they|a|the|each|this) /i, 'the noun'],
  [/\b(is had|let go|let it go)\b/i, 'is available, or released'],
]

const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Text without code, links, addresses and markup. */
function plain(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?```|<!--[\s\S]*?-->/g, '\n')
    .replaceAll(/`[^`\n]*`/g, 'X')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\S+/g, 'X')
    .replaceAll(/[*_]{1,2}/g, '')
}

/** Sentences of paragraphs, and cells of tables. A question is no statement: "What is in the image?" */
function sentences(text: string): string[] {
  return plain(text)
    .split('\n\n')
    .flatMap((part) => (/^\s*\|/m.test(part) ? part.split(/[|\n]/) : [part.replaceAll('\n', ' ')]))
    .flatMap((part) => part.split(/(?<=[.!?:;])\s+(?=[A-Z0-9])/))
    .map((each) => each.replace(/^[#>\s\-\d.]+/, '').trim())
    .filter((each) => each.split(/\s+/).length >= 3 && !each.endsWith('?'))
}

/** Strings and JSX text that start with a capital letter. */
function strings(source: string): string[] {
  const found = source.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.){12,}?)\1|>([^<>{}\n]{12,})</g)
  return Array.from(found, ([, , text, jsx]) => text ?? jsx ?? '')
    .filter((text) => /^[A-Z]/.test(text) && /[a-z]{3,} [a-z]/.test(text))
    .flatMap(sentences)
}

function comments(source: string): string[] {
  const found = source.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ (.*)$/gm)
  return Array.from(found, ([, block, line]) => (block ?? line ?? '').replaceAll(/^\s*\* ?/gm, '')).flatMap(sentences)
}

function docComments(source: string): string[] {
  return Array.from(source.matchAll(/\/\*\*([\s\S]*?)\*\//g), ([, text = '']) => text.replace(/^[\s*]+/, ''))
}

/** Titles of tests, also of one word. */
function testNames(source: string): string[] {
  const found = source.matchAll(/\b(?:test|it|describe|area|fullOnly)\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1/g)
  return Array.from(found, ([, , title]) => plain(title ?? '').replaceAll(/\$\{[^}]*\}/g, 'X'))
}

function openapi(): string[] {
  const found: string[] = []
  JSON.parse(read('docs/openapi.json'), (key, value) => {
    if ((key === 'description' || key === 'summary') && typeof value === 'string') found.push(...sentences(value))
    return value
  })
  return found
}

/** The sentences of each surface, with the file. */
const isCode = (path: string) => /^(src|shared|console\/src|fakes|scripts|bench)\/.*\.tsx?$/.test(path)
const isOwn = (path: string) => !/\.test\.ts$|schema\.d\.ts$/.test(path)
const isTest = (path: string) => /\.test\.tsx?$|\.matrix\.ts$|^test\/.*\.ts$/.test(path)
const surfaces: Record<string, { atLeast: number; found: () => [path: string, sentence: string][] }> = {
  Markdown: {
    atLeast: 3_000,
    found: () =>
      // The table of docs/style.md quotes what to avoid in code spans.
      tracked.filter((path) => path.endsWith('.md')).flatMap((path) => sentences(read(path)).map(at(path))),
  },
  'API text': { atLeast: 800, found: () => openapi().map(at('docs/openapi.json')) },
  strings: {
    atLeast: 1_500,
    found: () => tracked.filter((path) => isCode(path) && isOwn(path)).flatMap((p) => strings(read(p)).map(at(p))),
  },
  comments: {
    atLeast: 5_000,
    found: () => tracked.filter((path) => isCode(path) && isOwn(path)).flatMap((p) => comments(read(p)).map(at(p))),
  },
  'test names': {
    atLeast: 2_500,
    found: () => tracked.filter(isTest).flatMap((path) => testNames(read(path)).map(at(path))),
  },
}

function at(path: string): (sentence: string) => [string, string] {
  return (sentence) => [path, sentence]
}

// Prevents: two ways of writing, of which one has to be learned first, and words that no one searches for.
for (const [name, { atLeast, found }] of Object.entries(surfaces)) {
  test(`${name}: no sentence has a pattern that docs/style.md bans`, () => {
    const all = found()
    assert.ok(all.length >= atLeast, `found ${all.length} sentences`)
    const wrong = all.flatMap(([path, sentence]) => {
      const rule = banned.find(([pattern]) => pattern.test(sentence))
      return rule === undefined ? [] : [`${path}: ${sentence.slice(0, 160)} (write: ${rule[1]})`]
    })
    assert.deepEqual(wrong, [])
  })
}

// Prevents: comments that make sense only to a reader of the comment before, such as "Of one job.".
test('every doc comment starts with a noun or a verb', () => {
  const found = tracked.filter((path) => /\.(ts|tsx|js)$/.test(path)).flatMap((p) => docComments(read(p)).map(at(p)))
  assert.ok(found.length >= 5_000, `found ${found.length} comments`)
  const headless =
    /^(of|with|without|also|those|as|from|for|in|where|by|on|at|to|per|until|since|after|before|between|above|below|over|under|within|around|along|about|next|and|then|not)\b/i
  assert.deepEqual(
    found.filter(([, text]) => headless.test(text)).map(([path, text]) => `${path}: ${text.slice(0, 160)}`),
    [],
  )
})

test('docs/style.md lists what to write instead of each banned pattern', () => {
  const style = read('docs/style.md')
  for (const [, instead] of banned) assert.ok(style.includes(`| ${instead}`), instead)
})
