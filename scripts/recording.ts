/**
 * Usage: node scripts/recording.ts [--frames FOLDER]
 *
 * Records the animation of the README, docs/pictures/console.webp: a workflow is extended, run and published. The script
 * takes a screenshot after each action and draws the pointer on it, so the speed of the machine doesn't change the result.
 * `--frames` also writes each frame as PNG. Look at them before you commit the animation.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import {
  card,
  field,
  result,
  runPanel,
  showEverything,
  waitUntilLoaded,
  waitUntilStill,
} from '../test/browser/harness/editor.ts'
import { type Client, ok } from '../test/harness/client.ts'
import type { Workflow } from '../test/harness/types.ts'
import { upload } from '../test/harness/workflows.ts'
import { examplePhoto, onStage, openPage, picturesFolder } from './console-stage.ts'

const viewport = { width: 1120, height: 720 }
/** Pixels of the animation per CSS pixel: GitHub shows it 830 pixels wide, and twice that on a sharp screen. */
const deviceScaleFactor = 1.2
const bytesMax = 1_500_000
const frameMs = 40

interface Point {
  x: number
  y: number
}

interface Frame {
  png: Buffer
  pointer: Point
  isPressed: boolean
  ms: number
}

const { values } = parseArgs({ options: { frames: { type: 'string' } } })

await onStage(async (stage) => {
  const workflowId = await prepare(stage.api)
  const page = await openPage(stage, { viewport, deviceScaleFactor, colorScheme: 'light' }, stage.service.key)
  await page.goto(`/workflows/${workflowId}`)
  await card(page, 'title').waitFor()
  const camera = createCamera(page)
  await play(page, camera)
  await write(camera.frames)
})

/** A draft that draws a title on a photo, and a photo of its size in the storage. */
async function prepare(api: Client): Promise<string> {
  const photo = await sharp(await examplePhoto('dandelion.jpg'))
    .resize(1200, 630)
    .jpeg({ quality: 90 })
    .toBuffer()
  await upload(api, photo, 'field.jpg')
  const box = { x: 72, y: 380, width: 1056, height: 190 }
  const document = {
    name: 'Launch card',
    parameters: [
      { name: 'photo', type: 'string', required: true },
      { name: 'headline', type: 'string', required: true },
    ],
    nodes: {
      photo: { type: 'image', params: { source: '{{ photo }}' } },
      title: {
        type: 'text',
        inputs: { image: 'photo' },
        params: { text: '{{ headline }}', box, size: 104, weight: 700, color: 'white', verticalAlign: 'bottom' },
      },
    },
    output: { node: 'title', format: 'webp' },
    layout: { photo: [0, 0], title: [580, 0], $output: [870, 0] },
  }
  // The first text of a service takes longer, because it loads the fonts.
  const { workflows } = ok(await api.get<{ workflows: Workflow[] }>('/workflows', { limit: 50 }))
  const example = workflows.find(({ name }) => name === 'Link preview card')
  ok(await api.post('/workflows/execute', { workflowId: example?.id }))
  return ok(await api.post<{ workflowId: string }>('/workflows/drafts', { document }), 201).workflowId
}

async function play(page: Page, camera: Camera): Promise<void> {
  await showEverything(page)
  await camera.hold(1200)

  // A wire that is dropped on an empty place opens the search.
  await camera.moveTo(output(page, 'photo'))
  await camera.press()
  const [{ x, y }, { x: left }] = [await centre(card(page, 'photo')), await centre(card(page, 'title'))]
  await camera.moveTo({ x: x + (left - x) * 0.36, y: y + 56 })
  await camera.release()
  await camera.hold(500)
  await camera.type('vign')
  await camera.hold(600)
  await camera.key('Enter')
  await waitUntilStill(page)
  await camera.hold(700)

  await camera.moveTo(output(page, 'vignette'))
  await camera.press()
  await camera.moveTo(card(page, 'title').locator('.react-flow__handle.target[data-handleid=image]'))
  await camera.release()
  await camera.hold(700)

  await camera.click(page.getByRole('button', { name: 'Arrange automatically' }))
  await waitUntilStill(page)
  await camera.hold(700)

  await camera.click(runPanel(page).getByRole('button', { name: 'Show the run panel' }))
  await waitUntilStill(page)
  await showEverything(page)
  await camera.hold(400)
  await camera.click(field(page, 'parameters.photo').getByRole('button', { name: 'Choose', exact: true }))
  await camera.hold(500)
  await camera.click(page.getByRole('dialog').getByRole('button', { name: 'field.jpg' }))
  await camera.click(field(page, 'parameters.headline').getByRole('textbox'))
  await camera.type('Make a wish')
  await camera.hold(400)
  await camera.click(runPanel(page).getByRole('button', { name: 'Run', exact: true }))
  await camera.watch(async () => {
    await waitUntilLoaded(result(page))
    for (const id of ['photo', 'vignette', 'title']) await waitUntilLoaded(card(page, id).locator('img'))
  })
  await camera.hold(2000)

  await camera.click(page.getByRole('button', { name: 'Publish', exact: true }))
  await camera.hold(900)
  await camera.click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
  await page.getByText('Version 1', { exact: true }).waitFor()
  await camera.moveTo(result(page))
  await camera.hold(2600)
}

function output(page: Page, id: string): Locator {
  return card(page, id).locator('.react-flow__handle.source[data-handleid=image]')
}

type Camera = ReturnType<typeof createCamera>

function createCamera(page: Page) {
  const frames: Frame[] = []
  let pointer: Point = { x: viewport.width * 0.45, y: viewport.height * 0.62 }
  let isPressed = false

  const take = async (ms: number): Promise<void> => {
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    frames.push({ png: await page.screenshot({ animations: 'disabled', caret: 'initial' }), pointer, isPressed, ms })
  }
  const pressed = async (is: boolean): Promise<void> => {
    isPressed = is
    await (is ? page.mouse.down() : page.mouse.up())
    await take(2 * frameMs)
  }

  const camera = {
    frames,
    hold: take,

    /** Moves the pointer like a hand: slow at both ends, on a slightly bent path. */
    async moveTo(goal: Point | Locator): Promise<void> {
      const end = 'x' in goal ? goal : await centre(goal)
      const start = pointer
      const distance = Math.hypot(end.x - start.x, end.y - start.y)
      const count = Math.max(4, Math.min(12, Math.round(distance / 50)))
      for (let index = 1; index <= count; index++) {
        const part = (1 - Math.cos((Math.PI * index) / count)) / 2
        const bend = Math.sin(Math.PI * part) * distance * 0.06
        pointer = {
          x: start.x + (end.x - start.x) * part,
          y: start.y + (end.y - start.y) * part - bend,
        }
        await page.mouse.move(pointer.x, pointer.y)
        await take(frameMs)
      }
    },

    press: () => pressed(true),
    release: () => pressed(false),

    async click(goal: Locator): Promise<void> {
      await camera.moveTo(goal)
      await take(4 * frameMs)
      await pressed(true)
      await pressed(false)
    },

    async type(text: string): Promise<void> {
      for (const letter of text) {
        await page.keyboard.type(letter)
        await take(2 * frameMs)
      }
    },

    async key(name: string): Promise<void> {
      await page.keyboard.press(name)
      await take(2 * frameMs)
    },

    /** Takes frames until the page meets the condition. */
    async watch(condition: () => Promise<unknown>): Promise<void> {
      let isOver = false
      const over = condition().finally(() => {
        isOver = true
      })
      while (!isOver) await take(5 * frameMs)
      await over
    },
  }
  return camera
}

async function centre(target: Locator): Promise<Point> {
  const box = await target.boundingBox()
  if (box === null) throw new Error(`Nothing to point at: ${target}`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function write(taken: readonly Frame[]): Promise<void> {
  const frames: { image: Buffer; ms: number }[] = []
  for (const frame of taken) {
    const image = await withPointer(frame)
    const last = frames.at(-1)
    if (last?.image.equals(image)) last.ms += frame.ms
    else frames.push({ image, ms: frame.ms })
  }
  if (values.frames !== undefined) {
    await mkdir(values.frames, { recursive: true })
    for (const [index, { image }] of frames.entries())
      await writeFile(`${values.frames}/${String(index).padStart(3, '0')}.png`, image)
  }
  const images = frames.map(({ image }) => image)
  const delay = frames.map(({ ms }) => ms)
  for (let quality = 65; quality >= 45; quality -= 10) {
    const bytes = await sharp(images, { join: { animated: true } })
      .webp({ quality, effort: 4, loop: 0, delay, minSize: true })
      .toBuffer()
    process.stdout.write(`quality ${quality}: ${bytes.length} bytes, ${images.length} frames\n`)
    if (bytes.length > bytesMax) continue
    await writeFile(new URL('console.webp', picturesFolder), bytes)
    return
  }
  throw new Error(`The animation has more than ${bytesMax} bytes.`)
}

async function withPointer({ png, pointer, isPressed }: Frame): Promise<Buffer> {
  const ring = isPressed ? '<circle cx="24" cy="24" r="17" fill="#b45f26" opacity="0.28"/>' : ''
  const arrow = 'M24 24 v21 l5 -4.6 3.4 7.6 4.2 -1.9 -3.3 -7.4 7 -0.6 z'
  const size = Math.round(56 * deviceScaleFactor)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 56 56">${ring}<path d="${arrow}" fill="#111" stroke="#fff" stroke-width="1.8" stroke-linejoin="round"/></svg>`
  // The pointer can be partly outside of the frame, so the frame is extended for the time of drawing.
  const left = Math.round(pointer.x * deviceScaleFactor - 24 * deviceScaleFactor) + size
  const top = Math.round(pointer.y * deviceScaleFactor - 24 * deviceScaleFactor) + size
  const { width, height } = await sharp(png).metadata()
  const extended = await sharp(png)
    .extend({ top: size, bottom: size, left: size, right: size })
    .composite([{ input: Buffer.from(svg), left, top }])
    .png({ compressionLevel: 1 })
    .toBuffer()
  return sharp(extended).extract({ left: size, top: size, width, height }).png({ compressionLevel: 1 }).toBuffer()
}
