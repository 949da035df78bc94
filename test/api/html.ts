/** The operation `html` over HTTP: issues with lines, escaping, images by node and of lists, missing characters. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { area } from '../harness/area.ts'
import { type Client, ok, refused } from '../harness/client.ts'
import { firstAccount } from '../harness/shared.ts'
import type { Execution, Image } from '../harness/types.ts'
import { fetchImage, run, save, upload } from '../harness/workflows.ts'

interface Issue {
  path: string
  message: string
  line?: number
  column?: number
}

area('HTML and CSS', { concurrency: 4 }, () => {
  let api: Client
  let photos: Image[]
  before(async () => {
    api = await firstAccount()
    const colors = ['#ff0000', '#0000ff']
    photos = await Promise.all(
      colors.map(async (background, i) => {
        const image = sharp({ create: { width: 20, height: 10, channels: 3, background } })
        return upload(api, await image.png().toBuffer(), `color-${i}.png`)
      }),
    )
  })

  const documentOf = (html: string, css = '', more: Record<string, unknown> = {}) => ({
    name: 'A card',
    parameters: [
      { name: 'title', type: 'string', default: 'Hello' },
      { name: 'color', type: 'string', default: 'red' },
    ],
    nodes: { card: { type: 'html', params: { html, css, width: 40, height: 20 }, ...more } },
    output: { node: 'card', format: 'png' },
  })
  const pixelsOf = async (url: string) => {
    const { data, info } = await sharp(await fetchImage(api, url))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return {
      at: (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)],
      ...info,
    }
  }

  test('saving reports all mistakes with line and column, and the fix', async () => {
    const wrong = documentOf(
      '<div>\n  <script>x</script>\n</div><img src="node:photo">',
      'p {\n  colr: red;\n  position: sticky;\n}',
    )
    const details = refused(await api.post('/workflows', wrong), 'invalid_request')
    assert.deepEqual(
      (details.issues as Issue[]).map(({ path, line, column }) => [path, line, column]),
      [
        ['nodes.card.params.html', 2, 3],
        ['nodes.card.params.html', 3, 12],
        ['nodes.card.params.css', 2, 3],
        ['nodes.card.params.css', 3, 13],
      ],
    )
    const messages = (details.issues as Issue[]).map(({ message }) => message)
    assert.match(messages[0] ?? '', /mistake in line 2, column 3: .*<script>/)
    assert.match(messages[2] ?? '', /Did you mean "color"\?/)
    const { issues } = ok(await api.post<{ issues: Issue[] }>('/workflows/validate', wrong))
    assert.equal(issues[0]?.line, 2)
  })

  test('a value of a parameter is text, not markup, and stays a value of CSS', async () => {
    const { id } = await save(
      api,
      documentOf('<div class="box">{{ title }}</div>', '.box { width: 40px; height: 20px; background: {{ color }} }'),
    )
    const { url } = await run(api, id, {
      title: '<img src="node:photo"><script>x</script></div>',
      color: 'rgb(0 255 0)',
    })
    assert.deepEqual((await pixelsOf(url)).at(39, 19), [0, 255, 0, 255])
    const reply = await api.post<Execution>('/workflows/execute', {
      workflowId: id,
      parameters: { color: 'red; } body { background: blue' },
    })
    const details = refused(reply, 'workflow_failed')
    assert.equal(details.reason, 'input_invalid')
  })

  test('images come from connected nodes by id, also those of a list', async () => {
    const { url } = await run(
      api,
      (
        await save(api, {
          name: 'Images',
          nodes: {
            first: { type: 'image', params: { source: photos[0]?.id } },
            all: {
              type: 'image',
              each: photos.map(({ id }) => id),
              params: { source: '{{ item }}' },
            },
            card: {
              type: 'html',
              inputs: { images: ['first', 'all'] },
              params: {
                html: '<img src="node:all/1"><div class="b"></div>',
                css: 'body { display: flex } .b { width: 20px; height: 10px; background-image: url(node:first) }',
                width: 40,
              },
            },
          },
          output: { node: 'card', format: 'png' },
        })
      ).id,
      {},
    )
    const { at, width, height } = await pixelsOf(url)
    assert.deepEqual([width, height], [40, 10])
    assert.deepEqual(
      [at(5, 5), at(30, 5)],
      [
        [0, 0, 255, 255],
        [255, 0, 0, 255],
      ],
    )
  })

  test('the same document with the images of two nodes swapped is another image', async () => {
    const swapped = (images: string[]) => ({
      name: 'Swapped',
      nodes: {
        a: { type: 'image', params: { source: photos[images[0] === 'a' ? 0 : 1]?.id } },
        b: { type: 'image', params: { source: photos[images[0] === 'a' ? 1 : 0]?.id } },
        card: {
          type: 'html',
          inputs: { images },
          params: { html: '<img src="node:a">', css: 'img { display: block }', width: 20 },
        },
      },
      output: { node: 'card', format: 'png' },
    })
    const urls = await Promise.all(
      [swapped(['a', 'b']), swapped(['b', 'a'])].map(
        async (document) => (await run(api, (await save(api, document)).id, {})).url,
      ),
    )
    const [one, other] = await Promise.all(urls.map(pixelsOf))
    assert.deepEqual(
      [one?.at(5, 5), other?.at(5, 5)],
      [
        [255, 0, 0, 255],
        [0, 0, 255, 255],
      ],
    )
  })

  test('characters that no font has are warnings, or fail the execution', async () => {
    const { id } = await save(api, documentOf('<p>{{ title }}</p>'))
    const done = ok(
      await api.post<Execution & { warnings?: { message: string }[] }>('/workflows/execute', {
        workflowId: id,
        parameters: { title: 'a\u{10330}' },
      }),
    )
    assert.match(JSON.stringify(done.warnings), /U\+10330/)
  })
})
