/** Pictures on the stage: delay from a step of the pointer, or a key, to the end of the frame with the new picture. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { call, upload } from '../client.ts'
import { steadily } from './motion.ts'
import { type Reply, replyOf } from './replies.ts'
import { type Measured, openSignedIn, type Visit, visiting } from './visit.ts'

export interface StageResults extends Measured {
  pictures?: PictureResult[]
}

export interface PictureResult {
  name: string
  /** Delay from an input to the end of the frame with a picture of it. */
  reply: Reply
  /** Delay from the request of a picture to its response. */
  request: Reply
  /** Pixels of the longer side of the pictures. */
  pixels: number
}

/** The picture of 1200 x 630 has its full size on the stage. */
const viewport = { width: 1840, height: 1000 }
const seconds = 6
const radius = 50
/** One turn of the pointer, in milliseconds. */
const turnMs = 2_500
const control = 2
const letters = 60
/** The pause between two letters of a fast typist. */
const letterMs = 120
const card = { width: 1200, height: 630 }

const gestures = [
  { name: 'text box moved', node: 'title', work: drag },
  { name: 'overlay moved', node: 'placed', work: drag },
  { name: 'crop moved', node: 'part', work: drag },
  { name: 'text typed', node: 'title', work: type },
] as const

export function measureStage(folder: string): Promise<StageResults> {
  return visiting(join(folder, 'stage'), viewport, async (visit) => {
    const pictures: PictureResult[] = []
    for (const { name, node, work } of gestures) pictures.push({ name, ...(await measured(visit, node, work)) })
    return { pictures }
  })
}

export async function selectNode(page: Page, node: string): Promise<void> {
  // A card outside of the view, or a small one, can't be clicked.
  await page.locator(`.react-flow__node[data-id="${node}"]`).dispatchEvent('click')
  await page.locator(`.react-flow__node.selected[data-id="${node}"]`).waitFor({ state: 'attached' })
}

/** Opens the picture of the selected node. */
export async function openStage(page: Page): Promise<void> {
  await page.locator('[data-canvas]').focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-stage]').waitFor()
}

async function measured(visit: Visit, node: string, work: (page: Page, frame: Locator) => Promise<void>) {
  const page = await openSignedIn(visit)
  await page.addInitScript(watch)
  await page.goto(`/workflows/${await newWorkflow(visit)}`)
  await page.locator(`.react-flow__node[data-id="${node}"]`).waitFor()
  await selectNode(page, node)
  await openStage(page)
  await page.locator('[data-stage][data-settled]').waitFor()
  const frame = page.locator('[data-frame] [data-grip=move]')
  // The first gesture loads code, fonts and images.
  await work(page, frame)
  await page.locator('[data-stage][data-settled]').waitFor()
  await page.evaluate('window.pictures.clear()')
  await work(page, frame)
  await page.locator('[data-stage][data-settled]').waitFor()
  const { delays, requests, pixels } = (await page.evaluate('window.pictures.results')) as {
    delays: number[]
    requests: number[]
    pixels: number
  }
  await page.context().close()
  return { reply: replyOf(delays), request: replyOf(requests), pixels }
}

/** A photo at the size of a link card, with a title and an overlay, and a part of it. */
async function newWorkflow({ account: { api, key } }: Visit): Promise<string> {
  const bytes = await readFile(fileURLToPath(new URL('../../examples/pictures/dandelion.jpg', import.meta.url)))
  const photo = await upload(`${api}/storage/upload`, key, bytes, 'photo.jpg')
  const nodes = {
    photo: { type: 'image', params: { source: photo.id } },
    card: { type: 'resize', inputs: { image: 'photo' }, params: { ...card, fit: 'cover' } },
    title: {
      type: 'text',
      inputs: { image: 'card' },
      params: {
        text: 'Small things travel far',
        size: 84,
        color: '#fff',
        box: { x: 100, y: 100, width: 900, height: 400 },
      },
    },
    logo: { type: 'canvas', params: { width: 240, height: 160, color: '#f2b705' } },
    placed: { type: 'composite', inputs: { image: 'card', overlay: 'logo' }, params: { x: 500, y: 250 } },
    part: { type: 'crop', inputs: { image: 'card' }, params: { x: 150, y: 60, width: 900, height: 500 } },
  }
  const document = { name: 'Stage', nodes, output: { node: 'title' } }
  const { workflowId } = await call<{ workflowId: string }>({ url: `${api}/workflows/drafts`, key, json: { document } })
  return workflowId
}

/** Moves the frame in circles, without snapping, which would leave steps of the pointer without a change. */
async function drag(page: Page, frame: Locator): Promise<void> {
  const box = await frame.boundingBox()
  if (box === null) throw new Error('No frame can be dragged.')
  const session = await page.context().newCDPSession(page)
  const at = (ms: number) => ({
    x: box.x + box.width / 2 + radius * Math.sin((ms / turnMs) * 2 * Math.PI),
    y: box.y + box.height / 2 + radius * (Math.cos((ms / turnMs) * 2 * Math.PI) - 1),
  })
  await page.mouse.move(at(0).x, at(0).y)
  await page.mouse.down()
  await steadily(seconds, (ms) =>
    session.send('Input.dispatchMouseEvent', {
      type: 'mouseMoved',
      ...at(ms),
      button: 'left',
      buttons: 1,
      modifiers: control,
    }),
  )
  await page.mouse.up()
  await session.detach()
}

async function type(page: Page, frame: Locator): Promise<void> {
  await frame.focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-text-editor] textarea').waitFor({ state: 'attached' })
  for (let letter = 0; letter < letters; letter += 1) {
    await page.keyboard.press('abcdefg hij'.charAt(letter % 11))
    await sleep(letterMs)
  }
  await page.keyboard.press('Escape')
}

/**
 * Runs in the page. Live pictures have one request in progress at a time, which has all inputs before it, and each response becomes a
 * picture before the next request. The task after the animation frame of a picture runs when its layout and paint are done.
 */
const watch = `
  window.pictures = {
    results: { delays: [], requests: [], pixels: 0 },
    clear() {
      waiting.length = 0
      window.pictures.results = { delays: [], requests: [], pixels: 0 }
    },
  }
  const waiting = []
  let covered = 0
  for (const type of ['pointermove', 'keydown'])
    addEventListener(type, (event) => {
      if (type === 'keydown' ? event.key.length === 1 && !event.ctrlKey : event.buttons === 1) waiting.push(event.timeStamp)
    }, { capture: true, passive: true })
  const { fetch } = window
  window.fetch = async (...args) => {
    const url = String(args[0]?.url ?? args[0])
    if (!url.endsWith('/draft/preview')) return fetch(...args)
    const inputs = waiting.length
    const startMs = performance.now()
    const response = await fetch(...args)
    if (inputs > 0) window.pictures.results.requests.push(performance.now() - startMs)
    covered = inputs
    return response
  }
  new MutationObserver((changes) => {
    const image = changes.find(({ target }) => target.src?.startsWith('data:') && target.closest('[data-stage]'))?.target
    if (image === undefined || covered === 0) return
    const inputs = waiting.splice(0, covered)
    covered = 0
    window.pictures.results.pixels = Math.max(image.naturalWidth, image.naturalHeight)
    const behind = new MessageChannel()
    behind.port1.onmessage = () => {
      window.pictures.results.delays.push(...inputs.map((atMs) => performance.now() - atMs))
      behind.port1.close()
    }
    requestAnimationFrame(() => behind.port2.postMessage(0))
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['src'] })`
