/** A program of a process pool: draws HTML. The renderer runs in no other process. */
import { serveJobs } from '../../processes/pool-program.ts'
import { drawHtml } from './draw-html.ts'
import { failureText } from './failure-text.ts'
import type { HtmlJob, HtmlReply } from './messages.ts'

serveJobs<HtmlJob, HtmlReply>((job) => drawHtml(job).catch((error: unknown) => ({ refused: failureText(error) })))
