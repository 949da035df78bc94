/** An agent that makes an image of 40 x 20 pixels, whatever the brief says. */
import { text } from 'node:stream/consumers'
import { call, connectMcp } from '../harness/mcp.ts'

const brief = await text(process.stdin)
const { TINTYPE_MCP_URL = '', TINTYPE_KEY = '' } = process.env
const client = await connectMcp({ origin: new URL(TINTYPE_MCP_URL).origin }, TINTYPE_KEY)
const name = brief.split('\n')[0] ?? ''
const nodes = { blank: { type: 'canvas', params: { width: 40, height: 20 } } }
await call(client, 'validate_workflow', { document: { name, nodes, output: { node: 'blank' } } })
await call(client, 'save_draft', { document: { name, nodes, output: { node: 'blank' } } })
await client.close()
