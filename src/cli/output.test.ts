import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outputLost } from './output';

describe('standard output that takes no more', () => {
  const lost = (code: string) => outputLost(Object.assign(new Error(`${code}: write`), { code }));
  it('is silence where a reader has seen enough', () => {
    expect(lost('EPIPE')).toEqual({ exitCode: 0, message: null });
  });
  it.each([
    ['ENOSPC', 'there is no room'],
    ['EIO', 'EIO: write'],
  ])('is said where it fails (%s), with 2', (code, words) => {
    const { exitCode, message } = lost(code);
    expect(exitCode).toBe(2);
    expect(message).toContain('The output could not be written');
    expect(message).toContain(words);
  });
  // A device that is always full, where there is one.
  it.runIf(existsSync('/dev/full'))('is said by the process itself', () => {
    const full = openSync('/dev/full', 'w');
    const argv = ['--import', 'tsx', join(import.meta.dirname, 'unsettled.ts'), 'help'];
    const { status, stderr } = spawnSync(process.execPath, argv, { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' });
    closeSync(full);
    expect(stderr).toMatch(/^unsettled: The output could not be written: there is no room/u);
    expect(status).toBe(2);
  });
});
