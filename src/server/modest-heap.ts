import { setFlagsFromString } from "node:v8";

/**
 * V8 prefers growing its heap to collecting it: reading 100,000 hosts took 330 MB over idle although hardly a third of that was alive.
 * These limits bring it near to what is alive, for some more processor time (figures in docs/performance.md). Called first of all.
 */
export function keepHeapModest(): void {
  setFlagsFromString("--heap-growing-percent=100");
  setFlagsFromString("--semi-space-growth-factor=1");
}
