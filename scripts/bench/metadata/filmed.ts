import type { Game } from './made-games.ts';
import type { Measured } from './simulated.ts';
export async function analyzeFilmed(_game: Game): Promise<Measured> { throw new Error('todo'); }
