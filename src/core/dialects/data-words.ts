/**
 * The readable words of custom data. Agents send progress as objects of their own making, and a page shows their labels,
 * not their JSON: those words are what can be found on the screen again.
 */
import { asText, type Json } from './dialect';

/** What of a data part a person could read on the page: its sentences and labels, or else its JSON. */
export const readableWords = (data: Json | undefined): string => {
  if (typeof data === 'string') return data;
  const found: string[] = [];
  const look = (value: unknown, key: string, depth: number): void => {
    if (typeof value === 'string') {
      if (LABELS.has(key) || value.includes(' ')) found.push(value);
    } else if (depth < 6 && typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) look(member, Array.isArray(value) ? key : name, depth + 1);
  };
  look(data, '', 0);
  return found.length > 0 ? found.join('\n') : (asText(data) ?? '');
};
const LABELS = new Set(['label', 'text', 'message', 'title', 'status', 'description', 'content', 'summary', 'detail', 'name']);
