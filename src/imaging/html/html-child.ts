/**
 * A separate program: draws HTML, one document at a time, and is killed if one takes too long or too much memory. The renderer runs
 * in no other process. It ends when its parent process is gone.
 */
import { writeFileSync } from 'node:fs'
import { drawHtml } from './draw-html.ts'
import { failureText } from './failure-text.ts'
import type { HtmlJob, HtmlReply } from './messages.ts'

try {
  // If memory runs out, the system kills this process first, not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux.
}

process.on('message', async (job: HtmlJob) => {
  const reply: HtmlReply = await drawHtml(job).catch((error: unknown) => ({ refused: failureText(error) }))
  process.send?.(reply)
})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
