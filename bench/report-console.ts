/** The tables of the console. */
import type { ConsoleResults } from './console/index.ts'
import type { Motion } from './console/motion.ts'
import type { StageResults } from './console/stage.ts'
import { atMost, type Section } from './verdict.ts'

/** Targets. */
const goals = {
  signInBytes: 230_000,
  editorBytes: 300_000,
  stageBytes: 30_000,
  /** Frames that miss a refresh of a 60 Hz display, in percent. */
  latePercent: 1,
  /** Delay from a step of the pointer or a key to the picture, at the 95th percentile. */
  pictureP95Ms: 100,
}

export function consoleSections(results: ConsoleResults, section: Section): void {
  const { skipped, firstLoad, openedMs, motions, replies, load = [0, 0] } = results
  if (skipped !== undefined) section(`The console: skipped, ${skipped}`, [])
  if (firstLoad) {
    section('The console: compressed script of a cold start, until nothing more comes', [
      ['page', 'files', 'br, kB', 'gzip, kB', 'goal'],
      ...(['signIn', 'workflows', 'editor', 'stage'] as const).map((page) => {
        const { files, br, gzip } = firstLoad[page]
        const name = { signIn: '/, not signed in', workflows: '/workflows', editor: 'editor', stage: 'stage, besides' }[
          page
        ]
        const max = { signIn: goals.signInBytes, stage: goals.stageBytes }[page as string] ?? goals.editorBytes
        const goal = `bytes ${atMost(br, max)}`
        return [name, String(files), (br / 1000).toFixed(0), (gzip / 1000).toFixed(0), goal]
      }),
    ])
  }
  const loads = load.map((each) => each.toFixed(1)).join(' and ')
  if (motions) {
    section(`The console: 200 nodes, against as many plain boxes (load of the machine ${loads})`, [
      ['', 'frames/s', 'boxes', 'ratio', 'p95 ms', 'longest', 'late', 'script ms', 'main thread ms', 'boxes', 'goal'],
      ...motions.map(({ name, ours, bare }) => [name, ...motionCells(ours, bare)]),
    ])
  }
  if (replies) {
    section('The console: 200 nodes, from an input to the end of its frame, ms', [
      ['', 'median', 'p95'],
      ...Object.entries(replies).map(([name, { medianMs, p95Ms }]) => [
        { typing: 'a letter in the inspector', dragging: 'a card dragged', selectingAll: 'all selected' }[name] ?? name,
        medianMs.toFixed(0),
        p95Ms.toFixed(0),
      ]),
      ['the editor opened', (openedMs ?? 0).toFixed(0), ''],
    ])
  }
}

export function stageSections({ skipped, pictures, load = [0, 0] }: StageResults, section: Section): void {
  if (skipped !== undefined) section(`The stage: skipped, ${skipped}`, [])
  if (pictures === undefined) return
  const loads = load.map((each) => each.toFixed(1)).join(' and ')
  section(`The stage: from an input to the end of the frame with its picture, ms (load of the machine ${loads})`, [
    ['', 'inputs', 'pictures', 'px', 'median', 'p95', 'request', 'p95', 'goal'],
    ...pictures.map(({ name, reply, request, pixels }) => [
      name,
      ...[reply.count, request.count, pixels, reply.medianMs, reply.p95Ms, request.medianMs, request.p95Ms].map(
        (value) => value.toFixed(0),
      ),
      `p95 ${atMost(Math.round(reply.p95Ms), goals.pictureP95Ms)}`,
    ]),
  ])
}

function motionCells(ours: Motion, bare: Motion): string[] {
  return [
    ours.framesPerSecond.toFixed(1),
    bare.framesPerSecond.toFixed(1),
    (ours.framesPerSecond / bare.framesPerSecond).toFixed(2),
    ours.p95Ms.toFixed(0),
    ours.longestMs.toFixed(0),
    `${(ours.lateShare * 100).toFixed(0)} %`,
    ours.scriptMs.toFixed(1),
    ours.mainMs.toFixed(1),
    bare.mainMs.toFixed(1),
    // Not frames per second: without a display, Chromium's own clock gives about 59 to an idle page.
    `late ${atMost(Math.round(ours.lateShare * 100), goals.latePercent)}`,
  ]
}
