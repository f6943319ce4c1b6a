/**
 * Judges many files, on all processors where that pays. Each worker is this program again; it takes a file at a time and
 * sends its report. The order of the reports is the order of the files, however they finish.
 */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type FileReport, unreadFile } from '../core/report';
import { STDIN } from './files';
import { type JudgeOptions, judgeFile } from './judge';

export interface PoolOptions extends JudgeOptions {
  /** The program's own file, to start workers from; null: judge here. */
  readonly entry: URL | null;
  stdin(): AsyncIterable<Uint8Array>;
  onDone(done: number): void;
}

/** Starting a worker costs about as much as judging this many small files. */
const FILES_PER_WORKER = 16;
const MARK = 'unsettled-worker';

const whyDown = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'Judging this file needed more memory than a worker may have. Judge it alone: unsettled check FILE.'
    : `Judging this file failed (${error instanceof Error ? error.message : String(error)}). That is a fault of Unsettled; please report it.`;

export const judgeAll = async (files: readonly string[], options: PoolOptions): Promise<readonly FileReport[]> => {
  const { muted, allowEmpty, mappings, entry } = options;
  const own: JudgeOptions = { muted, allowEmpty, mappings };
  const reports = new Array<FileReport>(files.length);
  let next = 0;
  let done = 0;
  const finish = (index: number, report: FileReport): void => {
    reports[index] = report;
    options.onDone(++done);
  };
  const here = async (index: number): Promise<void> => finish(index, await judgeFile(files[index]!, own, options.stdin));

  const count = entry === null ? 0 : Math.min(availableParallelism(), 8, Math.floor(files.length / FILES_PER_WORKER));
  if (count < 2 || entry === null) {
    for (let i = 0; i < files.length; i++) await here(i);
    return reports;
  }
  const serve = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(entry, { workerData: { mark: MARK, options: own } });
      let current = -1;
      const give = async (): Promise<void> => {
        while (next < files.length && files[next] === STDIN) await here(next++);
        if (next >= files.length) {
          await worker.terminate();
          resolve();
          return;
        }
        current = next++;
        worker.postMessage(files[current]);
      };
      worker.on('message', (report: FileReport) => {
        finish(current, report);
        give().catch(reject);
      });
      // A file that brings a worker down (memory, a fault of ours) is told as such, and another worker takes the rest.
      worker.on('error', (error) => {
        if (current < 0) {
          reject(error);
          return;
        }
        const file = files[current]!;
        const message = whyDown(error);
        finish(current, unreadFile(file, message, { kind: 'file', message, line: null, where: null }));
        serve().then(resolve, reject);
      });
      give().catch(reject);
    });
  await Promise.all(Array.from({ length: count }, serve));
  return reports;
};

/** Runs this thread as a worker if it is one; false otherwise. */
export const servedAsWorker = (): boolean => {
  const data = workerData as { mark?: string; options?: JudgeOptions } | null;
  if (isMainThread || data?.mark !== MARK || !data.options || !parentPort) return false;
  const port = parentPort;
  const options = data.options;
  const none = async function* (): AsyncGenerator<Uint8Array> {};
  port.on('message', (file: string) => {
    judgeFile(file, options, none).then((report) => port.postMessage(report));
  });
  return true;
};
