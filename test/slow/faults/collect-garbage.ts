import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Loaded by a server under test before its own code (`--import`): garbage goes as it comes, so that the memory of the
 * process is what somebody holds. Left to itself V8 lets tens of MB pile up, and differs from run to run in how many.
 */
const EVERY_MS = 250;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");
setInterval(collect, EVERY_MS).unref();
