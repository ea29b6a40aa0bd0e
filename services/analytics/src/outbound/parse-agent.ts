/** Devices by their User-Agent. The text itself is not kept. */
import { LRUCache } from 'lru-cache';
import { UAParser } from 'ua-parser-js';
import { deviceOf, type Device } from '../domain/device.ts';

/** Parsing takes a fifth of a millisecond, and a few thousand texts make nearly all requests. */
const MAX_AGENTS = 5_000;

export function createAgentParser(): (userAgent: string) => Device {
  const known = new LRUCache<string, Device>({ max: MAX_AGENTS });
  return (userAgent) => {
    const before = known.get(userAgent);
    if (before) return before;
    const { device, os, browser } = new UAParser(userAgent).getResult();
    const parsed = deviceOf(userAgent, { deviceType: device.type, os: os.name, browser: browser.name });
    known.set(userAgent, parsed);
    return parsed;
  };
}
