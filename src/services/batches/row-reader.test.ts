import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ParameterDeclaration } from '../../domain/workflows/workflow.ts'
import type { Fault } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createFileProblems, TooManyProblems } from './file-problem.ts'
import { type BatchFormat, readRows } from './row-reader.ts'

const declarations: ParameterDeclaration[] = [
  { name: 'title', type: 'string', required: true },
  { name: 'size', type: 'number', minimum: 1 },
  { name: 'dark', type: 'string', format: 'boolean' },
  { name: 'data', type: 'string', format: 'json', schema: { type: 'object' } },
]

async function* piecesOf(bytes: Buffer, pieceBytes: number): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

interface Options {
  format?: BatchFormat
  defaults?: Record<string, unknown>
  declared?: ParameterDeclaration[]
  pieceBytes?: number
  rowsMax?: number
}

/** The rows, and the problems as `line: message`, with the name of the column. */
async function read(file: string | Buffer, options: Options = {}) {
  const { format = 'csv', defaults = {}, declared = declarations, pieceBytes = 7, rowsMax = 100_000 } = options
  const problems = createFileProblems(format === 'json' ? 'row' : 'line')
  const rows = []
  try {
    const source = piecesOf(Buffer.from(file as string), pieceBytes)
    for await (const row of readRows(format, source, { declarations: declared, defaults, problems, rowsMax }))
      rows.push(row)
  } catch (error) {
    problems.end(error)
  }
  const { issues = [] } = (problems.toFault(rows.length) as Fault).details
  return { rows, problems: issues.map(({ path, message }) => `${path}: ${message}`), count: problems.count }
}

/** The problems match these patterns, in this order. */
function matches({ problems }: { problems: string[] }, expected: RegExp[]): void {
  assert.equal(problems.length, expected.length, problems.join('\n'))
  for (const [i, pattern] of expected.entries()) assert.match(String(problems[i]), pattern)
}

describe('rows of a CSV file', () => {
  test('cells become the declared types, and empty cells pass no value', async () => {
    const file = 'key,title,size,dark,data\na,Hello, 12 ,TRUE,"{""x"": 1}"\nb,x,,,\n'
    const { rows, problems } = await read(file)
    assert.deepEqual(problems, [])
    assert.deepEqual(rows, [
      { line: 2, key: 'a', parameters: { title: 'Hello', size: 12, dark: true, data: '{"x": 1}' } },
      { line: 3, key: 'b', parameters: { title: 'x' } },
    ])
  })

  test('every kind of line end, and quoted line ends, keep the numbers of lines', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      for (const pieceBytes of [1, 2, 5, 1_000]) {
        const text = ['key,title', 'a,"one', 'two"', '', 'b,x', 'b,again'].join(end)
        const result = await read(text, { pieceBytes })
        assert.deepEqual(
          result.rows.map(({ line, key }) => [line, key]),
          [
            [2, 'a'],
            [5, 'b'],
            [6, 'b'],
          ],
        )
        assert.equal(result.rows[0]?.parameters.title, 'one\ntwo')
        matches(result, [/^line 6, key: is "b", which is the key of line 5 already/])
      }
    }
  })

  test('a byte order mark, semicolons and tabs are accepted', async () => {
    for (const separator of [',', ';', '\t']) {
      const other = separator === ',' ? ';' : ','
      const { rows, problems } = await read(`\ufefftitle${separator}size\n"a${other}b"${separator}2\n`)
      assert.deepEqual(problems, [])
      assert.deepEqual(rows, [{ line: 2, key: '1', parameters: { title: `a${other}b`, size: 2 } }])
      const late = await read(`\r\n\ntitle${separator}size\na${separator}2\n`)
      assert.deepEqual([late.problems, late.rows.map(({ line }) => line)], [[], [4]], 'blank lines before the header')
    }
  })

  test('a header with unknown, repeated or missing columns is reported before any row', async () => {
    matches(await read('key,titel,size,size\na,1,2,3\n'), [
      /^line 1, titel: is not a known column.*Did you mean "title"\?/,
      /^line 1, size: is the name of two columns/,
      /^line 1, title: is required by the workflow, but there is no such column/,
    ])
    matches(await read('size\n1\n', { defaults: { title: 'x' } }), [])
    matches(await read(`${'c,'.repeat(9_999)}c\n1\n`), [
      /^line 1: has 10000 columns, but the workflow has only 4 parameters and "key"/,
    ])
    matches(await read('title,,size\na,b,1\n'), [/^line 1: has no name for column 2/])
  })

  test('a first line that names the separator is none of the rows', async () => {
    for (const [start, separator] of [
      ['sep=;\r\n', ';'],
      ['\ufeffSEP=,\n', ','],
      ['"sep=|"\n', '|'],
      ['\n\nsep=\t\n\n', '\t'],
    ] as const)
      for (const pieceBytes of [1, 7, 1_000]) {
        const { rows, problems } = await read(`${start}title${separator}size\na${separator}2\n`, { pieceBytes })
        assert.deepEqual(problems, [])
        const line = start.split('\n').length + 1
        assert.deepEqual(rows, [{ line, key: '1', parameters: { title: 'a', size: 2 } }])
      }
  })

  test('empty rows, and empty columns at the right, are ignored', async () => {
    for (const separator of [',', ';', '\t']) {
      const file = [';;;;', 'key;title;;;', 'a;one;;;', ';;;;', ' ; ;;;', 'b;two', 'c;three; ;', ';;;;', ';']
      const { rows, problems } = await read(file.join('\n').replaceAll(';', separator))
      assert.deepEqual(problems, [])
      assert.deepEqual(
        rows.map(({ line, key, parameters }) => [line, key, parameters.title]),
        [
          [3, 'a', 'one'],
          [6, 'b', 'two'],
          [7, 'c', 'three'],
        ],
      )
    }
    matches(await read('title;;\na;;b\n'), [
      /^line 2: has 3 cells, but the header has 1 column\. Quote cells that contain the separator\.$/,
    ])
    matches(await read('key,title\na\n'), [/^line 2: has 1 cell, but the header has 2 columns\./])
  })

  test('numbers have a decimal comma only between semicolons', async () => {
    const sizes = async (...cells: string[]) => {
      const { rows } = await read(`title;size\n${cells.map((cell) => `a;${cell}\n`).join('')}`)
      return rows.map(({ parameters }) => parameters.size)
    }
    assert.deepEqual(await sizes('1,5', '-0,25', ' 2,0 ', '1,5E+3', '3.5', ',5'), [1.5, -0.25, 2, 1_500, 3.5, 0.5])
    // Thousands could be meant.
    assert.deepEqual(await sizes('1.234,5', '1,234,567', '1,', '1, 5'), ['1.234,5', '1,234,567', '1,', '1, 5'])
    const { rows } = await read('title,size\na,"1,5"\n')
    assert.equal(rows[0]?.parameters.size, '1,5')
    assert.equal((await read('title;size\n1,5;1\n')).rows[0]?.parameters.title, '1,5')
  })

  test('a parameter with the name of the key column has its own column', async () => {
    const declared: ParameterDeclaration[] = [{ name: 'key', type: 'string' }]
    const { rows } = await read('key,parameters.key\na,b\n', { declared })
    assert.deepEqual(rows, [{ line: 2, key: 'a', parameters: { key: 'b' } }])
  })

  test('rows with too many or too few cells, and wrong quotes, are reported by line, and the others are read', async () => {
    const result = await read('key,title\na,b,c\nd\ne,f"g\nk,l\nh,"i"j\n', { pieceBytes: 1_000 })
    assert.deepEqual(
      result.rows.map(({ key }) => key),
      ['k'],
    )
    const lines = result.problems.map((each) => Number(/\d+/.exec(each)?.[0])).sort()
    assert.deepEqual([...new Set(lines)].slice(0, 4), [2, 3, 4, 6])
    matches(await read('title\n"a\nb\n'), [/^line \d+: is the end of the file inside of a quoted cell/])
  })

  test('nothing is reported after text behind a closing quote, because the parser no longer finds the rows', async () => {
    for (const rest of ['e,f\n', 'e,"f"\n', 'e,f,g\n', ''])
      for (const pieceBytes of [7, 1_000]) {
        const { rows, problems } = await read(`key,title\na,b,c\nc,d\nh,"i"j\n${rest}`, { pieceBytes })
        assert.deepEqual(
          rows.map(({ key }) => key),
          ['c'],
        )
        matches({ problems: problems.toSorted() }, [/^line 2: /, /^line 4: has text after the closing quote of a cell/])
      }
  })

  test('other encodings are named, with the line', async () => {
    matches(await read(Buffer.from('\ufeffkey,title\na,b\n', 'utf16le')), [
      /^line 1: is UTF-16, but the file must be UTF-8/,
    ])
    matches(await read(Buffer.from('\ufeffkey,title\na,b\n', 'utf16le').swap16()), [/^line 1: is UTF-16/])
    matches(await read(Buffer.from('key,title\na,b\n', 'utf16le')), [/^line 1: is UTF-16/])
    matches(await read(Buffer.from('title\nok\ncaf\xe9\n', 'latin1')), [/^line 3: is not UTF-8/])
    matches(await read('title\na\0b\n'), [/^line 2: has a NUL character/])
  })

  test('long rows are refused by line, and not kept in memory', async () => {
    matches(await read(`title\n${'x'.repeat(1_100_000)}\n`, { pieceBytes: 65_536 }), [
      /^line 2: is longer than 1048576 bytes/,
    ])
    matches(await read(`title\n"${'x\n'.repeat(600_000)}"\n`, { pieceBytes: 65_536 }), [
      /^line \d+: has a row of more than 1048576 bytes/,
    ])
  })

  test('a header that repeats the last of many parameters takes as long as one that repeats the first', async () => {
    const declared = Array.from(
      { length: 2_000 },
      (_, at): ParameterDeclaration => ({ name: `a${at}`, type: 'string' }),
    )
    const timeOf = async (name: string) => {
      const before = process.threadCpuUsage().user
      const { problems } = await read(`${`${name},`.repeat(50_000)}b\n`, { declared, pieceBytes: 65_536 })
      assert.match(problems.join(), /50001 columns.* The first unknown column is "b"/)
      return process.threadCpuUsage().user - before
    }
    const least = async (name: string) => Math.min(await timeOf(name), await timeOf(name), await timeOf(name))
    const [first, last] = [await least('a0'), await least('a1999')]
    assert.ok(last < 3 * first + 20_000, `${last} instead of ${first} µs`)
  })

  test('a row too many is refused', async () => {
    const result = await read(`title\n${'x\n'.repeat(12)}`, { rowsMax: 10 })
    assert.equal(result.rows.length, 10)
    matches(result, [/^line 12: is row 11: a batch has at most 10 rows/])
  })

  for (const [name, file, format] of [
    ['wrong rows', `key,title\n${'a,b,c\n'.repeat(200_000)}`, 'csv'],
    ['wrong quotes', `title\n${'x"y\n'.repeat(200_000)}`, 'csv'],
    ['wrong JSON', '{\n'.repeat(200_000), 'ndjson'],
  ] as const)
    test(`after many ${name}, the rest of the file is not read`, async () => {
      let read = 0
      async function* counted() {
        for await (const piece of piecesOf(Buffer.from(file), 65_536)) {
          read += piece.length
          yield piece
        }
      }
      const problems = createFileProblems()
      const rows = readRows(format, counted(), { declarations, defaults: {}, problems })
      await assert.rejects(Array.fromAsync(rows), TooManyProblems)
      const { issues, issueCount } = problems.toFault(0).details
      assert.equal(issueCount, limits.batchProblemsMax)
      assert.equal(issues?.length, limits.issuesMax)
      assert.ok(read < file.length, `read ${read} bytes of ${file.length}`)
    })

  test('the name of an unknown column is shortened', async () => {
    const { problems } = await read(JSON.stringify({ ['n'.repeat(1_000)]: 1 }), { format: 'ndjson' })
    assert.match(String(problems[0]), /^line 1, n{200}\.\.\.: is not a known column/)
  })

  test('keys are bounded, and have no control characters', async () => {
    matches(await read(`key,title\n${'k'.repeat(201)},x\n"a\tb",y\n,z\n..,d\n...,e\n.,f\n`), [
      /^line 2, key: must have at most 200 characters, not 201/,
      /^line 3, key: must be text without control characters/,
      /^line 4, key: must not be empty/,
      /^line 5, key: can't be "\.\.", which clients remove from the URL of a row\. Add a letter or a digit\.$/,
      /^line 7, key: can't be "\."/,
    ])
    matches(await read('{"key":"\\ud800","title":"x"}', { format: 'ndjson' }), [/^line 1, key: must be text/])
    const numbers = '{"key":1234567890123456789}\n{"key":1.5}\n{"key":1e999}\n{"key":-7}'
    matches(await read(numbers, { format: 'ndjson' }), Array(3).fill(/key: must be text or a whole number/))
  })
})

describe('rows of a JSON array', () => {
  const json = { format: 'json' } as const

  test('each element is an object: values by name, and optionally a key', async () => {
    const file = `\ufeff [ {"key":"a","title":"]},{\\"","size":2,"dark":null}\n,{"title":"é😀","data":{"x":[1,{}]}},{}]\n `
    for (const pieceBytes of [1, 7, 1_000]) {
      const { rows, problems } = await read(file, { ...json, pieceBytes })
      assert.deepEqual(problems, [])
      assert.deepEqual(rows, [
        { line: 1, key: 'a', parameters: { title: ']},{"', size: 2 } },
        { line: 2, key: '2', parameters: { title: 'é😀', data: { x: [1, {}] } } },
        { line: 3, key: '3', parameters: {} },
      ])
    }
    for (const empty of ['[]', ' [ \n] ']) assert.deepEqual((await read(empty, json)).rows, [])
  })

  test('each row with a problem is reported by its number', async () => {
    matches(await read('[{"key":"a"},{"key":"a"},1,{"titel":"x"},{"key":{}},{bad},]', json), [
      /^row 2, key: is "a", which is the key of row 1 already/,
      /^row 3: must be a JSON object, not 1/,
      /^row 4, titel: is not a known column.*Did you mean "title"/,
      /^row 5, key: must be text, not \{\}/,
      /^row 6: must be valid JSON/,
      /^row 7: must be valid JSON/,
    ])
  })

  test('other files are refused with the reason', async () => {
    const start = /^row 1: is missing: the file must be a JSON array of objects, such as \[/
    for (const file of ['{"title":"x"}', 'title\na\n', '"[]"']) matches(await read(file, json), [start])
    matches(await read('[{}] []', json), [/^row 1: must be the last one: text follows the end of the array/])
    for (const file of ['[{}', '[{},{"a":"', '[{"a":[}]'])
      matches({ problems: (await read(file, json)).problems.slice(-1) }, [/is the end of the file inside of the array/])
    matches(await read(Buffer.from('[{"title":"\xe9"}]', 'latin1'), json), [/^row 1: is not UTF-8/])
    matches(await read(`[{"title":"${'x'.repeat(1_100_000)}"}]`, { ...json, pieceBytes: 65_536 }), [
      /^row 1: is longer than 1048576 bytes/,
    ])
  })
})

describe('rows of an NDJSON file', () => {
  test('each line is an object: values by name, and optionally a key', async () => {
    const file = '{"key":"a","title":"x","size":2,"dark":null}\n\n{"key":7,"title":""}\r\n{"title":"z"}'
    const { rows, problems } = await read(file, { format: 'ndjson' })
    assert.deepEqual(problems, [])
    assert.deepEqual(rows, [
      { line: 1, key: 'a', parameters: { title: 'x', size: 2 } },
      { line: 3, key: '7', parameters: { title: '' } },
      { line: 4, key: '3', parameters: { title: 'z' } },
    ])
  })

  test('a row whose key or name is a problem is returned, too, so that its values are checked', async () => {
    const file = '{"key":"a","size":1}\n{"key":"a","size":"x"}\n{"key":[],"size":"y"}\n{"szie":1,"size":"z"}\n'
    const { rows, problems } = await read(file, { format: 'ndjson' })
    assert.deepEqual(
      rows.map(({ line, parameters }) => [line, parameters.size]),
      [
        [1, 1],
        [2, 'x'],
        [3, 'y'],
        [4, 'z'],
      ],
    )
    matches({ problems }, [/^line 2, key: is "a"/, /^line 3, key: must be text, not \[\]/, /^line 4, szie: is not/])
  })

  test('every line with a problem is reported', async () => {
    matches(await read('{bad\n[1]\n{"key":{}}\n{"nope":1}\n{"title":"ok"}\n', { format: 'ndjson' }), [
      /^line 1: must be valid JSON\. /,
      /^line 2: must be a JSON object, not \[1\]/,
      /^line 3, key: must be text, not \{\}/,
      /^line 4, nope: is not a known column/,
    ])
  })

  test('a line with too many nested levels, values or names is reported', async () => {
    const deep = `{"data":${'['.repeat(1_000)}${']'.repeat(1_000)}}`
    const wide = `{"data":[${'1,'.repeat(limits.jsonValuesMax)}1]}`
    const named = JSON.stringify(Object.fromEntries(Array.from({ length: 25_000 }, (_, i) => [`p${i}`, 1])))
    const lines = `${deep}\n${wide}\n${named}\n{"__proto__":1}\n{"title":"ok"}\n`
    const result = await read(lines, { format: 'ndjson', pieceBytes: 65_536 })
    matches(result, [
      /^line 1: must have at most 64 nested levels$/,
      /^line 2: must have at most 100,000 values$/,
      /^line 3: must have at most 20,000 different names of fields$/,
      /^line 4: __proto__ is not an allowed name$/,
    ])
    assert.deepEqual(result.rows, [{ line: 5, key: '1', parameters: { title: 'ok' } }])
  })
})
