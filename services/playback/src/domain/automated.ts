/** Requests that no viewer made: they are answered, and count as no view. */

/** Agents that say what they are, by a part of their User-Agent; a Cubot is a phone. */
const AUTOMATED = [
  // Crawlers of search, of language models and of archives: Googlebot, bingbot, GPTBot, ClaudeBot, CCBot, Baiduspider, ….
  String.raw`(?<!cu)bot\b|spider|crawl|slurp|archiver|Google-InspectionTool|Mediapartners-Google|APIs-Google`,
  // Previews of links in messages and social networks.
  'facebookexternalhit|meta-externalagent|WhatsApp/|Embedly|vkShare|preview',
  // Measurements of pages, and monitors of sites.
  'Lighthouse|PageSpeed|GTmetrix|Pingdom|UptimeRobot|StatusCake|Catchpoint',
];
const automated = new RegExp(AUTOMATED.join('|'), 'i');

/**
 * Whether a crawler or a prefetch sent it.
 * @param purpose `Sec-Purpose` (Fetch, `prefetch` or `prefetch;prerender`), or the older `Purpose`
 */
export function isAutomated(userAgent: string, purpose: string): boolean {
  return /\b(prefetch|prerender|preview)\b/i.test(purpose) || automated.test(userAgent);
}
