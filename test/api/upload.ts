/** POST /storage/upload. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { assertFields, type Client, issuePaths, ok, refused } from '../harness/client.ts'
import { boundary, field, file, multipart, multipartType } from '../harness/multipart.ts'
import { pdfOfColors } from '../harness/pdfs.ts'
import { noise, plain, sizeOf, svg, turned } from '../harness/pictures.ts'
import { psdOf } from '../harness/psds.ts'
import { firstAccount, secondAccount, smallService } from '../harness/shared.ts'
import { added, type Image, type Images, type Project } from '../harness/types.ts'
import { fetchImage } from '../harness/workflows.ts'

area('upload of an image', { concurrency: 4 }, () => {
  let api: Client
  let png: Buffer
  before(async () => {
    api = await firstAccount()
    png = await plain('png', 40, 30)
  })

  test('returns 201 with exactly the fields of the specification, and the URL of the image in Location', async () => {
    const reply = await api.upload([file(png, 'red.png', 'image/png')])
    const image = ok(reply, 201)
    const fields = ['createdAt', 'format', 'height', 'id', 'name', 'size', 'url', 'width']
    assertFields(image, fields, added.image)
    assert.match(image.id, /^img_[0-9a-z]{20,}$/)
    assert.match(image.url, new RegExp(`^${api.service.origin}/images/${image.id}\\.png$`))
    assert.deepEqual(
      [image.name, image.size, image.format, image.width, image.height],
      ['red.png', png.length, 'png', 40, 30],
    )
    assert.match(image.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    assert.ok(Math.abs(Date.now() - Date.parse(image.createdAt)) < 60_000)
    assert.equal(new URL(reply.headers.location ?? '', api.service.origin).pathname, `/v1/storage/images/${image.id}`)
  })

  for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'] as const) {
    test(`a ${format} is stored as ${format}, and served byte for byte as it was uploaded`, async () => {
      const bytes = await plain(format, 33, 21)
      const image = ok(await api.upload([file(bytes, 'picture')]), 201)
      assert.deepEqual([image.format, image.width, image.height, image.size], [format, 33, 21, bytes.length])
      assert.deepEqual(await fetchImage(api, image.url), bytes)
    })
  }

  test('an svg without active content is stored as svg, and served byte for byte as it was uploaded', async () => {
    const bytes = svg('<rect width="40" height="30" fill="#0a0"/>')
    const image = ok(await api.upload([file(bytes, 'shape.svg', 'image/svg+xml')]), 201)
    assert.deepEqual([image.format, image.width, image.height], ['svg', 40, 30])
    assert.deepEqual(await fetchImage(api, image.url), bytes)
  })

  test('a PDF and a PSD are stored as such, with the size of page 1 at 150 dpi and of the canvas', async () => {
    const flyer = pdfOfColors('1 0 0', '0 0 1')
    const psd = psdOf({ width: 8, height: 6, channels: [9, 8, 7].map((value) => Buffer.alloc(48, value)) })
    for (const [bytes, format, width, height] of [
      [flyer, 'pdf', 150, 75],
      [psd, 'psd', 8, 6],
    ] as const) {
      const image = ok(await api.upload([file(bytes, 'flyer')]), 201)
      assert.deepEqual([image.format, image.width, image.height, image.size], [format, width, height, bytes.length])
      assert.match(image.url, new RegExp(`\\.${format}$`))
      assert.deepEqual(await fetchImage(api, image.url), bytes)
    }
  })

  test('the format depends on the bytes, not on the name and the content type', async () => {
    const image = ok(await api.upload([file(png, 'picture.jpg', 'image/gif')]), 201)
    assert.deepEqual([image.format, image.name], ['png', 'picture.jpg'])
    assert.match(image.url, /\.png$/)
  })

  test('width and height of a photo are those after its EXIF orientation', async () => {
    const image = ok(await api.upload([file(await turned(40, 20), 'photo.jpg')]), 201)
    assert.deepEqual([image.width, image.height], [20, 40])
  })

  test('a custom name replaces the name of the file', async () => {
    assert.equal(ok(await api.upload([file(png, 'a.png'), field('name', 'b.png')]), 201).name, 'b.png')
  })

  test('a name can be in any script', async () => {
    const name = 'Füße – 写真 – صورة 🎨.png'
    assert.equal(ok(await api.upload([field('name', name), file(png)]), 201).name, name)
    assert.equal(ok(await api.upload([file(png, name)]), 201).name, name)
  })

  test('a file name in the extended notation of old clients (RFC 5987) is rejected or decoded, not taken literally', async () => {
    const body = multipart([file(png)])
      .toString('latin1')
      .replace('filename="picture.png"', "filename*=UTF-8''F%C3%BC%C3%9Fe.png")
    const reply = await api.call<Image>('POST', '/storage/upload', {
      body: Buffer.from(body, 'latin1'),
      headers: { 'content-type': multipartType },
    })
    if (reply.status === 201) assert.equal(reply.body.name, 'Füße.png')
    else issuePaths(reply)
  })

  test('an empty file input, as a browser sends it, is rejected', async () => {
    issuePaths(await api.upload([file('', '')]))
  })

  test('an empty file is rejected as empty, not as an unknown format', async () => {
    const reply = await api.upload([file(Buffer.alloc(0))])
    assert.deepEqual(issuePaths(reply), ['file'])
    assert.match(JSON.stringify(reply.body), /is empty/)
  })

  test('a project can come before or after the file, and the image belongs to it', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'Uploads' }), 201)
    for (const parts of [
      [field('projectId', project.id), file(png)],
      [file(png), field('projectId', project.id)],
      [field('name', 'x'), file(png), field('projectId', project.id)],
    ]) {
      const { id } = ok(await api.upload(parts), 201)
      assert.equal(ok(await api.get<Image>(`/storage/images/${id}`)).projectId, project.id)
    }
  })

  test('without a project an image belongs to none', async () => {
    const { id } = ok(await api.upload([file(png)]), 201)
    assert.ok(!('projectId' in ok(await api.get<Image>(`/storage/images/${id}`))))
  })

  test('the project of another account is rejected like an unknown one, before and after the file', async () => {
    const { api: other } = await secondAccount()
    const otherApi = ok(await other.post<Project>('/projects', { name: 'Theirs' }), 201).id
    const missing = otherApi.replace(/.{4}$/, '0000')
    const bare = (text: string): string => text.replace(/"requestId":"[^"]*"/, '').replaceAll(/proj_[0-9a-z]+/g, '')
    for (const parts of [
      (id: string) => [field('projectId', id), file(png)],
      (id: string) => [file(png), field('projectId', id)],
    ]) {
      const [first, second] = [await api.upload(parts(otherApi)), await api.upload(parts(missing))]
      assert.ok([400, 404].includes(first.status), first.text)
      assert.deepEqual([first.status, bare(first.text)], [second.status, bare(second.text)])
    }
  })

  test('a body without a file is rejected', async () => {
    assert.deepEqual(issuePaths(await api.upload([field('name', 'a.png')])), ['file'])
    refused(await api.upload([]), 'invalid_request')
  })

  test('a file part that is a text field is rejected', async () => {
    issuePaths(await api.upload([field('file', 'text')]))
  })

  test('two files are rejected', async () => {
    issuePaths(await api.upload([file(png), file(png)]))
  })

  test('a file in another field is rejected', async () => {
    issuePaths(await api.upload([{ ...file(png), field: 'image' }]))
    issuePaths(await api.upload([file(png), { ...file(png), field: 'image' }]))
  })

  test('an unknown field is rejected with its path', async () => {
    assert.ok(issuePaths(await api.upload([field('projectid', 'x'), file(png)])).includes('projectid'))
    assert.ok(issuePaths(await api.upload([file(png), field('folder', 'x')])).includes('folder'))
  })

  test('a name that is passed twice is rejected', async () => {
    issuePaths(await api.upload([field('name', 'a'), field('name', 'b'), file(png)]))
  })

  test('an empty name is rejected', async () => {
    assert.deepEqual(issuePaths(await api.upload([field('name', ''), file(png)])), ['name'])
  })

  test('an unknown query parameter is rejected with its path', async () => {
    const reply = await api.call('POST', '/storage/upload', { query: { name: 'x' }, parts: [file(png)] })
    assert.deepEqual(issuePaths(reply), ['name'])
  })

  const wrongTypes: [string, string | undefined][] = [
    ['application/json', 'application/json'],
    ['image/png', 'image/png'],
    ['no content type', undefined],
    ['multipart without a boundary', 'multipart/form-data'],
    ['multipart with a boundary of 253 characters', `multipart/form-data; boundary=${'b'.repeat(253)}`],
    ['multipart of another kind', `multipart/mixed; boundary=${boundary}`],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
  ]
  for (const [label, type] of wrongTypes) {
    test(`a body sent as ${label} is invalid_request`, async () => {
      const body = type?.startsWith('multipart') ? multipart([file(png)]) : png
      const headers = type === undefined ? {} : { 'content-type': type }
      refused(await api.call('POST', '/storage/upload', { body, headers }), 'invalid_request')
    })
  }

  test('a multipart body that breaks off is invalid_request', async () => {
    const whole = multipart([file(png)])
    for (const length of [0, 20, whole.length - 60, whole.length - 10]) {
      const reply = await api.call('POST', '/storage/upload', {
        body: whole.subarray(0, length),
        headers: { 'content-type': multipartType },
      })
      refused(reply, 'invalid_request')
    }
  })

  const notImages: [string, () => Buffer | Promise<Buffer>][] = [
    ['nothing', () => Buffer.alloc(0)],
    ['text', () => Buffer.from('no picture')],
    ['an HTML page', () => Buffer.from('<!doctype html><html><body>x</body></html>')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF')],
    ['a ZIP', () => Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ['a PPM', () => Buffer.from('P6\n1 1\n255\nabc')],
    ['the first bytes of a PNG', () => png.subarray(0, 20)],
    ['half of a PNG', async () => (await noise('png', 64, 64)).subarray(0, 6000)],
    ['half of a JPEG', async () => (await noise('jpeg', 200, 200)).subarray(0, 9000)],
    ['half of a WebP', async () => (await noise('webp', 200, 200)).subarray(0, 5000)],
    ['half of an AVIF', async () => (await noise('avif', 64, 64)).subarray(0, 900)],
    ['half of a GIF', async () => (await noise('gif', 200, 200)).subarray(0, 9000)],
    ['half of a TIFF', async () => (await noise('tiff', 64, 64)).subarray(0, 2000)],
    ['a PNG with a wrong byte in its pixels', async () => flipped(await noise('png', 64, 64))],
  ]
  for (const [label, bytes] of notImages) {
    test(`${label} is rejected because it is not an image`, async () => {
      assert.deepEqual(issuePaths(await api.upload([file(await bytes(), 'picture.png', 'image/png')])), ['file'])
    })
  }

  test('a rejected upload is not in storage afterwards', async () => {
    const project = ok(await api.post<Project>('/projects', { name: 'Stays empty' }), 201)
    const inProject = field('projectId', project.id)
    issuePaths(await api.upload([inProject, file(png.subarray(0, 20))]))
    issuePaths(await api.upload([inProject, file(png), field('folder', 'x')]))
    issuePaths(await api.upload([inProject, file(png), file(png)]))
    assert.equal(ok(await api.get<Images>('/storage/images', { projectId: project.id })).total, 0)
  })

  for (const filename of [
    '../../../../tmp/evil.png',
    '/etc/passwd',
    'C:\\\\windows\\\\evil.png',
    '..',
    '.',
    '   ',
    'a\u0000b.png',
    'x'.repeat(5000),
  ]) {
    test(`the file name ${JSON.stringify(filename.slice(0, 40))} is rejected or cleaned`, async () => {
      const reply = await api.upload([file(png, filename)])
      if (reply.status === 400) issuePaths(reply)
      else assertHarmless(ok(reply, 201))
    })
  }

  for (const name of [
    '../../evil.png',
    '/etc/passwd',
    'a/b.png',
    'a\\b.png',
    '..',
    '.',
    'a\u0000b.png',
    'a\r\nX-Evil: 1.png',
    'x'.repeat(5000),
  ]) {
    test(`the custom name ${JSON.stringify(name.slice(0, 40))} is rejected with its path`, async () => {
      assert.deepEqual(issuePaths(await api.upload([field('name', name), file(png)])), ['name'])
    })
  }
})

area('the limits of an upload', {}, () => {
  let api: Client
  before(async () => {
    api = await firstAccount(await smallService())
  })

  test('a file of exactly UPLOAD_MAX_BYTES is accepted, one byte more is invalid_request', async () => {
    const png = await plain('png')
    // Bytes after the end of a PNG are not part of the image.
    const padded = (size: number): Buffer => Buffer.concat([png, Buffer.alloc(size - png.length)])
    assert.equal(ok(await api.upload([file(padded(200_000))]), 201).size, 200_000)
    assert.deepEqual(issuePaths(await api.upload([file(padded(200_001))])), ['file'])
  })

  const endless: [what: string, header: string, frame: (bytes: Buffer) => Buffer][] = [
    ['declares a length of a gigabyte', 'Content-Length: 1000000000', (bytes) => bytes],
    [
      'declares no length and never ends',
      'Transfer-Encoding: chunked',
      (bytes) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
    ],
  ]
  for (const [label, header, frame] of endless) {
    test(`a body that ${label} is invalid_request before it is read in full`, async () => {
      const { hostname, port, host } = new URL(api.service.origin)
      const start = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`
      const piece = frame(Buffer.alloc(65_536))
      const socket = net.connect(Number(port), hostname)
      socket.on('error', () => undefined)
      const response = new Promise<string>((resolve) => {
        socket.once('data', (data) => resolve(data.toString('latin1')))
        socket.once('close', () => resolve('closed without a response'))
      })
      socket.write(
        `POST /v1/storage/upload HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${api.key}\r\n` +
          `Content-Type: ${multipartType}\r\n${header}\r\n\r\n`,
      )
      socket.write(frame(Buffer.from(start)))
      let sent = 0
      const more = (): void => {
        while (sent < 500_000_000 && !socket.destroyed && socket.write(piece)) sent += piece.length
      }
      socket.on('drain', more)
      more()
      assert.match(await response, /^HTTP\/1\.1 400 /)
      socket.destroy()
      assert.ok(sent < 400_000_000, `${sent} bytes were taken in`)
    })
  }

  test('an image of exactly IMAGE_MAX_PIXELS is accepted, one row more is invalid_request', async () => {
    assert.equal(ok(await api.upload([file(await plain('png', 1000, 1000))]), 201).width, 1000)
    assert.deepEqual(issuePaths(await api.upload([file(await plain('png', 1000, 1001))])), ['file'])
  })

  test('many form fields are rejected', async () => {
    const parts = Array.from({ length: 2000 }, (_, i) => field(`field${i}`, 'x'))
    refused(await api.upload([...parts, file(await plain('png'))]), 'invalid_request')
  })

  test('a form field of a megabyte is rejected', async () => {
    refused(await api.upload([field('name', 'x'.repeat(1_000_000)), file(await plain('png'))]), 'invalid_request')
  })

  test('the accepted images can be decoded', async () => {
    const image = ok(await api.upload([file(await plain('jpeg', 64, 64))]), 201)
    assert.equal((await sizeOf(await fetchImage(api, image.url))).format, 'jpeg')
  })
})

function assertHarmless(image: Image): void {
  assert.ok(image.name.length > 0 && image.name.length <= 255, image.name)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(image.name, /[/\\\u0000-\u001f\u007f]/)
  assert.ok(!['.', '..'].includes(image.name), image.name)
  assert.match(new URL(image.url).pathname, /^\/images\/img_[0-9a-z]+\.png$/)
}

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const middle = Math.floor(copy.length / 2)
  copy[middle] = (copy[middle] ?? 0) ^ 0xff
  return copy
}
