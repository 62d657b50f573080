import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./samples.ts";

const SAMPLE_INTERVAL = 100;
const SETTLE_TIME = 5_000;
const SETTLED_SAMPLES = 20;

export interface MemorySampler extends Disposable {
  /** The most that was seen so far, MB. */
  peak(): number;
}

/** Resident memory of a process, its threads included, MB. Linux only. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has ended`);
  return Number(kilobytes) / 1024;
}

/** What a process holds when left alone: the median of 2 s, after 5 s of rest. MB. */
export async function settledMegabytes(pid: number): Promise<number> {
  await sleep(SETTLE_TIME);
  const samples: number[] = [];
  for (let taken = 0; taken < SETTLED_SAMPLES; taken++) {
    samples.push(residentMegabytes(pid));
    await sleep(SAMPLE_INTERVAL);
  }
  return median(samples);
}

/** Looks every 100 ms until disposed. */
export function sampleMemory(pid: number): MemorySampler {
  let peak = residentMegabytes(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid));
  }, SAMPLE_INTERVAL);
  return { peak: () => peak, [Symbol.dispose]: () => clearInterval(timer) };
}
