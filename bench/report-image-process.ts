/** The tables of a separate image process compared with the same process. */
import type { ImageProcessResults } from './image-process.ts'
import { atMost, type Section } from './verdict.ts'

/** Above this, the separate process is not the default: docs/decisions/0030-image-process.md. */
const goal = 1.03

export function imageProcessSections({ requests, memory, starts }: ImageProcessResults, section: Section): void {
  section('IMAGE_PROCESS=separate against same: CPU of all processes for a request', [
    ['request', 'clients', 'CPU ratio', 'quarters', 'CPU ms', 'same', 'latency ratio', 'median ms', 'same', 'goal'],
    ...requests.map(({ name, clients, ours, bare, cpuRatios }) => [
      name,
      String(clients),
      (ours.cpuMs / bare.cpuMs).toFixed(2),
      `${Math.min(...cpuRatios).toFixed(2)}-${Math.max(...cpuRatios).toFixed(2)}`,
      ours.cpuMs.toFixed(1),
      bare.cpuMs.toFixed(1),
      (ours.latencyMs / bare.latencyMs).toFixed(2),
      ours.latencyMs.toFixed(1),
      bare.latencyMs.toFixed(1),
      atMost(ours.cpuMs / bare.cpuMs, goal),
    ]),
  ])
  const row = (name: string, separate: number, same: number) => [
    name,
    separate.toFixed(0),
    same.toFixed(0),
    (separate / same).toFixed(2),
    atMost(separate / same, goal),
  ]
  section('IMAGE_PROCESS=separate against same: memory and start', [
    ['', 'separate', 'same', 'ratio', 'goal'],
    row('memory when idle, MiB', memory.separate.idle, memory.same.idle),
    row('memory after the requests, MiB', memory.separate.used, memory.same.used),
    row('start on an empty folder, ms', starts.separate.empty.ms, starts.same.empty.ms),
    row('start on an empty folder, CPU ms', starts.separate.empty.cpuMs, starts.same.empty.cpuMs),
    row('start on existing data, ms', starts.separate.existing.ms, starts.same.existing.ms),
    row('start on existing data, CPU ms', starts.separate.existing.cpuMs, starts.same.existing.cpuMs),
  ])
}
