/** The entry of the package loads its limiters of all databases. */
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  import { RateLimiterMemory } from 'rate-limiter-flexible'
  export = RateLimiterMemory
}
