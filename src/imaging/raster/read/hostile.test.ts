/** Files that cost a decoder far more than their headers say. No code of the service knows what is wrong with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { Fault, MachineBusy } from '../../../errors.ts'
import { limits } from '../../../limits.ts'
import { costlyProfile, jpegWithExifLoop, packedText, pngWith } from '../test-costly-files.ts'
import { isFault } from '../test-faults.ts'
import { contextFor, noise, testProcesses, withFile } from '../test-images.ts'
import { inspect, inspectSource } from './inspect.ts'
import { chunk } from './png-chunks.ts'

const costly: [string, () => Buffer | Promise<Buffer>, RegExp][] = [
  ['a JPEG with EXIF that refers to itself', () => jpegWithExifLoop(5_000), /took too long to decode/],
  [
    'a PNG with texts that unpack to gigabytes',
    () => pngWith(Array<Buffer>(400).fill(packedText('XML:com.adobe.xmp', Buffer.alloc(6_000_000, 'a')))),
    /took too long to decode|memory limit/,
  ],
]

for (const [name, make, message] of costly) {
  test(`${name} ends with an error that names the limit`, async (t) => {
    t.mock.property<{ inspectSeconds: number }, 'inspectSeconds'>(limits, 'inspectSeconds', 3)
    const decoding = inspectSource(await make(), contextFor({ secondsLeft: () => 60 }))
    await assert.rejects(decoding, (error) => error instanceof Fault && message.test(error.message))
  })
}

test('an upload that gets no processor time is not called invalid', async (t) => {
  const photo = await (await noise(300, 200)).jpeg().toBuffer()
  // A process that has started could be faster than the first look at it.
  testProcesses.stop()
  let ms = 0
  t.mock.method(performance, 'now', () => {
    ms += 1_000_000
    return ms
  })
  await withFile(photo, (file) =>
    assert.rejects(inspect(file, { pixelsMax: 1e8, processes: testProcesses }), MachineBusy),
  )
})

test('an ordinary profile that is a program is applied', async () => {
  const png = await pngWith([chunk('iCCP', Buffer.from('x\0\0'), deflateSync(costlyProfile(4)))], 500)
  await inspectSource(png, contextFor())
})

const killed: NodeJS.Signals[] = ['SIGKILL', 'SIGSEGV']
for (const signal of killed) {
  test(`a file is decoded in a new process if its process ends by ${signal}, and refused if both do`, async () => {
    const photo = await (await noise(3_000, 2_000)).webp({ effort: 0 }).toBuffer()
    testProcesses.stop()
    const decoded = inspectSource(photo, contextFor())
    const [first] = await processes()
    process.kill(first, signal)
    await decoded
    assert.ok(!testProcesses.ids().includes(first))

    let isRefused = false
    const refused = assert
      .rejects(inspectSource(photo, contextFor()), isFault('input_invalid', /decoder ended twice/))
      .finally(() => {
        isRefused = true
      })
    while (!isRefused) {
      for (const pid of testProcesses.ids()) process.kill(pid, signal)
      await setImmediate()
    }
    await refused
    await inspectSource(photo, contextFor())
  })
}

async function processes(): Promise<[number, ...number[]]> {
  for (;;) {
    const [first, ...others] = testProcesses.ids()
    if (first !== undefined) return [first, ...others]
    await setImmediate()
  }
}
