/** Imported first: all requests of this process that a method of the client can send are sent by it. */
import { sendBy } from '../harness/client.ts'
import { sendThroughClient } from '../harness/through-client.ts'

sendBy(sendThroughClient)
