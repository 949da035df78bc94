/**
 * The first import of the program. Node 24.21's own HTTP client (undici 7) can be crashed, uncatchably, by a server that
 * sends about 64 KB and closes while the body is read slowly; undici 8 survives. From
 * here on, all calls of the global `fetch`, also in dependencies, use undici 8.
 */
import { Agent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new Agent())
