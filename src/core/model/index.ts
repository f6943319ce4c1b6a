/**
 * The central types. Types and doc comments only; imports nothing but each other.
 *
 * Read its files in this order: `record` (what the tap saw, and frames) → `event` (what the producer said) → `run` (attempts and parts:
 * what we hold to be true) → `sighting` (what the screen showed) → `finding` (what we conclude) → `capture` (what we keep).
 *
 * Terms follow the field: flow, frame, run, attempt, part, settlement, finish reason, usage, severity. Three words are
 * ours. **voice**: in whose role a piece of content speaks. **standing**: how far its producer stands by it.
 * **sighting**: what the screen showed, with no claim about truth.
 *
 * `null` means known to be absent. Optional properties occur only in `Identity`, where the wire may be silent.
 */

export type * from './capture';
export type * from './event';
export type * from './finding';
export type * from './record';
export type * from './run';
export type * from './sighting';
